"""Arguments and limits of the kernels of `cuda`: sizes of shared memory, and named groups of arrays on the card."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

MOST_MOVES = 44  # moves a kernel has room for in shared memory
MOST_CELLS = 25
NINE = 1 << 9  # values of a chunk of 9 cells
IMAGES = 2 * NINE  # images of chunks: there are 2 of 9 cells or up to 5 of 5
TWO_IMAGES = 2 * IMAGES  # of the move at work, and of the next one
PLACES = MOST_MOVES * MOST_CELLS
RANKS = 1760  # ranks of chunks
TILE = 2048  # entries or list items a block takes at a time
COUNTERS = 16  # numbers that kernels count, a half for each side of a pair
SYMMETRIES = 8
GONE = 255  # what a list item that is decided waits for: a bound beyond all
MARKED = 8  # entries whose marks share a byte: in step 3 a bit says that no nearer win can be entered any more


# Small tables, copied to shared memory by each block (made by `tables.small_tables`).  Cells are cut into pieces of 5.
PIECES = 5
PIECE = 32  # values of a piece
SEEN = SYMMETRIES * PIECES * PIECE  # (symmetry, piece, value): a piece of cells through a symmetry
SELECTED = PIECE * PIECE  # (selected cells, value): the value's bits at these cells packed together, or spread over them
GROUPS = 2 * MOST_MOVES * 4  # (move or reverse, 4): cells that stay, two groups that shift, and their four shifts in one word


# Arrays on the card that belong together.  A kernel takes them as NamedTuples.  Each array costs the host some microseconds at every
# launch, and step 3 has thousands of short ones: what it takes is put into few arrays.

TAKEN, ENTERED = 0, 1  # the parts of Board.ways


class Board(NamedTuple):
    """The look-up tables of a board (see `lookup.TileTables`), on the card."""

    everything: np.uint32  # the set of all cells
    moves: int
    ways: Any  # (TAKEN or ENTERED, chunks of 8 cells, 256) uint64: moves by cells, as bits
    orbit: Any  # (2^cells,) uint32
    representatives: Any  # (rows of all sizes,) uint32
    weight: Any  # (rows of all sizes,) uint8


class Moves(NamedTuple):
    """The moves of a board, on the card."""

    taken: Any  # (moves,) int64: cells
    entered: Any  # (moves,) int64
    after: Any  # (moves, symmetries, cells) uint8: where a cell's content goes
    groups: Any  # GROUPS uint32


class Small(NamedTuple):
    """Tables that each block copies to shared memory."""

    words: Any  # uint32: GROUPS, then SEEN
    bytes: Any  # uint8: SELECTED to compress, then SELECTED to spread


class Cut(NamedTuple):
    """Division of the packed cells of a row into chunks."""

    length: int  # cells without an X tile
    bits: int  # of a chunk: 9 or 5
    chunks: int
    ranks: Any  # uint16, as in `tables.nine_ranks` and `tables.five_ranks`: RANKS at most


class Place(NamedTuple):
    """One side of a pair."""

    side: int  # X_TO_MOVE or O_TO_MOVE
    diagonal: bool
    rows: int
    columns: int
    first: int  # the first row of its size
    combinations: Any  # (columns,) uint32: columns as sets of packed cells
    cut: Cut


class Target(NamedTuple):
    """Where moves that take a blank lead."""

    first: int  # the first row of that size
    columns: int
    codes: Any  # uint8
    number: int  # of the entries of a row there that one move leads to
    combinations: Any  # (number,) uint32: their columns as sets of packed cells, without a new O tile


class Edges(NamedTuple):
    """The moves that take no X tile of a row, in shared memory."""

    move: Any  # (MOST_MOVES,) int32
    symmetry: Any  # int32: the one that leads to the representative of the row it goes to
    free: Any  # uint32: the cells without an X tile there
    base: Any  # uint32: the first entry of that row
    taken: Any  # int32: the packed cell it takes
    new: Any  # int32: the packed cell the mover's new tile is on, if it is an O tile; MOST_CELLS if not
    number: Any  # (1,) int32: how many


class Items(NamedTuple):
    """A list of positions that may still be lost."""

    places: Any  # uint32
    waits: Any  # uint16: its bound; if it has a blocker, 256 times 1 + the move that leads there is added
    blocker: Any  # uint32: the successor that kept it from being lost
