"""The boards of the morris games: points on a lattice, the lines drawn between them, mills and symmetries.

A point is named like the cell of a lattice: A1 is the upper left corner of the outer square.  Numbers run row by row from there.

    three: A1─B1─C1      six: A1───C1───E1      nine: three squares around an empty middle, their
           │ ╲│╱ │             │ B2─C2─D2 │             sides' middles joined
           A2─B2─C2            A3─B3  D3─E3
           │ ╱│╲ │             │ B4─C4─D4 │
           A3─B3─C3            A5───C5───E5
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from ludometer.core.notation import square_name

Place = tuple[int, int]  # row and column of the lattice


class PointBoard(NamedTuple):
    """A board of points joined by lines."""

    places: tuple[Place, ...]  # of every point, by its number
    lines: tuple[tuple[int, ...], ...]  # points of every drawn line, in order
    images: tuple[tuple[int, ...], ...]  # for each symmetry, the image of every point; the first is the identity

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(square_name(*place) for place in self.places)

    @property
    def edges(self) -> list[tuple[int, int]]:
        """Pairs of neighbouring points."""
        return [pair for line in self.lines for pair in pairwise(line)]

    @property
    def mills(self) -> list[tuple[int, ...]]:
        """Lines of three points."""
        return [line for line in self.lines if len(line) == 3]


def squares_board(squares: int) -> PointBoard:
    """Concentric squares, the middles of their sides joined across the squares."""
    centre = squares
    rings = [[(centre + down * ring, centre + right * ring) for down, right in _AROUND] for ring in range(1, squares + 1)]
    places = tuple(sorted(place for ring in rings for place in ring))
    lines = []
    for ring in rings:
        lines += [[ring[corner], ring[corner + 1], ring[(corner + 2) % 8]] for corner in range(0, 8, 2)]
    for middle in range(1, 8, 2):
        lines.append([ring[middle] for ring in rings])
    swaps = (False, True) if squares > 1 else (False,)
    images = []
    for swap in swaps:
        for symmetry in range(8):
            images.append(tuple(places.index(_image(place, centre, squares, symmetry, swap)) for place in places))
    return PointBoard(places, _numbered(places, lines), tuple(images))


_AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))  # the points of a square, clockwise


def _image(place: Place, centre: int, squares: int, symmetry: int, swap: bool) -> Place:
    """A point seen through one of the eight symmetries of a square, and with the squares turned inside out if `swap`."""
    down, right = place[0] - centre, place[1] - centre
    if symmetry & 4:
        down, right = right, down
    if symmetry & 2:
        down = -down
    if symmetry & 1:
        right = -right
    ring = max(abs(down), abs(right))
    if swap:
        down, right = (step // ring * (squares + 1 - ring) for step in (down, right))
    return centre + down, centre + right


def _numbered(places: tuple[Place, ...], lines: list[list[Place]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(sorted(places.index(place) for place in line)) for line in lines)


def three_board() -> PointBoard:
    """Nine points in three rows, with both diagonals through the centre."""
    places = tuple((row, column) for row in range(3) for column in range(3))
    lines = [[(row, 0), (row, 1), (row, 2)] for row in range(3)] + [[(0, column), (1, column), (2, column)] for column in range(3)]
    lines += [[(0, 0), (1, 1), (2, 2)], [(0, 2), (1, 1), (2, 0)]]
    images = [tuple(places.index(_image(place, 1, 1, symmetry, False)) for place in places) for symmetry in range(8)]
    return PointBoard(places, _numbered(places, lines), tuple(images))


BOARDS = (three_board(), squares_board(2), squares_board(3))  # by the number of the board in `MorrisRules`
