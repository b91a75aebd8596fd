"""Breakthrough as text.  Position: `OOOO/OOOO/..../XXXX/XXXX x`.  Move: `A4-B3`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ludometer.core import boards
from ludometer.core.boards import Layout
from ludometer.core.drawing import Part
from ludometer.core.notation import impossible
from ludometer.games.breakthrough.rules import BreakthroughRules, BreakthroughState, last_row, target_of


def layout_of(rules: BreakthroughRules) -> Layout:
    return boards.grid(rules.rows, rules.columns)


def cells_of(rules: BreakthroughRules, state: BreakthroughState) -> list[str]:
    """The cells row by row from the top: `X`, `O` or `.`."""
    first, second = (state.other, state.mover) if state.turn else (state.mover, state.other)
    return boards.symbols(first, second, range(rules.rows * rules.columns))


def format_position(rules: BreakthroughRules, state: BreakthroughState) -> str:
    return boards.format_board(layout_of(rules), cells_of(rules, state), int(state.turn))


def parse_position(rules: BreakthroughRules, text: str) -> BreakthroughState:
    """Any arrangement is taken in which neither player has more men than at the start and the player to move has not won."""
    layout = layout_of(rules)
    cells, player = boards.parse_whole_board(layout, text)
    boards.at_most(text, layout, cells, rules.filled * rules.columns)
    sides = boards.men(cells, range(len(cells)))
    goal = last_row(rules) if player else rules.top
    if sides[player] & goal or sides[1 - player] == 0:
        raise impossible(text, f"{boards.PLAYERS[player]} is to move but has won already; the game ended a move earlier")
    return BreakthroughState(sides[player], sides[1 - player], np.uint64(player))


def setup_parts(rules: BreakthroughRules, state: BreakthroughState) -> list[Part]:
    return boards.board_parts(layout_of(rules), cells_of(rules, state), int(state.turn))


def setup_text(rules: BreakthroughRules, values: Mapping[str, str]) -> str:
    return boards.board_from_parts(layout_of(rules), values)


def format_move(rules: BreakthroughRules, state: BreakthroughState, move: int) -> str:
    names = layout_of(rules).names
    return f"{names[move // 3]}-{names[int(target_of(rules, int(state.turn), move))]}"
