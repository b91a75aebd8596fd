"""Tile games: two sides' tiles on a board of cells, solved by retrograde analysis.

In a tile game every move permutes the cells and may turn one blank into a tile, and a state is nothing but these cells and who is to move.

    pairs, binomials       classes of positions, and the order in which they are solved
    board, lookup, index   how moves and symmetries carry cells; look-up tables; where a position stands in its table
    codes, packing         what an entry says
    kernels                the steps of retrograde analysis for one pair of classes, row by row
    pair_work, team        these steps in their order for one pair, and the threads that share its rows
    pair_solvers, cuda/    who solves pairs: the processor, a GPU
    driver, folder         all pairs in the right order, in memory or into files; pieces: what a run killed within a pair leaves
    progress, estimate     how far, and how much; pace: how fast
    solution               what was found, asked
    check, check_kernels   all of it compared with the rules again
"""
