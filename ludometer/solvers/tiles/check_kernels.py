"""Re-checking the tables of tile games entry by entry, from the rules alone.

Nothing here is shared with the solver: positions are rebuilt plainly, every legal move is played with the game's own functions, and
the entry of each successor is computed by `tiles.index`.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core import protocol
from ludometer.core.bits import U0, U1, popcount
from ludometer.core.compiling.compilation import kernel
from ludometer.core.outcome import DRAW, LOSS, ONGOING, WIN
from ludometer.core.protocol import tiling
from ludometer.solvers.tiles.binomials import WAYS
from ludometer.solvers.tiles.index import entry_of, least_image, o_tiles_of
from ludometer.solvers.tiles.packing import code_at

_FAR = 1 << 20  # beyond any distance


class Class(NamedTuple):
    """The tables that the check of one class reads: codes of one byte each, or packed values."""

    mover: int  # tiles of the player to move
    other: int  # tiles of the other
    packed: bool
    codes: np.ndarray  # of the class itself
    replies: np.ndarray  # of the class with as many tiles and the other player to move
    further: np.ndarray  # of the class with one tile more; empty on a full board


@kernel
def list_rows(rules, representatives, first_row, stop):
    """The least images of all sets of tiles, by size and then ascending, into `representatives`; returns how many.

    Counts only while `representatives` is empty.  `first_row` (cells + 2) gets where each size begins.  Ends early once stop[0] is set.
    """
    cells = tiling.tile_cells(rules)
    found = 0
    for size in range(cells + 1):
        first_row[size] = found
        tiles = (U1 << np.uint64(size)) - U1
        for number in range(WAYS[cells, size]):
            if number & 1023 == 0 and stop[0] != 0:
                return found
            least, _other = least_image(rules, tiling.state_of_tiles(rules, tiles, U0))
            if least == tiles:
                if representatives.size > 0:
                    representatives[found] = tiles
                found += 1
            if tiles != U0:  # the next larger number with as many bits
                low = tiles & (~tiles + U1)
                higher = tiles + low
                tiles = higher | (((tiles ^ higher) // low) >> np.uint64(2))
    first_row[cells + 1] = found
    return found


@njit
def images_of(rules, x_tiles):
    """How many different images a set of tiles has."""
    state = tiling.state_of_tiles(rules, x_tiles, U0)
    symmetries = protocol.symmetry_count(rules)
    unchanged = 0
    for symmetry in range(symmetries):
        image, _other = tiling.tiles_of_state(rules, protocol.transform(rules, state, symmetry))
        unchanged += np.int64(image == x_tiles)
    return symmetries // unchanged


@njit
def meaning_of(code):
    """(WIN, DRAW or LOSS; distance, 0 for a draw) of a stored code, by the table in `tiles.codes`; a code of nothing is ONGOING."""
    if code == 0:
        return DRAW, 0
    if code < 128:
        return WIN, 0 if code == 1 else 2 * code - 3
    if code == 255:
        return ONGOING, 0
    return LOSS, code - 128 if code < 130 else 2 * code - 258


@njit
def value_from_rules(rules, state, moves, rows, tables):
    """(WIN, DRAW or LOSS; distance) that a position must have, from its outcome or from the values of its successors.

    `tables` (Class) are those of the position's class.
    """
    value = protocol.outcome(rules, state)
    if value != ONGOING:
        return value, 0
    mover, other = tiling.tiles_of_state(rules, state)
    tiles = popcount(mover | other)
    nearest_loss, farthest_win, drawn = _FAR, -1, False
    for index in range(protocol.legal_moves(rules, state, moves)):
        after = protocol.play(rules, state, np.int64(moves[index]))
        place = entry_of(rules, after, rows)
        mover, other = tiling.tiles_of_state(rules, after)
        value, distance = meaning_of(code_at(tables.replies if popcount(mover | other) == tiles else tables.further, tables.packed, place))
        if value == LOSS:
            nearest_loss = min(nearest_loss, distance)
        elif value == WIN:
            farthest_win = max(farthest_win, distance)
        else:
            drawn = True
    if nearest_loss < _FAR:
        return WIN, nearest_loss + 1
    if drawn or farthest_win < 0:
        return DRAW, 0
    return LOSS, farthest_win + 1


@kernel
def check_entries(rules, rows, tables, chosen, begin, end, counts, wrong, stop):
    """Check the entries begin..end of one class, or those that chosen[begin:end] names if `chosen` is not empty.

    `tables` (Class) are those the class needs.  `counts` (256) gets the number of positions by stored code.  The first wrong entries
    go to `wrong` (k, 4): entry, stored code, right value, right distance; returns how many are wrong.  Ends early once stop[0] is set.
    """
    mover_tiles, other_tiles = tables.mover, tables.other
    cells = tiling.tile_cells(rules)
    more, fewer = max(mover_tiles, other_tiles), min(mover_tiles, other_tiles)
    columns = WAYS[cells - more, fewer]
    moves = np.empty(protocol.move_bound(rules), np.int32)
    row, weight, x_tiles = np.int64(-1), 0, U0
    errors = 0
    for item in range(begin, end):
        if item & 255 == 0 and stop[0] != 0:
            break
        place = np.int64(chosen[item]) if chosen.size > 0 else np.int64(item)
        if place // columns != row:
            row = place // columns
            x_tiles = np.uint64(rows.representatives[rows.first_row[more] + row])
            weight = images_of(rules, x_tiles)
        o_tiles = o_tiles_of(cells, x_tiles, fewer, place - row * columns)
        if mover_tiles >= other_tiles:
            state = tiling.state_of_tiles(rules, x_tiles, o_tiles)
        else:
            state = tiling.state_of_tiles(rules, o_tiles, x_tiles)
        stored = code_at(tables.codes, tables.packed, place)
        counts[stored] += weight
        right = value_from_rules(rules, state, moves, rows, tables)
        value, distance = meaning_of(stored)
        if value != right[0] or (distance != right[1] and not tables.packed):
            if errors < wrong.shape[0]:
                wrong[errors, 0] = place
                wrong[errors, 1] = stored
                wrong[errors, 2] = right[0]
                wrong[errors, 3] = right[1]
            errors += 1
    return errors


@kernel
def tiles_of_entry(rules, rows, mover_tiles, other_tiles, place):
    """(tiles of the mover, tiles of the other) of an entry of a class."""
    cells = tiling.tile_cells(rules)
    more, fewer = max(mover_tiles, other_tiles), min(mover_tiles, other_tiles)
    row = place // WAYS[cells - more, fewer]
    x_tiles = np.uint64(rows.representatives[rows.first_row[more] + row])
    o_tiles = o_tiles_of(cells, x_tiles, fewer, place - row * WAYS[cells - more, fewer])
    if mover_tiles >= other_tiles:
        return x_tiles, o_tiles
    return o_tiles, x_tiles
