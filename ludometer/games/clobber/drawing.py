"""Clobber as a picture: a board of tiles and the men on it."""

from __future__ import annotations

from ludometer.core import boards
from ludometer.core.boards import STONES
from ludometer.core.drawing import Drawing, Shape, TextBoard
from ludometer.games.clobber.notation import cells_of, layout_of
from ludometer.games.clobber.rules import ClobberRules, ClobberState, target_of


def _latest(rules: ClobberRules, last: int | None) -> tuple[int, ...]:
    """Both cells of the latest move."""
    return () if last is None else (last // 4, int(target_of(rules, last)))


def draw(rules: ClobberRules, state: ClobberState, last: int | None) -> Drawing:
    layout = layout_of(rules)
    picture = boards.tiled_board(rules.rows, rules.columns, _latest(rules, last))
    boards.add_men(picture, layout, cells_of(rules, state))
    for move in boards.legal_list(rules, state):
        boards.offer_step(picture, layout, move, move // 4, int(target_of(rules, move)))
    picture.mark = STONES["XO"[int(state.turn)]]
    return picture


def setup_pictures(rules: ClobberRules) -> dict[str, Shape]:
    return STONES


def text_board(rules: ClobberRules, state: ClobberState, last: int | None) -> TextBoard:
    return boards.grid_text(rules.rows, rules.columns, cells_of(rules, state), _latest(rules, last))
