"""Nim as text.  Position: `3,0,2 x`.  Move: the pile and the counters taken, `A-2`."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from ludometer.core.boards import PLAYERS
from ludometer.core.drawing import Part
from ludometer.core.errors import unexpected
from ludometer.core.notation import TURN, impossible, parse_end, parse_side, square_name
from ludometer.games.nim.rules import NimRules, NimState, counters_of, piles_of

_NUMBER = re.compile(r"[0-9]{1,2}", re.ASCII)


def pile_name(place: int) -> str:
    return square_name(0, place)[0]


def format_position(rules: NimRules, state: NimState) -> str:
    return f"{','.join(map(str, piles_of(rules.piles, state.counters)))} {PLAYERS[int(state.turn)]}"


def parse_position(rules: NimRules, text: str) -> NimState:
    """Piles of any sizes up to the largest one of the start."""
    piles: list[int] = []
    at = 0
    for place in range(rules.piles):
        if place and text[at : at + 1] != ",":
            raise unexpected("position", text, at, f"a comma and the counters of pile {pile_name(place)}")
        at += place > 0
        read = _NUMBER.match(text, at)
        if read is None:
            raise unexpected("position", text, at, f"the counters of pile {pile_name(place)}, from 0 to {rules.largest}")
        piles.append(int(read[0]))
        at = read.end()
    player, at = parse_side(text, at, PLAYERS)
    parse_end(text, at)
    if max(piles) > rules.largest:
        raise impossible(text, f"a pile has at most {rules.largest} counters in this game, not {max(piles)}")
    return NimState(counters_of(piles), np.uint64(player))


def setup_parts(rules: NimRules, state: NimState) -> list[Part]:
    sizes = tuple(str(size) for size in range(rules.largest + 1))
    piles = [Part(f"pile {pile_name(p)}", str(pile), sizes, on_board=False) for p, pile in enumerate(piles_of(rules.piles, state.counters))]
    return [*piles, Part(TURN, PLAYERS[int(state.turn)], PLAYERS, on_board=False)]


def setup_text(rules: NimRules, values: Mapping[str, str]) -> str:
    piles = ",".join(values.get(f"pile {pile_name(place)}", "0") for place in range(rules.piles))
    return f"{piles} {values.get(TURN, '')}"


def taken_by(rules: NimRules, move: int) -> tuple[int, int]:
    """(the pile, the number of counters taken) of a move."""
    place, taken = divmod(move, rules.largest)
    return place, taken + 1


def format_move(rules: NimRules, state: NimState, move: int) -> str:
    place, taken = taken_by(rules, move)
    return f"{pile_name(place)}-{taken}"
