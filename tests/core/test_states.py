"""Many states at once give what one position at a time gives."""

from __future__ import annotations

import numpy as np
import pytest

from ludometer.core.errors import IllegalMoveError, LudometerError
from ludometer.core.position import Position
from ludometer.core.protocol import learning
from ludometer.core.states import States, random_states
from ludometer.games import game

SPECS = ("tictactoe", "quixo:3", "dots:1x2", "ultimate")


def some_states(spec: str) -> States:
    """Random states, the states after each of their moves, and the start: some of them finished."""
    subject = game(spec)
    drawn = subject.random_states(20, seed=3)
    return subject.states([subject.start(), *drawn, *(child for position in drawn for _, child in position.children())])


@pytest.mark.parametrize("spec", SPECS)
def test_many_at_once_and_one_at_a_time(spec: str) -> None:
    subject, states = game(spec), some_states(spec)
    positions = list(states)
    assert any(position.is_over for position in positions) and not all(position.is_over for position in positions)
    assert subject.outcomes(states).tolist() == [position.outcome for position in positions]
    assert subject.turns(states).tolist() == [position.player for position in positions]
    assert subject.margins(states).tolist() == [position.margin for position in positions]
    assert subject.keys(states).tolist() == [position.key for position in positions]
    moves = subject.legal_moves(states)
    assert [moves.of(number).tolist() for number in range(len(states))] == [list(position.legal) for position in positions]
    assert moves.counts.tolist() == [len(position.legal) for position in positions]
    children = subject.play(states[moves.owners], moves.flat)
    assert list(children) == [position.play(move) for position in positions for move in position.legal]


@pytest.mark.parametrize("spec", SPECS)
def test_states_are_positions_and_texts(spec: str) -> None:
    subject, states = game(spec), some_states(spec)
    assert subject.states(states.texts()) == states == subject.states(list(states))
    assert [str(states[number]) for number in range(len(states))] == states.texts()
    assert isinstance(states[0], Position) and states[np.int64(0)] == subject.start() and states[-1] == list(states)[-1]
    assert states[2:5].texts() == states.texts()[2:5]
    ongoing = subject.outcomes(states) == 2
    assert states[ongoing].texts() == [str(position) for position in states if not position.is_over]


def test_padded_moves() -> None:
    subject = game("tictactoe")
    moves = subject.legal_moves(["XOX/XOX/.O. x", "XXX/OO./... o", "XOX/OXO/OX. x"])
    assert moves.padded().tolist() == [[-1], [-1], [10]] and moves.owners.tolist() == [2]
    wider = subject.legal_moves(["XOX/X.X/OO. o", "XXX/OO./... o"])
    assert wider.padded(99).tolist() == [[5, 10], [99, 99]]


def test_random_states_depend_on_the_seed_and_their_number_alone() -> None:
    subject = game("quixo:3")
    assert subject.random_states(8, seed=5)[:3] == subject.random_states(3, seed=5)
    assert subject.random_states(8, seed=5) != subject.random_states(8, seed=6)
    assert (subject.outcomes(subject.random_states(50)) == 2).all()


def test_features() -> None:
    subject = game("ultimate")
    states = some_states("ultimate")
    found = subject.features(states)
    for row, position in zip(found, states, strict=True):
        one = np.zeros(learning.feature_count(subject.rules))
        learning.features(subject.rules, position.state, one)
        assert row.tolist() == one.tolist()
    assert found.any()
    with pytest.raises(LudometerError, match="mnk:3,3,3 has no features"):
        game("tictactoe").features(["start"])


def test_no_states() -> None:
    subject = game("tictactoe")
    none = subject.states([])
    assert len(none) == 0 and none.texts() == [] and subject.legal_moves(none).padded().shape == (0, 0)
    assert len(subject.play(none, [])) == 0 and len(subject.outcomes(none)) == 0


def test_what_cannot_be_done() -> None:
    subject = game("tictactoe")
    with pytest.raises(IllegalMoveError, match=r"state 1, X\.\./\.\.\./\.\.\. o: move number 0 is not allowed there"):
        subject.play(["start", "X../.../... o"], [0, 0])
    for moves in (-1, 3, 2**33):
        with pytest.raises(IllegalMoveError, match="state 0"):
            subject.play(["start"], [moves])
    for moves in ([0], [0, 1, 2], [0.0, 1.0], 3):
        with pytest.raises(LudometerError, match="one whole number as the move of each of 2 states"):
            subject.play(["start", "start"], moves)
    with pytest.raises(LudometerError, match="not of quixo:3"):
        game("quixo:3").outcomes(subject.random_states(2))
    with pytest.raises(LudometerError, match="not of quixo:3"):
        game("quixo:3").outcomes([subject.start()])
    with pytest.raises(LudometerError, match="in brackets"):
        subject.outcomes("start")
    with pytest.raises(LudometerError, match=r"rows of 3 uint64, not int64 of shape \(2,\)"):
        States(subject, [1, 2])


def test_numbers_below_zero_are_refused() -> None:
    subject = game("tictactoe")
    for number, begin in ((-1, 0), (1, -1)):
        with pytest.raises(LudometerError, match="0 or more, not -1"):
            random_states(subject, number, begin=begin)
    assert random_states(subject, 2, begin=1).texts() == random_states(subject, 3).texts()[1:]
