"""Teeko as text.  Position: `...../..X../.XO../..O../..... x`.  Moves: `C3`, `C3-D4`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ludometer.core import boards
from ludometer.core.boards import Layout
from ludometer.core.drawing import Part
from ludometer.core.notation import impossible
from ludometer.games.teeko.rules import MEN, POINTS, SIZE, TeekoRules, TeekoState, has_won, target_of


def layout_of(rules: TeekoRules) -> Layout:
    return boards.grid(SIZE, SIZE)


def cells_of(rules: TeekoRules, state: TeekoState) -> list[str]:
    """The points row by row from the top: `X`, `O` or `.`."""
    first, second = (state.other, state.mover) if state.turn else (state.mover, state.other)
    return boards.symbols(first, second, range(POINTS))


def format_position(rules: TeekoRules, state: TeekoState) -> str:
    return boards.format_board(layout_of(rules), cells_of(rules, state), int(state.turn))


def parse_position(rules: TeekoRules, text: str) -> TeekoState:
    """Any arrangement with numbers of men that occur in a game, unless the player to move has won already."""
    layout = layout_of(rules)
    cells, player = boards.parse_whole_board(layout, text)
    boards.at_most(text, layout, cells, MEN)
    first, second = cells.count("X"), cells.count("O")
    if first - second != player and (first, second) != (MEN, MEN):
        raise impossible(text, f"x has {first} men and o has {second}; men are placed in turn, x first, until both have {MEN}")
    sides = boards.men(cells, range(POINTS))
    if has_won(rules, sides[player]):
        raise impossible(text, f"{boards.PLAYERS[player]} is to move but has won already; the game ended a move earlier")
    return TeekoState(sides[player], sides[1 - player], np.uint64(player))


def setup_parts(rules: TeekoRules, state: TeekoState) -> list[Part]:
    return boards.board_parts(layout_of(rules), cells_of(rules, state), int(state.turn))


def setup_text(rules: TeekoRules, values: Mapping[str, str]) -> str:
    return boards.board_from_parts(layout_of(rules), values)


def ends_of(move: int) -> tuple[int | None, int]:
    """(point a man comes from or None if it is placed, point it goes to)."""
    if move < POINTS:
        return None, move
    source, direction = divmod(move - POINTS, 8)
    return source, int(target_of(source, direction))


def format_move(rules: TeekoRules, state: TeekoState, move: int) -> str:
    names = layout_of(rules).names
    source, target = ends_of(move)
    return names[target] if source is None else f"{names[source]}-{names[target]}"
