"""Dodgem as text.  Position: `X../X../.OO x`.  Moves: `A2-B2`, and `C1-off` for a car that leaves the board."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ludometer.core import boards
from ludometer.core.boards import Layout
from ludometer.core.drawing import Part
from ludometer.core.notation import impossible
from ludometer.games.dodgem.rules import DodgemRules, DodgemState, target_of


def layout_of(rules: DodgemRules) -> Layout:
    return boards.grid(rules.size, rules.size)


def cells_of(rules: DodgemRules, state: DodgemState) -> list[str]:
    """The cells row by row from the top: `X`, `O` or `.`."""
    first, second = (state.other, state.mover) if state.turn else (state.mover, state.other)
    return boards.symbols(first, second, range(rules.size**2))


def format_position(rules: DodgemRules, state: DodgemState) -> str:
    return boards.format_board(layout_of(rules), cells_of(rules, state), int(state.turn))


def parse_position(rules: DodgemRules, text: str) -> DodgemState:
    """Any arrangement is taken in which neither player has more cars than at the start and the player to move has one."""
    layout = layout_of(rules)
    cells, player = boards.parse_whole_board(layout, text)
    boards.at_most(text, layout, cells, rules.size - 1)
    sides = boards.men(cells, range(rules.size**2))
    if sides[player] == 0:
        raise impossible(text, f"{boards.PLAYERS[player]} is to move but has no car; the game ended a move earlier")
    return DodgemState(sides[player], sides[1 - player], np.uint64(player))


def setup_parts(rules: DodgemRules, state: DodgemState) -> list[Part]:
    return boards.board_parts(layout_of(rules), cells_of(rules, state), int(state.turn))


def setup_text(rules: DodgemRules, values: Mapping[str, str]) -> str:
    return boards.board_from_parts(layout_of(rules), values)


def format_move(rules: DodgemRules, state: DodgemState, move: int) -> str:
    names = layout_of(rules).names
    target = int(target_of(rules, int(state.turn), move))
    return f"{names[move // 3]}-{names[target] if target >= 0 else 'off'}"
