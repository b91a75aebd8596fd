"""Kalah as text.  Position: `3 0 4 +1 / 3 3 3 +1 x`: x's pits and store, then o's, each in the order of sowing.  Move: the pit, `2`."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from ludometer.core.boards import PLAYERS
from ludometer.core.drawing import Part
from ludometer.core.errors import unexpected
from ludometer.core.notation import TURN, impossible, parse_end, parse_side
from ludometer.games.kalah.rules import KalahRules, KalahState

_NUMBER = re.compile(r"[0-9]{1,3}", re.ASCII)
Side = tuple[list[int], int]  # seeds in the pits, seeds in the store


def sides_of(rules: KalahRules, state: KalahState) -> tuple[Side, Side]:
    """(the first player's side, the second player's)."""
    sides = [
        ([int(pits) >> 8 * place & 255 for place in range(rules.pits)], int(store))
        for pits, store in ((state.mover, state.mover_store), (state.other, state.other_store))
    ]
    return (sides[1], sides[0]) if state.turn else (sides[0], sides[1])


def format_position(rules: KalahRules, state: KalahState) -> str:
    first, second = (" ".join(map(str, pits)) + f" +{store}" for pits, store in sides_of(rules, state))
    return f"{first} / {second} {PLAYERS[int(state.turn)]}"


def parse_position(rules: KalahRules, text: str) -> KalahState:
    """Any division of all the seeds; no pits at all are empty on one side only."""
    numbers: list[int] = []
    at = 0
    for side, player in enumerate(PLAYERS):
        if side:
            if text[at : at + 3] != " / ":
                raise unexpected("position", text, at, "' / ' between the sides")
            at += 3
        for place in range(rules.pits + 1):
            what = f"the store of {player}" if place == rules.pits else f"pit {place + 1} of {player}"
            before = "" if place == 0 else " +" if place == rules.pits else " "
            if text[at : at + len(before)] != before:
                raise unexpected("position", text, at, f"{before!r} and the seeds in {what}")
            at += len(before)
            read = _NUMBER.match(text, at)
            if read is None:
                raise unexpected("position", text, at, f"the seeds in {what}")
            numbers.append(int(read[0]))
            at = read.end()
    player_to_move, at = parse_side(text, at, PLAYERS)
    parse_end(text, at)
    total = 2 * rules.pits * rules.seeds
    if sum(numbers) != total:
        raise impossible(text, f"there are {sum(numbers)} seeds, and this game has {total}")
    width = rules.pits + 1
    sides = [(numbers[side * width : side * width + rules.pits], numbers[side * width + rules.pits]) for side in (0, 1)]
    if any(sides[0][0]) != any(sides[1][0]):
        raise impossible(text, "one side has no seeds in its pits: the game is over, and the others' seeds belong in their store")
    words = [np.uint64(sum(seeds << 8 * place for place, seeds in enumerate(pits))) for pits, _ in sides]
    mover, other = player_to_move, 1 - player_to_move
    return KalahState(words[mover], words[other], np.uint64(sides[mover][1]), np.uint64(sides[other][1]), np.uint64(player_to_move))


def setup_parts(rules: KalahRules, state: KalahState) -> list[Part]:
    counts = tuple(str(seeds) for seeds in range(2 * rules.pits * rules.seeds + 1))
    parts = []
    for player, (pits, store) in zip(PLAYERS, sides_of(rules, state)):
        parts += [Part(seeds_in(pit_name(player, place)), str(seeds), counts, on_board=False) for place, seeds in enumerate(pits)]
        parts.append(Part(seeds_in(store_name(player)), str(store), counts, on_board=False))
    return [*parts, Part(TURN, PLAYERS[int(state.turn)], PLAYERS, on_board=False)]


def pit_name(player: str, place: int) -> str:
    return f"{player}'s pit {place + 1}"


def seeds_in(place: str) -> str:
    """What people set for a place; numbers are chosen beside the board."""
    return f"seeds in {place}"


def store_name(player: str) -> str:
    return f"{player}'s store"


def setup_text(rules: KalahRules, values: Mapping[str, str]) -> str:
    sides = []
    for player in PLAYERS:
        pits = " ".join(values.get(seeds_in(pit_name(player, place)), "0") for place in range(rules.pits))
        sides.append(f"{pits} +{values.get(seeds_in(store_name(player)), '0')}")
    return f"{sides[0]} / {sides[1]} {values.get(TURN, '')}"


def format_move(rules: KalahRules, state: KalahState, move: int) -> str:
    return str(move + 1)
