"""Breakthrough as a picture: a board of tiles and the men on it."""

from __future__ import annotations

from ludometer.core import boards
from ludometer.core.boards import STONES
from ludometer.core.drawing import Drawing, Shape, TextBoard
from ludometer.games.breakthrough.notation import cells_of, layout_of
from ludometer.games.breakthrough.rules import BreakthroughRules, BreakthroughState, target_of


def _latest(rules: BreakthroughRules, state: BreakthroughState, last: int | None) -> tuple[int, ...]:
    """Both cells of the latest move."""
    return () if last is None else (last // 3, int(target_of(rules, 1 - int(state.turn), last)))


def draw(rules: BreakthroughRules, state: BreakthroughState, last: int | None) -> Drawing:
    layout = layout_of(rules)
    picture = boards.tiled_board(rules.rows, rules.columns, _latest(rules, state, last))
    boards.add_men(picture, layout, cells_of(rules, state))
    for move in boards.legal_list(rules, state):
        boards.offer_step(picture, layout, move, move // 3, int(target_of(rules, int(state.turn), move)))
    picture.mark = STONES["XO"[int(state.turn)]]
    return picture


def setup_pictures(rules: BreakthroughRules) -> dict[str, Shape]:
    return STONES


def text_board(rules: BreakthroughRules, state: BreakthroughState, last: int | None) -> TextBoard:
    return boards.grid_text(rules.rows, rules.columns, cells_of(rules, state), _latest(rules, state, last))
