"""Solving and checking tile games on a GPU.

memory, allocation            the plan of the card's memory, and the count of what is allocated
launching                     access to CUDA, and kernel launches
card_tables                   tables that move between the card and the host's memory
solver                        one pair of classes after the other: steps 1, 2 and 4
deciding                      step 3 of a pair
fill_kernels                  kernels of steps 1 and 2 (see `tiles.kernels`)
loss_kernels, push_kernels    kernels of step 3: losses, and the wins before them
table_kernels                 kernels on whole tables: step 4, counts, packed values
check_kernels                 kernels that compare entries with the rules
cells, rows, tables, layout   sets of cells on the card, their look-up tables, and the kernels' arguments
"""
