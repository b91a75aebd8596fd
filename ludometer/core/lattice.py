"""Sets of points of a lattice in one word: point (row, column) is bit row·stride + column.

Symmetries of the board map whole rows, columns or diagonals with a few operations, for games with a guard column (m,n,k) or with
dots and edges (Dots-and-Boxes).
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit
from numba.extending import overload

from ludometer.core.bits import U0, U1, U63, U64, Words, lowest_bit

_HALF = np.uint64(32)
_SWAPS = ((1, 0x5555555555555555), (2, 0x3333333333333333), (4, 0x0F0F0F0F0F0F0F0F), (8, 0x00FF00FF00FF00FF), (16, 0x0000FFFF0000FFFF))
_PLACES = tuple(np.uint64(places) for places, _ in _SWAPS)
_BITS = tuple(np.uint64(bits) for _, bits in _SWAPS)


@njit
def reversed_bits(word):
    """Bit i becomes bit 63 − i."""
    for step in range(5):
        word = ((word >> _PLACES[step]) & _BITS[step]) | ((word & _BITS[step]) << _PLACES[step])
    return (word >> _HALF) | (word << _HALF)


@njit
def turned(word, last):
    """The set turned by half a circle: point 0 becomes point `last`, the highest one."""
    return reversed_bits(word) >> (U63 - np.uint64(last))


@njit
def mirrored(word, stride, columns):
    """The order of the columns reversed: each column moves as a whole."""
    first = U1
    places = np.uint64(stride)
    while places < U64:
        first |= first << places
        places += places
    image = U0
    for column in range(columns):
        image |= ((word >> np.uint64(column)) & first) << np.uint64(columns - 1 - column)
    return image


@njit
def transposed(word, stride, length):
    """Rows and columns of a square of this length swapped: each diagonal moves as a whole."""
    diagonal = U0
    for _ in range(length):
        diagonal = (diagonal << np.uint64(stride + 1)) | U1
    image = word & diagonal
    for distance in range(1, length):
        diagonal = (diagonal << U1) & ((U1 << np.uint64((length - distance) * stride)) - U1)
        places = np.uint64(distance * (stride - 1))
        image |= ((word & diagonal) << places) | ((word >> places) & diagonal)
    return image


# Grids without a guard column: cell (row, column) is row·columns + column.


@njit
def cell_image(rows, columns, cell, symmetry):
    """The cell that a symmetry takes a cell to.

    Bit 2 swaps rows and columns first (squares only), then bit 1 mirrors top-bottom and bit 0 left-right.
    """
    row = cell // columns
    column = cell - row * columns
    if symmetry & 4:
        row, column = column, row
    if symmetry & 2:
        row = rows - 1 - row
    if symmetry & 1:
        column = columns - 1 - column
    return row * columns + column


@njit
def cells_image(rows, columns, cells, symmetry):
    """A set of at most 64 cells seen through a symmetry, as in `cell_image`."""
    image = U0
    while cells != U0:
        image |= U1 << np.uint64(cell_image(rows, columns, lowest_bit(cells), symmetry))
        cells &= cells - U1
    return image


def shift_up(a: Words, places: np.uint64) -> Words:
    """Every bit of a wide set moved to an index larger by `places` (1 to 63); what leaves the highest word is lost."""
    return _shift_up(a, places, U0)


@overload(shift_up)
def _shift_up_overload(a, places):
    return lambda a, places: _shift_up(a, places, U0)


def _shift_up(a: Words, places: np.uint64, carry: np.uint64) -> Words:
    first = np.uint64((int(a[0]) << int(places) | int(carry)) & 0xFFFFFFFFFFFFFFFF)
    return (first,) if len(a) == 1 else (first, *_shift_up(a[1:], places, np.uint64(int(a[0]) >> (64 - int(places)))))


@overload(_shift_up)
def _shift_up_words(a, places, carry):
    if len(a) == 1:
        return lambda a, places, carry: ((a[0] << places) | carry,)
    return lambda a, places, carry: ((a[0] << places) | carry,) + _shift_up(a[1:], places, a[0] >> (U64 - places))
