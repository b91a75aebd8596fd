"""Solving and checking tile games on a GPU.

memory, allocation            how much of the card is used for what, planned beforehand and counted
solver                        one pair of classes after the other: which kernel, with what, in which order
fill_kernels, loss_kernels    the steps of `tiles.kernels`, one thread or block per piece of work
table_kernels                 whole tables: the last step, counts, packed values
check_kernels                 entries compared with the rules again
cells, tables, layout         sets of cells on the card, tables for that, and what the kernels take
"""
