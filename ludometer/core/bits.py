"""Bit sets: single 64-bit words, and wide sets that are tuples of such words, lowest word first.

A wide set of one word compiles to the same code as a plain word, so a game is written once for all board sizes.
Every function runs as plain Python too: those bodies are the slow twins the compiled ones are tested against.

Mixing uint64 with Python integers makes Numba fall back to int64 or float64; the typed constants below avoid that.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit
from numba.extending import overload

U0 = np.uint64(0)
U1 = np.uint64(1)
U63 = np.uint64(63)
U64 = np.uint64(64)

Words = tuple[np.uint64, ...]

_ALTERNATE = np.uint64(0x5555555555555555)
_PAIRS = np.uint64(0x3333333333333333)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_BYTES = np.uint64(0x0101010101010101)
_U2 = np.uint64(2)
_U4 = np.uint64(4)
_U8 = np.uint64(8)
_U16 = np.uint64(16)
_U32 = np.uint64(32)
_U56 = np.uint64(56)


@njit
def popcount(word):
    """Number of set bits of a 64-bit word; compiles to one machine instruction."""
    word = word - ((word >> U1) & _ALTERNATE)
    word = (word & _PAIRS) + ((word >> _U2) & _PAIRS)
    word = (word + (word >> _U4)) & _NIBBLES
    return np.int64((word * _BYTES) >> _U56)


@njit
def lowest_bit(word):
    """Index of the lowest set bit of a word that is not zero."""
    return popcount((word & (~word + U1)) - U1)


@njit
def bit(index):
    """The word with only this bit set."""
    return U1 << np.uint64(index)


@njit
def nth_bit(word, n):
    """Index of the n-th set bit, counted from zero; the word has more than n bits set."""
    ones = word - ((word >> U1) & _ALTERNATE)
    fours = (ones & _PAIRS) + ((ones >> _U2) & _PAIRS)
    eights = (fours + (fours >> _U4)) & _NIBBLES
    sums = eights * _BYTES  # byte i: bits set in bytes 0..i
    rank = np.uint64(n)
    place = U0
    half = (sums >> np.uint64(24)) & np.uint64(255)
    if rank >= half:
        place = _U32
    low = (sums >> (place + _U8)) & np.uint64(255)
    if rank >= low:
        place += _U16
    low = (sums >> place) & np.uint64(255)
    if rank >= low:
        place += _U8
    rank -= ((sums << _U8) >> place) & np.uint64(255)
    part = (fours >> place) & np.uint64(15)
    if rank >= part:
        rank -= part
        place += _U4
    part = (ones >> place) & np.uint64(3)
    if rank >= part:
        rank -= part
        place += _U2
    part = (word >> place) & U1
    if rank >= part:
        place += U1
    return np.int64(place)


def empty_words(bits: int) -> Words:
    """An empty wide set with room for `bits` bits."""
    return (np.uint64(0),) * max(1, -(-bits // 64))


def _as_integer(words: Words) -> int:
    return sum(int(word) << (64 * place) for place, word in enumerate(words))


def _as_words(number: int, count: int) -> Words:
    return tuple(np.uint64((number >> (64 * place)) & 0xFFFFFFFFFFFFFFFF) for place in range(count))


def wide_from_integer(number: int, like: Words) -> Words:
    """A Python integer as a wide set of the same width as `like`."""
    return _as_words(number, len(like))


def wide_to_integer(words: Words) -> int:
    """A wide set as a Python integer."""
    return _as_integer(words)


def union(a: Words, b: Words) -> Words:
    """Bits set in `a` or in `b`."""
    return tuple(np.uint64(x | y) for x, y in zip(a, b))


@overload(union)
def _union(a, b):
    if len(a) == 1:
        return lambda a, b: (a[0] | b[0],)
    return lambda a, b: (a[0] | b[0],) + union(a[1:], b[1:])


def both(a: Words, b: Words) -> Words:
    """Bits set in `a` and in `b`."""
    return tuple(np.uint64(x & y) for x, y in zip(a, b))


@overload(both)
def _both(a, b):
    if len(a) == 1:
        return lambda a, b: (a[0] & b[0],)
    return lambda a, b: (a[0] & b[0],) + both(a[1:], b[1:])


def without(a: Words, b: Words) -> Words:
    """Bits set in `a` and not in `b`."""
    return tuple(np.uint64(x & ~y) for x, y in zip(a, b))


@overload(without)
def _without(a, b):
    if len(a) == 1:
        return lambda a, b: (a[0] & ~b[0],)
    return lambda a, b: (a[0] & ~b[0],) + without(a[1:], b[1:])


def is_empty(a: Words) -> bool:
    """True when no bit is set."""
    return not any(a)


@overload(is_empty)
def _is_empty(a):
    if len(a) == 1:
        return lambda a: a[0] == U0
    return lambda a: a[0] == U0 and is_empty(a[1:])


def count(a: Words) -> int:
    """Number of set bits."""
    return _as_integer(a).bit_count()


@overload(count)
def _count(a):
    if len(a) == 1:
        return lambda a: popcount(a[0])
    return lambda a: popcount(a[0]) + count(a[1:])


def has(a: Words, index: int) -> bool:
    """Whether bit `index` is set."""
    return bool(_as_integer(a) >> int(index) & 1)


@overload(has)
def _has(a, index):
    if len(a) == 1:
        return lambda a, index: (a[0] >> (np.uint64(index) & U63)) & U1 != U0
    return lambda a, index: (a[index >> 6] >> (np.uint64(index) & U63)) & U1 != U0


def with_bit(a: Words, index: int) -> Words:
    """The set with bit `index` added."""
    return _as_words(_as_integer(a) | 1 << int(index), len(a))


@overload(with_bit)
def _with_bit(a, index):
    if len(a) == 1:
        return lambda a, index: (a[0] | (U1 << (np.uint64(index) & U63)),)

    def add(a, index):
        head = a[0]
        if 0 <= index < 64:
            head |= U1 << np.uint64(index)
        return (head,) + with_bit_or_none(a[1:], index - 64)

    return add


def with_bit_or_none(a: Words, index: int) -> Words:
    """Like `with_bit`, but an index outside the words changes nothing."""
    return with_bit(a, index) if 0 <= index < 64 * len(a) else a


@overload(with_bit_or_none)
def _with_bit_or_none(a, index):
    def add(a, index):
        head = a[0]
        if 0 <= index < 64:
            head |= U1 << np.uint64(index)
        return (head,)

    def add_further(a, index):
        head = a[0]
        if 0 <= index < 64:
            head |= U1 << np.uint64(index)
        return (head,) + with_bit_or_none(a[1:], index - 64)

    return add if len(a) == 1 else add_further


def shift_down(a: Words, places: np.uint64) -> Words:
    """Every bit moved to an index smaller by `places` (1 to 63)."""
    return _as_words(_as_integer(a) >> int(places), len(a))


@overload(shift_down)
def _shift_down(a, places):
    if len(a) == 1:
        return lambda a, places: (a[0] >> places,)
    return lambda a, places: ((a[0] >> places) | (a[1] << (U64 - places)),) + shift_down(a[1:], places)


def nth(a: Words, n: int) -> int:
    """Index of the n-th set bit, counted from zero; the set has more than n bits."""
    number = _as_integer(a)
    for _ in range(n):
        number &= number - 1
    return (number & -number).bit_length() - 1


@overload(nth)
def _nth(a, n):
    if len(a) == 1:
        return lambda a, n: nth_bit(a[0], n)

    def search(a, n):
        here = popcount(a[0])
        if n < here:
            return nth_bit(a[0], n)
        return 64 + nth(a[1:], n - here)

    return search
