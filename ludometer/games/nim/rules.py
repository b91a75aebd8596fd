"""The rules of Nim with up to 8 piles of up to 40 counters.

A player takes any number of counters, at least one, from one pile.  A player to move who finds no counters has lost.

The piles are the bytes of one word, pile A in the lowest.  Move number: largest pile at the start · pile + counters taken − 1.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs

from __future__ import annotations

import re
from itertools import permutations
from math import factorial
from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1
from ludometer.core.errors import SpecError, shorten
from ludometer.core.outcome import LOSS, ONGOING
from ludometer.core.random import below

MOST_PILES, LARGEST = 8, 40
MOST_PERMUTED = 4  # piles; with more the order of the piles is not seen as a symmetry
_SPEC = re.compile(r"[0-9]{1,2}(,[0-9]{1,2})*", re.ASCII)
_BYTE = np.uint64(255)
_8 = np.uint64(8)

# ORDERS[piles, symmetry, pile]: the place that a pile goes to
ORDERS = np.zeros((MOST_PERMUTED + 1, factorial(MOST_PERMUTED), MOST_PERMUTED), np.int64)
for _piles in range(1, MOST_PERMUTED + 1):
    for _number, _order in enumerate(permutations(range(_piles))):
        ORDERS[_piles, _number, :_piles] = _order


class NimRules(NamedTuple):
    piles: int
    largest: int  # counters in the largest pile at the start
    counters: np.uint64  # of all piles at the start, a byte for each


class NimState(NamedTuple):
    counters: np.uint64  # of all piles, a byte for each
    turn: np.uint64  # 0: the first player (x) is to move


def rules_from_text(text: str) -> NimRules:
    """The parameters are the sizes of the piles; without them they are 3, 4 and 5."""
    written = text.replace(" ", "") or "3,4,5"
    if _SPEC.fullmatch(written) is None:
        raise SpecError(f"nim:{shorten(text)}: write the sizes of the piles, such as nim:3,4,5")
    piles = [int(pile) for pile in written.split(",")]
    if len(piles) > MOST_PILES or not all(1 <= pile <= LARGEST for pile in piles):
        raise SpecError(f"nim:{text}: there are from 1 to {MOST_PILES} piles of 1 to {LARGEST} counters")
    return NimRules(len(piles), max(piles), counters_of(piles))


def rules_to_text(rules: NimRules) -> str:
    return ",".join(map(str, piles_of(rules.piles, rules.counters)))


def counters_of(piles: list[int]) -> np.uint64:
    """The word for these piles."""
    return np.uint64(sum(pile << 8 * place for place, pile in enumerate(piles)))


def piles_of(count: int, counters: np.uint64) -> list[int]:
    """The piles in a word: the inverse of `counters_of`."""
    return [int(counters) >> 8 * place & 255 for place in range(count)]


@njit
def pile_at(counters, place):
    """The number of counters in a pile."""
    return np.int64((counters >> (_8 * np.uint64(place))) & _BYTE)


@njit
def start(rules):
    return NimState(np.uint64(rules.counters), U0)


@njit
def move_bound(rules):
    return rules.piles * rules.largest


@njit
def turn(rules, state):
    return np.int64(state.turn)


@njit
def outcome(rules, state):
    return LOSS if state.counters == U0 else ONGOING


@njit
def legal_moves(rules, state, buffer):
    found = 0
    for place in range(rules.piles):
        for taken in range(pile_at(state.counters, place)):
            buffer[found] = rules.largest * place + taken
            found += 1
    return found


@njit
def count_moves(rules, state):
    total = np.int64(0)
    for place in range(rules.piles):
        total += pile_at(state.counters, place)
    return total


@njit
def random_move(rules, state, word, buffer):
    number = below(word, count_moves(rules, state))
    place = 0
    while number >= pile_at(state.counters, place):
        number -= pile_at(state.counters, place)
        place += 1
    return np.int64(rules.largest * place + number)


@njit
def play(rules, state, move):
    place = move // rules.largest
    taken = np.uint64(move - place * rules.largest + 1)
    return NimState(state.counters - (taken << (_8 * np.uint64(place))), state.turn ^ U1)


@njit
def symmetry_count(rules):
    count = 1
    for piles in range(2, rules.piles + 1 if rules.piles <= MOST_PERMUTED else 0):
        count *= piles
    return count


@njit
def transform(rules, state, symmetry):
    if symmetry == 0:
        return state
    image = U0
    for place in range(rules.piles):
        image |= np.uint64(pile_at(state.counters, place)) << (_8 * np.uint64(ORDERS[rules.piles, symmetry, place]))
    return NimState(image, state.turn)


@njit
def transform_move(rules, move, symmetry):
    if symmetry == 0:
        return np.int64(move)
    place = move // rules.largest
    return np.int64(rules.largest * ORDERS[rules.piles, symmetry, place] + move - place * rules.largest)


@njit
def pack(rules, state):
    """The piles, for either player to move."""
    return (state.counters,)
