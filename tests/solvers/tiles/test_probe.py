"""Probing tile games: the quick way answers what the plain one does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ludometer as lm
from ludometer.core.position import Position
from ludometer.solvers.solution import OutsideTable, Solution
from ludometer.solvers.tiles.solution import open_solution
from tests.solvers.solving_tiles import solve_tiles


def positions_of(spec: str, number: int) -> list[Position]:
    """Positions of random games, finished ones too."""
    game = lm.game(spec)
    generator = np.random.default_rng(1)
    found = [game.start()]
    while len(found) < number:
        last = found[-1]
        found.append(game.start() if last.is_over else last.play(int(generator.choice(last.legal))))
    return found


@pytest.mark.exhaustive
@pytest.mark.parametrize("keep", ["distances", "values"])
@pytest.mark.parametrize("spec", ["quixo:2", "quixo:3", "quixo:4"])
def test_it_answers_what_the_plain_way_does(spec: str, keep: str, tmp_path: Path) -> None:
    solution = solve_tiles(lm.game(spec), keep=keep, folder=tmp_path)
    for position in positions_of(spec, 150):
        quick, plain = solution.probe(position), Solution.probe(solution, position)
        assert (quick.value, quick.moves, quick.keeping) == (plain.value, plain.moves, plain.keeping)
        if keep == "distances":
            assert quick.best == plain.best
        elif any(value.outcome == 1 and value.distance == 1 for _, value in quick.moves):  # what wins at once is best
            assert {dict(quick.moves)[move].distance for move in quick.best} == {1}
    assert open_solution(tmp_path).probe(lm.game(spec).start()) == solution.probe(lm.game(spec).start())


def test_positions_outside(tmp_path: Path) -> None:
    solution = solve_tiles(lm.game("quixo:2"))
    with pytest.raises(OutsideTable, match="not of quixo:3"):
        solution.probe(lm.game("quixo:3").start())
