"""What the kernels of `cuda` take and have room for: sizes of shared memory, and arrays on the card that belong together."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

MOST_MOVES = 44  # moves a kernel has room for in shared memory
PERMUTED = MOST_MOVES * 192  # images of chunks: a move has up to 3 chunks of 6 cells or 5 of 5
MOST_CELLS = 25
PLACES = MOST_MOVES * MOST_CELLS
RANKS = 2048
TILE = 2048  # list items a block compacts at a time
COUNTERS = 16  # numbers that kernels count, a half for each side of a pair
SYMMETRIES = 8
DROPPED, KEPT, LOST = 0, 1, 2  # what became of a list item


# Small tables, copied to shared memory by each block (see `solver.small_tables` for their making).  Cells are cut into pieces of 5.
PIECES = 5
PIECE = 32  # values of a piece
SEEN = SYMMETRIES * PIECES * PIECE  # (symmetry, piece, value): a piece of cells through a symmetry
SELECTED = PIECE * PIECE  # (selected cells, value): the value's bits at these cells packed together, or spread over them
MOST_BELOW = 13  # tiles that can lie below a piece
PIECE_RANKS = 21 * MOST_BELOW * PIECE  # (packed places below, tiles below, packed value): what a piece adds to a rank
GROUPS = 2 * MOST_MOVES * 4  # (move or reverse, 4): cells that stay, two groups that shift, and their four shifts in one word


# Arrays on the card that belong together.  A kernel takes them as NamedTuples, which cost no more than loose arguments.


class Board(NamedTuple):
    """The look-up tables of a board (see `lookup.TileTables`), on the card."""

    everything: np.uint32  # the set of all cells
    moves: int
    taken: Any  # (moves,) int64
    entered: Any  # (moves,) int64
    takes: Any  # (chunks of 8 cells, 256) uint64
    enters: Any  # (chunks of 8 cells, 256) uint64
    after: Any  # (moves, symmetries, cells) uint8: where a cell's content goes
    groups: Any  # GROUPS uint32
    orbit: Any  # (2^cells,) uint32
    representatives: Any  # (rows of all sizes,) uint32
    weight: Any  # (rows of all sizes,) uint8


class Small(NamedTuple):
    """What each block copies to shared memory."""

    seen: Any  # SEEN uint32
    compress: Any  # SELECTED uint8
    spread: Any  # SELECTED uint8
    ranks: Any  # PIECE_RANKS uint32


class Place(NamedTuple):
    """One side of a pair."""

    side: int  # X_TO_MOVE or O_TO_MOVE
    diagonal: bool
    rows: int
    columns: int
    first: int  # the first row of its size
    combinations: Any  # (columns,) uint32: columns as sets of packed cells


class Target(NamedTuple):
    """Where moves that take a blank lead, and how columns are cut into chunks for finding it."""

    first: int  # the first row of that size
    columns: int
    codes: Any  # uint8
    length: int  # cells without an X tile
    bits: int  # of a chunk
    chunks: int
    ranks: Any  # uint32, as in `solver.rank_chunks`


class Edges(NamedTuple):
    """The moves that take no X tile of a row, in shared memory."""

    move: Any  # (MOST_MOVES,) int32
    symmetry: Any  # int32: the one that leads to the representative of the row it goes to
    free: Any  # uint32: the cells without an X tile there
    base: Any  # uint32: the first entry of that row
    bit: Any  # uint32: the packed cell the mover's new tile is on, if it is an O tile
    taken: Any  # int32: the packed cell it takes
    number: Any  # (1,) int32: how many


class Items(NamedTuple):
    """A list of positions that may still be lost."""

    places: Any  # uint32
    bounds: Any  # uint8
    resume: Any  # uint8
    blocker: Any  # uint32: the successor that kept it from being lost
