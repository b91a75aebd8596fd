"""Samples of solved games: every position as likely as it should be, by exact enumeration, and files that say what was drawn."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

import ludometer as lm
from ludometer.core.errors import LudometerError
from ludometer.core.position import Position
from ludometer.solvers.acyclic.sampling import reachable_states
from ludometer.solvers.acyclic.solution import ProvenSolution
from ludometer.solvers.solution import Solution
from tests.solvers.solving_tiles import solve_tiles

DRAWN = 60_000


def every_position(solution: Solution) -> list[Position]:
    """All positions that its table covers, listed plainly."""
    game = solution.game
    if game.spec.startswith("quixo"):
        return [game.position(f"{''.join(cells[:2])}/{''.join(cells[2:])} x") for cells in product(".XO", repeat=4)]
    found, waiting = {game.start()}, [game.start()]
    while waiting:
        for _, after in waiting.pop().children():
            if after not in found:
                found.add(after)
                waiting.append(after)
    return list(found)


def stratum_of(solution: Solution, position: Position, by: str) -> Any:
    if by == "uniform":
        return 0
    if by == "class":
        text = str(position).split()[0]
        return (text.count("X"), text.count("O"))
    value = solution.value(position)
    return value.outcome, value.distance


@pytest.mark.parametrize("by", ["uniform", "class", "distance"])
@pytest.mark.parametrize("spec", ["quixo:2", "mnk:2,3,2"])
def test_every_position_is_as_likely_as_said(spec: str, by: str, tmp_path: Path) -> None:
    """Against probabilities worked out by listing every position; a wrong weight moves some frequency by far more than chance."""
    solution = lm.solve(spec, tables=tmp_path)
    positions = every_position(solution)
    assert len(positions) == solution.summary()["states"]
    strata = Counter(stratum_of(solution, position, by) for position in positions)
    expected = {position: 1 / len(strata) / strata[stratum_of(solution, position, by)] for position in positions}
    assert sum(expected.values()) == pytest.approx(1)
    sample = solution.sample(DRAWN, by=by, seed=5)
    drawn = list(sample.states)
    assert len(drawn) == len(sample) == DRAWN and sample.probabilities is not None
    if spec.startswith("quixo"):  # who is to move is not part of what a table knows
        drawn = [position if position.player == 0 else solution.game.position(str(position)[:-1] + "x") for position in drawn]
    for position, probability in zip(drawn[:500], sample.probabilities[:500].tolist()):
        assert probability == pytest.approx(expected[position])
    seen = Counter(drawn)
    assert set(seen) <= set(expected)
    test = chisquare([seen[position] for position in positions], [DRAWN * expected[position] for position in positions])
    assert test.pvalue > 1e-4


def test_numbered_states_are_drawn_evenly() -> None:
    table = lm.solve("dots:1x2")
    size = table.entries
    numbers = Counter(str(position) for position in table.sample(30_000, seed=1).states)
    assert len(numbers) == size == 2**7 and chisquare(list(numbers.values())).pvalue > 1e-4
    by_moves = Counter(str(position).count("-") + str(position).count("|") for position in table.sample(30_000, by="class", seed=1).states)
    assert sorted(by_moves) == list(range(8)) and chisquare(list(by_moves.values())).pvalue > 1e-4
    left = table.sample(30_000, by="distance", seed=1)
    stored = Counter(table.stored_values(left.states).tolist())
    assert set(stored) == set(table.tables()["values"].tolist()) and chisquare(list(stored.values())).pvalue > 1e-4


@pytest.mark.parametrize("spec", ["quixo:3", "tictactoe", "dots:2x2"])
@pytest.mark.parametrize("by", ["uniform", "class", "distance", "play"])
def test_values_are_those_of_the_positions(spec: str, by: str) -> None:
    solution = lm.solve(spec)
    sample = solution.sample(50, by=by, seed=3)
    for place, position in enumerate(sample.states):
        assert sample.values.value(place) == solution.value(position)
    assert (sample.probabilities is None) == (by == "play")
    again, other = solution.sample(50, by=by, seed=3), solution.sample(50, by=by, seed=4)
    assert again.states == sample.states != other.states
    assert sum(sample.counts().values()) == 50
    assert len(solution.sample(0, by=by)) == 0


def test_packed_tables_give_the_same_sample(tmp_path: Path) -> None:
    game = lm.game("quixo:3")
    plain = solve_tiles(game)
    packed = solve_tiles(game, folder=tmp_path, pack=True)
    for by in ("uniform", "distance"):
        assert plain.sample(200, by=by, seed=1).states == packed.sample(200, by=by, seed=1).states


def test_every_reachable_state_is_listed_once_with_its_fewest_moves() -> None:
    game = lm.game("tictactoe")
    states, moves = reachable_states(game)
    assert len(states) == len(set(states.texts())) == 5478
    assert all(len(text.split()[0].replace("/", "").replace(".", "")) == made for text, made in zip(states.texts(), moves.tolist()))
    with pytest.raises(LudometerError, match="more than 100 positions"):
        reachable_states(game, 100)


def test_what_cannot_be_drawn() -> None:
    solution = lm.solve("tictactoe")
    with pytest.raises(LudometerError, match="uniform, class, distance, play, not 'chance'"):
        solution.sample(1, by="chance")
    with pytest.raises(LudometerError, match="0 positions or more"):
        solution.sample(-1)
    with pytest.raises(LudometerError, match="no table to draw positions from"):
        ProvenSolution(lm.game("tictactoe"), memory_mb=1).sample(1)
    with pytest.raises(LudometerError, match="no distances are kept"):
        solve_tiles(lm.game("quixo:2"), keep="values").sample(1, by="distance")


@pytest.mark.parametrize("spec", ["quixo:2", "dots:1x1"])
def test_files(spec: str, tmp_path: Path) -> None:
    sample = lm.solve(spec).sample(20, seed=2)
    sample.save(tmp_path / "some.npz", texts=True)
    with np.load(tmp_path / "some.npz") as arrays:
        assert np.array_equal(arrays["states"], sample.states.rows) and arrays["position"].tolist() == sample.texts()
        assert all(np.array_equal(arrays[name], array) for name, array in sample.columns().items())
        assert (str(arrays["game"]), str(arrays["by"]), str(arrays["seed"])) == (spec, "uniform", "2")
    sample.save(tmp_path / "plain.npz")
    with np.load(tmp_path / "plain.npz") as arrays:
        assert "position" not in arrays
    with pytest.raises(LudometerError, match=r"\.npz or \.parquet, not '.*some\.csv'"):
        sample.save(tmp_path / "some.csv")
    frame = sample.to_frame()
    assert list(frame["position"]) == sample.texts() and list(frame["outcome"]) == sample.values.outcomes.tolist()


def test_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    sample = lm.solve("quixo:2").sample(20, by="class", seed=2)
    sample.save(tmp_path / "some.parquet", texts=True)
    table = parquet.read_table(tmp_path / "some.parquet")
    columns = table.to_pydict()
    assert columns["position"] == sample.texts() and columns["leaf_0"] == sample.states.rows[:, 0].tolist()
    assert all(columns[name] == array.tolist() for name, array in sample.columns().items())
    assert table.schema.metadata == {b"game": b"quixo:2", b"by": b"class", b"seed": b"2"}


def test_parquet_needs_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(LudometerError, match="pip install pyarrow, or write a .npz file"):
        lm.solve("quixo:2").sample(1).save(tmp_path / "some.parquet")
    assert not list(tmp_path.iterdir())
