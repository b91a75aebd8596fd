"""Nim as a picture: columns of counters.  Pointing at a counter takes it and those above it."""

from __future__ import annotations

from ludometer.core.boards import PLAYERS
from ludometer.core.drawing import Drawing, Shape, Spot, TextBoard
from ludometer.games.nim.notation import pile_name, taken_by
from ludometer.games.nim.rules import NimRules, NimState, piles_of

_MARGIN = 0.5
_FLAT = 0.62  # height of a counter that lies in its pile
_COUNTER = (-0.42, -0.26, 0.84, 0.52)


def draw(rules: NimRules, state: NimState, last: int | None) -> Drawing:
    piles = piles_of(rules.piles, state.counters)
    picture = Drawing(1.2 * rules.piles + 2 * _MARGIN, _FLAT * rules.largest + 2 * _MARGIN + 0.7)
    bottom = picture.height - _MARGIN - 0.4
    picture.add("rect", _MARGIN - 0.1, bottom, picture.width - 2 * _MARGIN + 0.2, 0.14, role="frame")
    place_taken, taken = taken_by(rules, last) if last is not None else (-1, 0)
    for place, pile in enumerate(piles):
        x = _MARGIN + 1.2 * place + 0.6
        picture.add("text", x, bottom + 0.45, 0.34, role="label", text=f"{pile_name(place)}: {pile}")
        for number in range(pile + (taken if place == place_taken else 0)):
            y = bottom - _FLAT * (number + 0.5) - 0.02
            left, top, width, height = _COUNTER
            if number >= pile:
                picture.add("rect", x + left, y + top, width, height, role="last")
                continue
            name = f"{pile_name(place)}{number + 1}"
            picture.add("rect", x + left, y + top, width, height, role="hole")
            picture.add("line", x - 0.2, y, x + 0.2, y, role="grid")
            picture.add_area(name, x, y, 1.0, _FLAT, f"counter {number + 1} of {pile}")
            move = rules.largest * place + pile - number - 1
            picture.spots[move] = Spot(x, y, 0.5)
            picture.picks[move] = (name,)
    return picture


def setup_pictures(rules: NimRules) -> dict[str, Shape]:
    return {}


def text_board(rules: NimRules, state: NimState, last: int | None) -> TextBoard:
    lines: TextBoard = []
    for place, pile in enumerate(piles_of(rules.piles, state.counters)):
        lines.append([(f" {pile_name(place)} ", "label"), ("o " * pile, "grid"), (f"({pile})", "label")])
    return [*lines, [(f" {PLAYERS[int(state.turn)]} to move", "label")]]
