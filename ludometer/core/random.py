"""Random numbers without state: a number is a function of a key and a counter.

The same key and counter give the same 64 bits in Python, in compiled code and on a GPU, whatever the order of work or
the number of workers.  A key is derived from the user's seed and the place where it is used:

    key = stream(seed, match, game)       # any number of integers
    word = draw(key, ply)                 # 64 random bits
    move = below(word, 44)                # 0..43

The mixing steps are those of SplitMix64 (Steele, Lea, Flood 2014); the key enters a second time in the middle, so that two
streams are not shifted copies of each other.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_U27 = np.uint64(27)
_U29 = np.uint64(29)
_U30 = np.uint64(30)
_U31 = np.uint64(31)
_U32 = np.uint64(32)
_U11 = np.uint64(11)
_MASK = 0xFFFFFFFFFFFFFFFF


@njit
def draw(key, counter):
    """64 random bits for this key and counter."""
    word = key + np.uint64(counter) * _GOLDEN
    word = (word ^ (word >> _U30)) * _FIRST
    word ^= (key << _U32) | (key >> _U32)
    word = (word ^ (word >> _U27)) * _SECOND
    return word ^ (word >> _U31)


@njit
def remix(word):
    """Another random word out of one, quickly: for a few more draws from the same place, not for a stream."""
    return (word ^ (word >> _U29)) * _GOLDEN


@njit
def below(word, limit):
    """A number from 0 to limit−1 out of the upper 32 bits of a random word (limit < 2³²)."""
    return np.int64(((word >> _U32) * np.uint64(limit)) >> _U32)


@njit
def unit(word):
    """A number in [0, 1) out of the upper 53 bits of a random word."""
    return np.float64(word >> _U11) * (1.0 / 9007199254740992.0)


@njit
def substream(key, number):
    """The key of stream `number` under this key."""
    return draw(key ^ _SECOND, np.uint64(number) + _U27)


@njit
def from_seed(seed):
    """`stream(seed)` of a seed from 0 to 2⁶⁴ − 1, given as uint64."""
    return draw(seed ^ _FIRST, np.uint64(0))


def stream(seed: int, *path: int | str) -> np.uint64:
    """The key for a seed and a path of integers or words below it; equal paths give equal keys, on every machine."""
    key = _draw_plainly((seed ^ int(_FIRST)) & _MASK, seed >> 64 & _MASK)  # so that seed 0 is not the key 0
    for step in path:
        number = step if isinstance(step, int) else int.from_bytes(step.encode(), "little")
        while True:
            key = _draw_plainly(key ^ int(_SECOND), ((number & _MASK) + 27) & _MASK)
            number >>= 64
            if number in (0, -1):
                break
    return np.uint64(key)


def _draw_plainly(key: int, counter: int) -> int:
    word = (key + counter * int(_GOLDEN)) & _MASK
    word = ((word ^ word >> 30) * int(_FIRST)) & _MASK
    word ^= (key << 32 | key >> 32) & _MASK
    word = ((word ^ word >> 27) * int(_SECOND)) & _MASK
    return word ^ word >> 31
