"""Games that never come back to a position: tables of all positions, and search where these do not fit.

naming                 how positions are named
table, table_kernels   a table of all positions
search, search_kernels a search that proves the value of one
driver, store          which of the two, and how it is kept in a folder
solution               what was found, asked
check, check_kernels   all of it compared with the rules again
"""
