"""Clobber as text.  Position: `XOX/O.O/X.X x`.  Move: `A1-B1`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ludometer.core import boards
from ludometer.core.boards import Layout
from ludometer.core.drawing import Part
from ludometer.games.clobber.rules import ClobberRules, ClobberState, target_of


def layout_of(rules: ClobberRules) -> Layout:
    return boards.grid(rules.rows, rules.columns)


def cells_of(rules: ClobberRules, state: ClobberState) -> list[str]:
    """The cells row by row from the top: `X`, `O` or `.`."""
    first, second = (state.other, state.mover) if state.turn else (state.mover, state.other)
    return boards.symbols(first, second, range(rules.rows * rules.columns))


def format_position(rules: ClobberRules, state: ClobberState) -> str:
    return boards.format_board(layout_of(rules), cells_of(rules, state), int(state.turn))


def parse_position(rules: ClobberRules, text: str) -> ClobberState:
    """Any arrangement is taken."""
    cells, player = boards.parse_whole_board(layout_of(rules), text)
    sides = boards.men(cells, range(len(cells)))
    return ClobberState(sides[player], sides[1 - player], np.uint64(player))


def setup_parts(rules: ClobberRules, state: ClobberState) -> list[Part]:
    return boards.board_parts(layout_of(rules), cells_of(rules, state), int(state.turn))


def setup_text(rules: ClobberRules, values: Mapping[str, str]) -> str:
    return boards.board_from_parts(layout_of(rules), values)


def format_move(rules: ClobberRules, state: ClobberState, move: int) -> str:
    names = layout_of(rules).names
    return f"{names[move // 4]}-{names[int(target_of(rules, move))]}"
