"""Perfect play that sets traps: it keeps the value, and chooses the move after which the yardstick loses most, by a slow twin."""

from __future__ import annotations

import pytest

import ludometer as lm
from ludometer.agents import agent
from ludometer.core.errors import LudometerError
from ludometer.core.random import stream


@pytest.mark.parametrize("spec", ["quixo:3", "tictactoe", "dots:1x2"])
def test_traps_keep_the_value(spec: str) -> None:
    game, position = lm.game(spec), lm.game(spec).start()
    solution, trapper = lm.solve(game), agent("optimal:trap,victim=8", game)
    ply = 0
    while not position.is_over and ply < 30:
        probe = solution.probe(position)
        decision = trapper.choose(position, stream(3, ply))
        assert decision.move in probe.keeping
        assert decision.report["choices"] == len(probe.keeping)
        position = position.play(decision.move)
        ply += 1


def test_a_trap_is_the_move_after_which_the_yardstick_loses_most() -> None:
    """A drawn position of tic-tac-toe in which some drawing moves leave one saving reply and others leave many."""
    game = lm.game("tictactoe")
    solution, victim = lm.solve(game), agent("uct:1", game)
    position = game.start()
    trapper = agent("optimal:trap,victim=1", game)
    lost: dict[int, float] = {}
    for move in solution.probe(position).keeping:
        after = position.play(move)
        best = solution.probe(after).value.outcome
        worth = [-solution.probe(after.play(victim.choose(after, stream(9, move, k)).move)).value.outcome for k in range(200)]
        lost[move] = sum(best - one for one in worth) / len(worth)
    chosen = [trapper.choose(position, stream(5, k)).move for k in range(60)]
    mean = sum(lost[move] for move in chosen) / len(chosen)
    assert mean > sum(lost.values()) / len(lost)  # better than a uniformly random drawing move
    assert all(agent("optimal:trap,victim=1", game).choose(position, stream(5, k)).move == chosen[k] for k in range(5))


def test_options_that_do_not_go_together() -> None:
    for spec, words in (
        ("optimal:trap,steps", "leave out steps"),
        ("optimal:trap,blunder=0.1", "blunder"),
        ("optimal:victim=9", "add trap"),
    ):
        with pytest.raises(LudometerError, match=words):
            agent(spec, "tictactoe")
