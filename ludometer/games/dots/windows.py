"""Placements of a small board of Dots-and-Boxes on a larger one, for agents with a table of the small one."""

from __future__ import annotations

import re

import numpy as np

from ludometer.core.errors import SpecError, shorten
from ludometer.games.dots.notation import edge_number
from ludometer.games.dots.rules import LARGEST, DotsRules, make_rules


def window_layouts(rules: DotsRules, text: str) -> list[tuple[DotsRules, np.ndarray]]:
    """For each way to turn a window of R×C boxes: its rules, and places[window, move] on this board (−1 where no move has that number).

    Raises SpecError if the text is no size or the window is larger than the board.
    """
    read = re.fullmatch(r"([1-9])[xX×]([1-9])", text, re.ASCII)
    if read is None:
        raise SpecError(f"a window is rows x columns of boxes, each 1 to {LARGEST}, such as 2x2, not {shorten(text)}")
    size = int(read[1]), int(read[2])
    shapes = [shape for shape in dict.fromkeys((size, size[::-1])) if shape[0] <= rules.rows and shape[1] <= rules.columns]
    if not shapes:
        fitting = f"{min(2, rules.rows)}x{min(2, rules.columns)}"
        raise SpecError(f"a window of {text} boxes does not fit on {rules.rows}x{rules.columns} boxes; try {fitting}")
    return [_layout(rules, make_rules(*shape)) for shape in shapes]


def _layout(rules: DotsRules, small: DotsRules) -> tuple[DotsRules, np.ndarray]:
    corners = [
        (row, column) for row in range(rules.rows - small.rows + 1) for column in range(rules.columns - small.columns + 1)
    ]  # upper left boxes of the windows
    places = np.full((len(corners), 2 * (small.rows + 1) * (small.columns + 1)), -1, np.int32)
    for row in range(small.rows + 1):
        for column in range(small.columns + 1):
            for upright in (False, True):
                if row + upright <= small.rows and column + (not upright) <= small.columns:
                    move = edge_number(small, row, column, upright)
                    places[:, move] = [edge_number(rules, down + row, right + column, upright) for down, right in corners]
    return small, places
