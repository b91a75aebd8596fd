"""Bit sets: compiled code against the plain Python bodies, and these against Python's own integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from ludometer.core import bits

WORDS = st.integers(0, 2**64 - 1) | st.integers(0, 63).map(lambda place: 1 << place) | st.just(2**64 - 1)
NONZERO = WORDS.filter(bool)

# One compiled call per function; each is compiled once for every width.
union = njit(lambda a, b: bits.union(a, b))
both = njit(lambda a, b: bits.both(a, b))
without = njit(lambda a, b: bits.without(a, b))
is_empty = njit(lambda a: bits.is_empty(a))
count = njit(lambda a: bits.count(a))
has = njit(lambda a, index: bits.has(a, index))
with_bit = njit(lambda a, index: bits.with_bit(a, index))
shift_down = njit(lambda a, places: bits.shift_down(a, places))
nth = njit(lambda a, n: bits.nth(a, n))


@st.composite
def wide_sets(draw: Any, how_many: int) -> list[tuple[bits.Words, int]]:
    """Wide sets of one width from 1 to 4 words, each with the Python integer it stands for."""
    width = draw(st.integers(1, 4))
    sets = []
    for _ in range(how_many):
        words = draw(st.lists(WORDS | st.just(0), min_size=width, max_size=width))
        sets.append((tuple(np.uint64(word) for word in words), sum(word << (64 * place) for place, word in enumerate(words))))
    return sets


def number(words: Any) -> int:
    """A wide set that came out of compiled or plain code, as a Python integer."""
    return sum(int(word) << (64 * place) for place, word in enumerate(words))


@given(WORDS)
def test_popcount(word: int) -> None:
    assert bits.popcount(np.uint64(word)) == word.bit_count()


@given(NONZERO)
def test_lowest_bit(word: int) -> None:
    assert bits.lowest_bit(np.uint64(word)) == (word & -word).bit_length() - 1


@pytest.mark.parametrize("index", range(64))
def test_bit(index: int) -> None:
    assert int(bits.bit(index)) == 1 << index


@given(NONZERO, st.integers(0, 63))
def test_nth_bit(word: int, n: int) -> None:
    n %= word.bit_count()
    assert bits.nth_bit(np.uint64(word), n) == [place for place in range(64) if word >> place & 1][n]


@given(wide_sets(2))
def test_set_operations(sets: list[tuple[bits.Words, int]]) -> None:
    (a, as_integer), (b, other) = sets
    for ours, plainly, expected in (
        (union, bits.union, as_integer | other),
        (both, bits.both, as_integer & other),
        (without, bits.without, as_integer & ~other),
    ):
        assert number(ours(a, b)) == number(plainly(a, b)) == expected
        assert len(ours(a, b)) == len(plainly(a, b)) == len(a)


@pytest.mark.exhaustive
@given(wide_sets(1))
def test_questions_about_one_set(sets: list[tuple[bits.Words, int]]) -> None:
    ((a, as_integer),) = sets
    assert is_empty(a) == bits.is_empty(a) == (as_integer == 0)
    assert count(a) == bits.count(a) == as_integer.bit_count()
    assert bits.wide_to_integer(a) == as_integer and bits.wide_from_integer(as_integer, a) == a


@given(wide_sets(1), st.integers(0, 255))
def test_single_bits(sets: list[tuple[bits.Words, int]], index: int) -> None:
    ((a, as_integer),) = sets
    index %= 64 * len(a)
    assert has(a, index) == bits.has(a, index) == bool(as_integer >> index & 1)
    assert number(with_bit(a, index)) == number(bits.with_bit(a, index)) == as_integer | 1 << index


@given(wide_sets(1), st.integers(1, 63))
def test_shift_down(sets: list[tuple[bits.Words, int]], places: int) -> None:
    ((a, as_integer),) = sets
    expected = as_integer >> places
    assert number(shift_down(a, np.uint64(places))) == number(bits.shift_down(a, np.uint64(places))) == expected


@given(wide_sets(1).filter(lambda sets: sets[0][1] > 0), st.integers(0, 255))
def test_nth(sets: list[tuple[bits.Words, int]], n: int) -> None:
    ((a, as_integer),) = sets
    n %= as_integer.bit_count()
    expected = [place for place in range(64 * len(a)) if as_integer >> place & 1][n]
    assert nth(a, n) == bits.nth(a, n) == expected


@pytest.mark.parametrize(("room", "words"), [(0, 1), (1, 1), (64, 1), (65, 2), (128, 2), (129, 3), (240, 4)])
def test_empty_words(room: int, words: int) -> None:
    assert bits.empty_words(room) == (0,) * words
    assert all(isinstance(word, np.uint64) for word in bits.empty_words(room))


def test_nothing_turns_into_a_float() -> None:
    """uint64 beside a Python integer silently becomes float64 in compiled code: no result may be one."""
    top = (np.uint64(1 << 63), np.uint64(1 << 63))
    assert number(union(top, top)) == number(top) == (1 << 63) | (1 << 127)
    assert number(with_bit(top, 0)) == number(top) | 1
    assert isinstance(nth(top, 1), int) and nth(top, 1) == 127
    assert isinstance(bits.popcount(np.uint64(2**64 - 1)), int)
