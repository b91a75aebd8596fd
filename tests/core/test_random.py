"""Random numbers: the same everywhere and for ever, in range, and even."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit
from scipy.stats import chisquare, kstest

from ludometer.core.random import _draw_plainly, below, draw, stream, substream, unit

WORDS = st.integers(0, 2**64 - 1)

# Frozen: a change here changes every experiment that was ever stored with its seed.
DRAWN = {
    (0, 0): 0x0,
    (0, 1): 0xE220A8397B1DCDAF,
    (1, 0): 0x3CC5F6B24C9D9E8,
    (1, 1): 0x17E253653EFCE2B0,
    (2**64 - 1, 2**64 - 1): 0xE304016CC6CCCE84,
    (0x123456789ABCDEF, 42): 0xCAF11EF9DD2BCBA,
}
STREAMS: dict[tuple[int | str, ...], int] = {
    (1,): 0xECA2010080BBAE3F,
    (-1,): 0x8000629230AD90C5,
    (2**64,): 0xAB666ED2BD311CC4,
    (1, 0): 0xA1A861BE6ED00478,
    (1, 2, 3): 0x73D4E6F4944E4B46,
    (1, 2**64): 0x0536B4CCAA284C7A,
    (1, "match"): 0xD553E15CC62D9CE1,
    (1, "a much longer word of many letters"): 0x0E0C5464AB2F0EB3,
}


@njit
def draw_many(key, words):
    for counter in range(len(words)):
        words[counter] = draw(key, np.uint64(counter))


@njit
def below_many(words, limit, numbers):
    for index in range(len(words)):
        numbers[index] = below(words[index], limit)


def words_of(key: np.uint64, count: int) -> np.ndarray:
    words = np.empty(count, np.uint64)
    draw_many(key, words)
    return words


@given(WORDS, WORDS)
def test_python_and_compiled_code_draw_the_same(key: int, counter: int) -> None:
    with np.errstate(over="ignore"):
        plainly = int(draw.py_func(np.uint64(key), np.uint64(counter)))
    assert int(draw(np.uint64(key), np.uint64(counter))) == plainly == _draw_plainly(key, counter)


@pytest.mark.parametrize("place", DRAWN)
def test_frozen_words(place: tuple[int, int]) -> None:
    assert int(draw(np.uint64(place[0]), np.uint64(place[1]))) == DRAWN[place]


@pytest.mark.parametrize("path", STREAMS)
def test_frozen_streams(path: tuple[int, ...]) -> None:
    assert int(stream(*path)) == STREAMS[path]
    assert isinstance(stream(*path), np.uint64)


@given(st.integers(-(2**70), 2**70), st.integers(0, 2**64 - 1))
def test_a_step_of_a_stream_is_a_substream(seed: int, step: int) -> None:
    assert int(stream(seed, step)) == int(substream(stream(seed), np.uint64(step)))


@pytest.mark.exhaustive
@given(st.lists(st.lists(st.integers(0, 2**130) | st.text(min_size=1, max_size=20), max_size=3).map(tuple), unique=True, min_size=2))
def test_different_paths_give_different_streams(paths: list[tuple[int | str, ...]]) -> None:
    numbers = {tuple(step if isinstance(step, int) else int.from_bytes(step.encode(), "little") for step in path) for path in paths}
    assert len({int(stream(1, *path)) for path in paths}) >= len(numbers)


@given(WORDS, st.integers(1, 2**32 - 1))
def test_below_is_in_range(word: int, limit: int) -> None:
    with np.errstate(over="ignore"):
        plainly = int(below.py_func(np.uint64(word), limit))
    assert 0 <= int(below(np.uint64(word), limit)) == plainly < limit


@given(WORDS)
def test_unit_is_in_range(word: int) -> None:
    assert 0.0 <= unit(np.uint64(word)) < 1.0


@pytest.mark.parametrize("limit", [2, 3, 7, 44, 225])
def test_below_is_even(limit: int) -> None:
    numbers = np.empty(200_000, np.int64)
    below_many(words_of(stream(3, "below"), len(numbers)), limit, numbers)
    assert chisquare(np.bincount(numbers, minlength=limit)).pvalue > 1e-4


@pytest.mark.parametrize("seed", [0, 1, 2, 2**63])
def test_words_are_even(seed: int) -> None:
    """Every bit is set half of the time, neighbours do not depend on each other, and the whole is uniform."""
    words = words_of(stream(seed), 100_000)
    ones = np.array([np.count_nonzero(words >> np.uint64(place) & np.uint64(1)) for place in range(64)])
    assert np.all(np.abs(ones - 50_000) < 5 * np.sqrt(25_000))
    changed = np.array([int(word).bit_count() for word in (words[1:] ^ words[:-1])[:20_000]])
    assert abs(changed.mean() - 32) < 5 * 4 / np.sqrt(len(changed))
    assert kstest(words.astype(np.float64) / 2**64, "uniform").pvalue > 1e-4


def test_neighbouring_streams_do_not_resemble_each_other() -> None:
    first_words = np.array([words_of(stream(1, number), 1)[0] for number in range(5_000)])
    assert len(set(first_words.tolist())) == len(first_words)
    assert kstest(first_words.astype(np.float64) / 2**64, "uniform").pvalue > 1e-4
    a, b = words_of(stream(1, 0), 5_000), words_of(stream(1, 1), 5_000)
    assert not set(a.tolist()) & set(b.tolist())
    different = np.array([int(word).bit_count() for word in a ^ b])
    assert abs(different.mean() - 32) < 5 * 4 / np.sqrt(len(different))
