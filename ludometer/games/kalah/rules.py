"""The rules of Kalah with m pits and a store for each player, n seeds in each pit.

             o's pits
          3   2   1            A player takes all seeds of one of his pits and sows them one by one into the next pits, his store and
    store 4   4   4            the opponent's pits; the opponent's store is left out, the pit they came from is not.
          4   4   4  store     The last seed in his own store: he moves again.
          1   2   3            The last seed in an own pit that was empty: that seed and those in the pit opposite go to his store.
             x's pits          As standard this needs seeds opposite; with `empty` the last seed goes to the store all the same.

When one side's pits are empty after a move, the seeds on the other side go to their owner's store and the game is over.  The player
with more seeds has won.  Move number: the pit, from 0, in the order in which the player sows.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numba import njit

from ludometer.core.bits import U0, U1
from ludometer.core.errors import SpecError, shorten
from ludometer.core.outcome import DRAW, LOSS, ONGOING, WIN
from ludometer.core.random import below

MOST_PITS, MOST_SEEDS = 8, 12
_SPEC = re.compile(r"([0-9]{1,2}),([0-9]{1,2})(,empty)?", re.ASCII | re.IGNORECASE)
_BYTE = np.uint64(255)
_8 = np.uint64(8)
_64 = np.uint64(64)


class KalahRules(NamedTuple):
    pits: int  # of each player
    seeds: int  # in each pit at the start
    empty: int  # 1: the last seed is captured with nothing opposite as well


class KalahState(NamedTuple):
    mover: np.uint64  # seeds in the mover's pits, a byte for each, in the order of sowing
    other: np.uint64  # seeds in the opponent's pits, in the order of his sowing
    mover_store: np.uint64
    other_store: np.uint64
    turn: np.uint64  # 0: the first player (x) is to move


def rules_from_text(text: str) -> KalahRules:
    """The parameters are pits and seeds, and `empty`; without them there are 6 pits of 4 seeds."""
    read = _SPEC.fullmatch(text.replace(" ", "") or "6,4")
    if read is None:
        raise SpecError(f"kalah:{shorten(text)}: write pits and seeds, such as kalah:6,4 or kalah:6,4,empty")
    pits, seeds = int(read[1]), int(read[2])
    if not (1 <= pits <= MOST_PITS and 1 <= seeds <= MOST_SEEDS):
        raise SpecError(f"kalah:{text}: there are from 1 to {MOST_PITS} pits of 1 to {MOST_SEEDS} seeds")
    return KalahRules(pits, seeds, int(read[3] is not None))


def rules_to_text(rules: KalahRules) -> str:
    return f"{rules.pits},{rules.seeds}" + (",empty" if rules.empty else "")


@njit
def seeds_in(pits, place):
    """The seeds in a pit."""
    return (pits >> (_8 * np.uint64(place))) & _BYTE


@njit
def one_in_each(first, last):
    """A seed in each of the pits first..last − 1."""
    pits = U0
    for place in range(first, last):
        pits |= U1 << (_8 * np.uint64(place))
    return pits


@njit
def sum_of(rules, pits):
    """The seeds in all pits of a side."""
    total = U0
    for place in range(rules.pits):
        total += seeds_in(pits, place)
    return total


@njit
def start(rules):
    pits = one_in_each(0, rules.pits) * np.uint64(rules.seeds)
    return KalahState(pits, pits, U0, U0, U0)


@njit
def move_bound(rules):
    return rules.pits


@njit
def turn(rules, state):
    return np.int64(state.turn)


@njit
def margin(rules, state):
    """Seeds in the mover's store minus those in the opponent's."""
    return np.int64(state.mover_store) - np.int64(state.other_store)


@njit
def outcome(rules, state):
    if state.mover != U0 and state.other != U0:
        return ONGOING
    lead = margin(rules, state)
    return WIN if lead > 0 else LOSS if lead < 0 else DRAW


@njit
def legal_moves(rules, state, buffer):
    if state.other == U0:
        return 0
    found = 0
    for place in range(rules.pits):
        if seeds_in(state.mover, place) != U0:
            buffer[found] = place
            found += 1
    return found


@njit
def count_moves(rules, state):
    total = np.int64(0)
    if state.other == U0:
        return total
    for place in range(rules.pits):
        total += seeds_in(state.mover, place) != U0
    return total


@njit
def random_move(rules, state, word, buffer):
    number = below(word, count_moves(rules, state))
    for place in range(rules.pits):
        if seeds_in(state.mover, place) != U0:
            if number == 0:
                return np.int64(place)
            number -= 1
    return np.int64(-1)


@njit
def play(rules, state, move):
    """Sowing goes round 2m + 1 places: the mover's pits 0..m − 1, his store m, the opponent's pits m + 1..2m."""
    pits = rules.pits
    around = 2 * pits + 1
    place = _8 * np.uint64(move)
    seeds = np.int64((state.mover >> place) & _BYTE)
    rounds = np.uint64(seeds // around)
    rest = seeds % around
    every = one_in_each(0, pits)
    mover = (state.mover & ~(_BYTE << place)) + every * rounds
    other = state.other + every * rounds
    store = state.mover_store + rounds
    end = move + rest  # the place of the last seed, if there is a rest; it is at most 3m
    mover += one_in_each(move + 1, min(end + 1, pits))
    if end >= pits and rest > 0:
        store += U1
    other += one_in_each(0, min(end - pits, pits))
    if end > around - 1:
        mover += one_in_each(0, end - around + 1)
    last = end % around
    again = last == pits
    if last < pits and seeds_in(mover, last) == U1:
        opposite = pits - 1 - last
        captured = seeds_in(other, opposite)
        if captured != U0 or rules.empty == 1:
            store += captured + U1
            mover &= ~(_BYTE << (_8 * np.uint64(last)))
            other &= ~(_BYTE << (_8 * np.uint64(opposite)))
    other_store = state.other_store
    if mover == U0 or other == U0:
        store += sum_of(rules, mover)
        other_store += sum_of(rules, other)
        mover, other = U0, U0
    if again:
        return KalahState(mover, other, store, other_store, state.turn)
    return KalahState(other, mover, other_store, store, state.turn ^ U1)


@njit
def pack(rules, state):
    """The seeds in the pits, for either player to move: those in the stores are won already."""
    return state.mover, state.other
