"""Tile games: two sides' tiles on a board of cells, solved by retrograde analysis.

In a tile game every move permutes the cells and may turn one blank into a tile, and a state is nothing but these cells and who is to move.

    pairs, binomials       classes of positions, and the order in which they are solved
    board, lookup, index   how moves and symmetries carry cells; look-up tables; where a position stands in its table
    codes, packing         what an entry says
    kernels                the steps of retrograde analysis for one pair of classes
    pair_solvers, cuda/    who carries them out: the processor, a GPU
    driver, folder         all pairs in the right order, in memory or into files; progress, estimate: how far, and how much
    solution               what was found, asked
    check, check_kernels   all of it compared with the rules again
"""
