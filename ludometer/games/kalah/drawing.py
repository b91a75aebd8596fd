"""Kalah as a picture: two rows of pits between the stores, x's below; seeds lie in the pits, with their number beside them."""

from __future__ import annotations

import math

from ludometer.core.boards import PLAYERS
from ludometer.core.drawing import Drawing, Shape, Spot, TextBoard
from ludometer.games.kalah.notation import pit_name, sides_of, store_name
from ludometer.games.kalah.rules import KalahRules, KalahState

_MARGIN = 0.3
_STORE = 1.3  # width
_PIT = 1.2  # distance of pits
_RADIUS = 0.5
_SEED = 0.075  # radius
_SHOWN = 24  # seeds drawn in a place at most; the number says how many there are
_ROLES = ("first", "second")


def draw(rules: KalahRules, state: KalahState, last: int | None) -> Drawing:
    width = 2 * (_MARGIN + _STORE) + _PIT * rules.pits
    picture = Drawing(width, 2 * _MARGIN + 3.2)
    picture.add("rect", _MARGIN / 2, _MARGIN / 2, width - _MARGIN, picture.height - _MARGIN, role="board")
    for side, (pits, store) in enumerate(sides_of(rules, state)):
        sign = 1 if side == 0 else -1
        centre = picture.height / 2
        x = width - _MARGIN - _STORE / 2 if side == 0 else _MARGIN + _STORE / 2
        picture.add("rect", x - 0.5, centre - 1.2, 1.0, 2.4, role="hole")
        _add_seeds(picture, x, centre, store)
        picture.add("text", x, centre + sign, 0.32, role=_ROLES[side], text=str(store))
        picture.add_area(store_name(PLAYERS[side]), x, centre, 1.0, 2.4, f"{store} seeds")
        for place, seeds in enumerate(pits):
            _add_pit(picture, rules, state, side, place, seeds)
    return picture


def middle_of(rules: KalahRules, side: int, place: int) -> tuple[float, float]:
    """The middle of a pit: x sows to the right in the lower row, o to the left in the upper one."""
    column = place if side == 0 else rules.pits - 1 - place
    return _MARGIN + _STORE + _PIT * (column + 0.5), _MARGIN + (2.4 if side == 0 else 0.8)


def _add_pit(picture: Drawing, rules: KalahRules, state: KalahState, side: int, place: int, seeds: int) -> None:
    x, y = middle_of(rules, side, place)
    outward = 1 if side == 0 else -1
    picture.add("disc", x, y, _RADIUS + 0.04, role="cell")
    picture.add("disc", x, y, _RADIUS, role="hole")
    _add_seeds(picture, x, y, seeds)
    picture.add("text", x, y + 0.7 * outward, 0.28, role=_ROLES[side], text=str(seeds))
    picture.add("text", x - 0.42, y + 0.7 * outward, 0.18, role="label", text=str(place + 1))
    name = pit_name(PLAYERS[side], place)
    picture.add_area(name, x, y, 1.1, 1.1, f"{seeds} seeds")
    if side == int(state.turn) and seeds and state.other:
        picture.spots[place] = Spot(x, y, 0.6)
        picture.picks[place] = (name,)


def _add_seeds(picture: Drawing, x: float, y: float, seeds: int) -> None:
    """Seeds in a spiral around the middle."""
    for number in range(min(seeds, _SHOWN)):
        distance, angle = 0.088 * math.sqrt(number + 0.3), 2.399963 * number
        picture.add("dot", x + distance * math.cos(angle), y + distance * math.sin(angle), _SEED, role="frame")


def setup_pictures(rules: KalahRules) -> dict[str, Shape]:
    return {}


def text_board(rules: KalahRules, state: KalahState, last: int | None) -> TextBoard:
    (first, first_store), (second, second_store) = sides_of(rules, state)
    numbers = " ".join(f"{place + 1:>3}" for place in range(rules.pits))
    return [
        [("     " + " ".join(f"{place + 1:>3}" for place in reversed(range(rules.pits))), "label")],
        [("     " + " ".join(f"{seeds:>3}" for seeds in reversed(second)), "second")],
        [(f"{second_store:>4}", "second"), (" " * (4 * rules.pits + 1), "grid"), (f"{first_store:>4}", "first")],
        [("     " + " ".join(f"{seeds:>3}" for seeds in first), "first")],
        [("     " + numbers, "label")],
    ]
