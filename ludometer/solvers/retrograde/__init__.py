"""Any game with finitely many positions, also one that can come back to a position: all positions are found, then valued from the end.

keys                     a state packed into words
reach, reach_kernels     finding all positions: a hash table that all threads fill
index_kernels            the number of a position, and the edges of its moves
rounds, rounds_kernels   values and distances, round by round from the end
snapshots                what a killed run leaves for the next one
driver, store            both in order, and how the result is kept in a folder
solution, query_kernels, table_entries  what was found, asked
check, check_kernels     all of it compared with the rules again
"""
