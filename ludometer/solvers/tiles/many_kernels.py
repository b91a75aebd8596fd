"""Kernels over many positions of a tile game: where they stand, and positions drawn at random."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core import protocol
from ludometer.core.bits import U0, U1, popcount
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.leaves import leaves_of, state_of_leaves
from ludometer.core.protocol import tiling
from ludometer.core.random import below, draw, substream
from ludometer.solvers.tiles.binomials import WAYS
from ludometer.solvers.tiles.check_kernels import images_of
from ludometer.solvers.tiles.index import entry_of, o_tiles_of
from ludometer.solvers.tiles.known_kernels import NOT_KNOWN, code_when_over, known_code

NO_STATE = -1


@kernel
def locate_states(rules, states, rows, ask_rules, places):
    """Write (tiles of the mover, tiles of the other, entry, known code) of each state into `places` (states, 4).

    The known code is that of a finished game or, if `ask_rules`, of `known_code`; else NOT_KNOWN.  What is no state of the game gets
    NO_STATE instead of tiles.
    """
    start = protocol.start(rules)
    cells = np.uint64(tiling.tile_cells(rules))
    moves = np.empty(protocol.move_bound(rules), np.int32)
    for number in range(len(states)):
        state = state_of_leaves(start, states[number], 0)
        mover, other = tiling.tiles_of_state(rules, state)
        if mover & other != U0 or (mover | other) >> cells != U0:
            places[number, 0] = NO_STATE
            continue
        code = known_code(rules, state, moves) if ask_rules else code_when_over(rules, state)
        places[number, 0] = popcount(mover)
        places[number, 1] = popcount(other)
        places[number, 2] = entry_of(rules, state, rows) if code == NOT_KNOWN else np.int64(0)
        places[number, 3] = code


@kernel
def place_tiles(rules, movers, others, key, states):
    """Write states with movers[i] and others[i] tiles, every arrangement equally likely, into `states`."""
    cells = tiling.tile_cells(rules)
    for number in range(len(states)):
        place_key = substream(key, np.uint64(number))
        left_mover, left_other = movers[number], others[number]
        mover, other = U0, U0
        for cell in range(cells):
            chosen = below(draw(place_key, np.uint64(cell)), cells - cell)
            if chosen < left_mover:
                left_mover -= 1
                mover |= U1 << np.uint64(cell)
            elif chosen < left_mover + left_other:
                left_other -= 1
                other |= U1 << np.uint64(cell)
        _write(tiling.state_of_tiles(rules, mover, other), states[number])


@kernel
def pick_entries(rules, rows, mover, other, codes, begins, ranks, entries):
    """Find the entries of a class that hold the positions with given ranks.

    The positions of a code are numbered in the order of their entries, each entry with as many as it stands for.
    ranks[begins[c] : begins[c + 1]], ascending, are the numbers wanted of code c; their entries go to the same places of `entries`.
    """
    cells = tiling.tile_cells(rules)
    more, fewer = max(mover, other), min(mover, other)
    columns = WAYS[cells - more, fewer]
    seen = np.zeros(256, np.int64)
    pointers = begins[:256].copy()
    weight = 0
    for entry in range(codes.size):
        if entry % columns == 0:
            weight = images_of(rules, np.uint64(rows.representatives[rows.first_row[more] + entry // columns]))
        code = codes[entry]
        seen[code] += weight
        while pointers[code] < begins[code + 1] and ranks[pointers[code]] < seen[code]:
            entries[pointers[code]] = entry
            pointers[code] += 1


@kernel
def states_of_entries(rules, rows, mover, other, entries, keys, states):
    """Write a random one of the positions that each entry of a class stands for into `states`; state i depends on keys[i]."""
    cells = tiling.tile_cells(rules)
    more, fewer = max(mover, other), min(mover, other)
    columns = WAYS[cells - more, fewer]
    for number in range(len(entries)):
        row = entries[number] // columns
        x_tiles = np.uint64(rows.representatives[rows.first_row[more] + row])
        o_tiles = o_tiles_of(cells, x_tiles, fewer, entries[number] - row * columns)
        state = tiling.state_of_tiles(rules, x_tiles, o_tiles) if mover >= other else tiling.state_of_tiles(rules, o_tiles, x_tiles)
        symmetry = below(draw(keys[number], U0), protocol.symmetry_count(rules))
        _write(protocol.transform(rules, state, symmetry), states[number])


@njit
def _write(state, row):
    leaves = leaves_of(state)
    for place in range(len(leaves)):
        row[place] = leaves[place]
