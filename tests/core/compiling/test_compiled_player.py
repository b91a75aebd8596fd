"""What compiled players are made of: dispatch by the class of an argument, lent arrays, the clock, seeds and states as rows of numbers."""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
import pytest

from ludometer.arena.play.games_kernels import GAME_WORD
from ludometer.core.compiling import code_stamp
from ludometer.core.compiling.borrowing import lend
from ludometer.core.compiling.clock import HAS_CLOCK, nanoseconds
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.compiled_player import ask
from ludometer.core.compiling.dispatch import family
from ludometer.core.compiling.leaves import leaves_of, state_of_leaves
from ludometer.core.random import from_seed, stream, substream
from ludometer.games import game
from ludometer.games import kinds as game_kinds


class Doubling(NamedTuple):
    numbers: np.ndarray


class Adding(NamedTuple):
    numbers: np.ndarray
    amount: int


class Idle(NamedTuple):
    nothing: int = 0


def _same(number, worker):
    return number


@family(by="worker", fallback=_same)
def work(number, worker):
    """What a worker makes of a number.  Fallback: nothing."""


@work.for_class(Doubling)
def _double(number, worker):
    return 2 * number


@work.for_class(Adding)
def _add(number, worker):
    return number + worker.amount


@kernel
def work_compiled(number, worker):
    return work(number, worker)


def test_the_class_of_an_argument_decides() -> None:
    """Whichever argument that is, in compiled code and in plain Python alike; others use the fallback."""
    workers = (Doubling(np.zeros(1)), Adding(np.zeros(1), 5), Idle())
    assert [work(3, worker) for worker in workers] == [work_compiled(3, worker) for worker in workers] == [6, 8, 3]


def test_bodies_have_the_parameters_of_the_function() -> None:
    with pytest.raises(TypeError, match=r"work takes \(number, worker\), not \(worker, number\)"):
        work.for_class(Idle)(lambda worker, number: 0)

    @family(by="worker")
    def rest(worker):
        """Without a fallback."""

    with pytest.raises(TypeError, match="rest is not defined for Idle"):
        rest(Idle())


@kernel
def count_up(worker):
    lent = lend(worker)
    lent.numbers[0] += lent.amount
    return lent.numbers[0]


def test_lent_arrays_are_the_same_arrays() -> None:
    worker = Adding(np.zeros(3), 2)
    assert [count_up(worker) for _ in range(3)] == [2.0, 4.0, 6.0] and worker.numbers.tolist() == [6.0, 0.0, 0.0]
    assert lend(worker) is worker


@kernel
def read_clock():
    return nanoseconds()


@pytest.mark.skipif(not HAS_CLOCK, reason="compiled code has no clock here")
def test_compiled_code_reads_the_clock_of_python() -> None:
    for _ in range(3):
        before = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        found = read_clock()
        assert before <= found <= time.clock_gettime_ns(time.CLOCK_MONOTONIC)


@pytest.mark.parametrize("seed", [0, 1, 2**53 - 1, 2**63, 2**64 - 1])
def test_streams_of_seeds_in_compiled_code(seed: int) -> None:
    assert from_seed(np.uint64(seed)) == stream(seed)
    key = np.uint64(substream(np.uint64(from_seed(np.uint64(seed))), GAME_WORD))
    assert [substream(key, np.uint64(ply)) for ply in range(3)] == [stream(seed, "game", ply) for ply in range(3)]


@kernel
def there_and_back(state, row):
    leaves = leaves_of(state)
    for place in range(len(leaves)):
        row[place] = leaves[place]
    return state_of_leaves(state, row, 0), len(leaves)


@pytest.mark.parametrize("spec", [kind.listed[0] for kind in game_kinds().values()])
def test_states_are_rows_of_numbers_and_back(spec: str) -> None:
    position = game(spec).start()
    position = position.play(position.legal[-1])
    row = np.zeros(64, np.uint64)
    back, count = there_and_back(position.state, row)
    assert back == position.state == state_of_leaves(position.state, row, 0)
    assert row[:count].tolist() == [int(leaf) for leaf in leaves_of(position.state)]


def test_bodies_selected_by_the_player_decide_which_compiled_code_is_used() -> None:
    """Depth-first search stands in a module that neither the kernel nor the module of the player's class imports."""
    from ludometer.agents import search_kernels
    from ludometer.agents.search_player_kernels import CompiledSearch

    rules = type(game("tictactoe").rules)
    names = code_stamp.reached(ask, classes=(rules, CompiledSearch))
    assert any(name.startswith(f"function {search_kernels.__name__}.") for name in names)
    assert "function ludometer.games.mnk.rules.play" in names
    assert not any("quixo" in name for name in names)
