"""Men's morris as text.  Position: `X../.O./... x 2`, the last number being the men in hand.  Moves: `A1`, `A1-D1`, `A1-D1xB4`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache

import numpy as np

from ludometer.core import boards
from ludometer.core.boards import MARGIN, Layout
from ludometer.core.drawing import Part
from ludometer.core.errors import unexpected
from ludometer.core.notation import impossible
from ludometer.games.morris.points import BOARDS
from ludometer.games.morris.rules import MorrisRules, MorrisState, is_decided, other_hand, step_of, taken_by

HAND = "men in hand"
_HAND = re.compile(r" ([0-9])", re.ASCII)


@cache
def layout_of(rules: MorrisRules) -> Layout:
    """Points at distance 1 from each other on the lattice."""
    board = BOARDS[rules.board]
    rows = Counter(row for row, _ in board.places)
    side = max(row for row, _ in board.places) + 1 + 2 * MARGIN
    middles = tuple((MARGIN + 0.5 + column, MARGIN + 0.5 + row) for row, column in board.places)
    return Layout(side, side, board.names, middles, tuple(rows[row] for row in sorted(rows)))


def cells_of(rules: MorrisRules, state: MorrisState) -> list[str]:
    """The points by number: `X`, `O` or `.`."""
    first, second = (state.other, state.mover) if state.turn else (state.mover, state.other)
    return boards.symbols(first, second, range(rules.points))


def format_position(rules: MorrisRules, state: MorrisState) -> str:
    return boards.format_board(layout_of(rules), cells_of(rules, state), int(state.turn), str(int(state.hand)))


def parse_position(rules: MorrisRules, text: str) -> MorrisState:
    """Any arrangement is taken in which both players have no more men than they began with and neither has won before."""
    layout = layout_of(rules)
    cells, player, at = boards.parse_board(layout, text)
    read = _HAND.match(text, at)
    if read is None:
        raise unexpected("position", text, min(at + 1, len(text)), f"a space and the men in hand, from 0 to {rules.men}")
    if read.end() < len(text):
        raise unexpected("position", text, read.end(), "the end")
    sides = boards.men(cells, range(rules.points))
    state = MorrisState(sides[player], sides[1 - player], np.uint64(int(read[1])), np.uint64(player))
    hands = (int(state.hand), int(other_hand(state)))
    for symbol, side, hand in zip("XO" if player == 0 else "OX", (player, 1 - player), hands):
        found = cells.count(symbol)
        if found + hand > rules.men or (rules.takes == 0 and found + hand < rules.men):
            wanted = f"at most {rules.men}" if rules.takes else str(rules.men)
            raise impossible(text, f"{boards.PLAYERS[side]} has {found} men on the board and {hand} in hand; together they are {wanted}")
    before = MorrisState(state.other, state.mover, other_hand(state), state.turn)
    if is_decided(rules, before):
        raise impossible(text, f"{boards.PLAYERS[player]} is to move but has won already; the game ended a move earlier")
    return state


def setup_parts(rules: MorrisRules, state: MorrisState) -> list[Part]:
    parts = boards.board_parts(layout_of(rules), cells_of(rules, state), int(state.turn))
    return [*parts, Part(HAND, str(int(state.hand)), tuple(str(number) for number in range(rules.men + 1)), on_board=False)]


def setup_text(rules: MorrisRules, values: Mapping[str, str]) -> str:
    return boards.board_from_parts(layout_of(rules), values, values.get(HAND, "0"))


def ends_of(rules: MorrisRules, move: int) -> tuple[int | None, int, int | None]:
    """(point a man comes from or None if it is placed, point it goes to, point of the man taken or None)."""
    step, taken = int(step_of(rules, move)), int(taken_by(rules, move))
    man = taken if taken >= 0 else None
    return (None, step, man) if step < rules.points else (*divmod(step - rules.points, rules.points), man)


def format_move(rules: MorrisRules, state: MorrisState, move: int) -> str:
    names = layout_of(rules).names
    source, target, taken = ends_of(rules, move)
    return ("" if source is None else f"{names[source]}-") + names[target] + ("" if taken is None else f"x{names[taken]}")
