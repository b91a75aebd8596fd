"""Answers in words and colours: what is better comes first and is drawn stronger."""

from __future__ import annotations

import pytest

from ludometer.core.outcome import DRAW, LOSS, WIN
from ludometer.games import game
from ludometer.solvers.solution import Probe, Value
from ludometer.view.results.solutions import move_colours, move_labels, probe_text


def probe_of_margins(*margins: int) -> Probe:
    """The moves 0, 1, … of a position, with these points for the player to move."""
    moves = tuple((move, Value((margin > 0) - (margin < 0), margin=margin)) for move, margin in enumerate(margins))
    best = tuple(move for move, margin in enumerate(margins) if margin == max(margins))
    return Probe(moves[best[0]][1], moves, best, best)


@pytest.mark.parametrize(
    ("margins", "colours"),
    [
        ((-3, -6, -3), (-0.5, -1.0, -0.5)),
        ((2, -4, 0), (0.5, -1.0, 0.0)),
        ((4, 1), (1.0, 0.25)),
        ((0, 0), (0.0, 0.0)),
    ],
)
def test_points_are_coloured_beside_the_largest(margins: tuple[int, ...], colours: tuple[float, ...]) -> None:
    """The largest gain or loss has the full colour, also where every move loses points."""
    found = probe_of_margins(*margins)
    assert tuple(move_colours(found).values()) == colours
    assert tuple(move_labels(found).values()) == tuple(f"{margin:+d}" if margin else "0" for margin in margins)


def test_nearer_ends_are_coloured_stronger() -> None:
    values = (Value(WIN, 1), Value(WIN, 9), Value(WIN), Value(DRAW), Value(LOSS, 8), Value(LOSS, 2))
    found = Probe(values[0], tuple(enumerate(values)), (0,), (0, 1, 2))
    one, nine, unknown, draw, late, soon = move_colours(found).values()
    assert 1.0 >= one > nine > 0 and unknown == 1.0 and draw == 0.0 and 0 > late > soon >= -1.0
    assert list(move_labels(found).values()) == ["W1", "W9", "W", "D", "L8", "L2"]


def test_the_best_moves_are_named_first() -> None:
    position = game("tictactoe").start()
    values = (Value(LOSS, 2), Value(DRAW), Value(WIN, 5), Value(LOSS, 8), Value(WIN, 3))
    found = Probe(values[4], tuple(zip(position.legal, values)), (position.legal[4],), (position.legal[2], position.legal[4]))
    lines = probe_text(position, found).splitlines()
    assert lines[1] == "x to move: win in 3"
    assert [line for line in lines[2:] if line.endswith(":")] == ["win in 3:", "win in 5:", "draw:", "loss in 8:", "loss in 2:"]
    points = probe_of_margins(-2, 3, 0)
    shown = probe_text(game("dots:1x1").start(), points).splitlines()
    assert shown[1] == "a to move: +3 at the end"
    assert [line for line in shown[2:] if line.endswith(":")] == ["+3:", "0:", "-2:"]
