"""A game in progress: what can be done with it, when it ends and why, its clocks, and the ways in and out as plain data."""

from __future__ import annotations

import json
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer.agents import agent
from ludometer.arena.play.seat import Seat
from ludometer.arena.play.session import Session
from ludometer.core.agent import Decision
from ludometer.core.errors import IllegalMoveError, LudometerError, NotationError, SpecError
from ludometer.core.random import stream
from ludometer.core.record import parse_record
from ludometer.core.requests import Forfeit, Quit, Resign, TakeBack
from ludometer.games import game
from ludometer.web import untrusted

QUIXO = game("quixo:3")


class Clock:
    """Shows what it is set to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_game_from_the_first_move_to_the_last() -> None:
    session = Session("tictactoe", first="a", second="b", seed=3)
    assert (session.to_move, session.result, session.ended, session.ply, session.is_over) == (0, None, None, 0, False)
    for number, move in enumerate(("A1", "B2", "A2", "C1", "A3")):
        assert session.to_move == number % 2 and session.version == number
        assert session.make(move) is session.position
    assert (session.to_move, session.result, session.ended, session.is_over) == (None, "1-0", None, True)
    record = session.record()
    assert parse_record(str(record)) == record and record.positions == tuple(session.positions)
    assert (record.first, record.second, record.seed, record.moves) == ("a", "b", 3, ("A1", "B2", "A2", "C1", "A3"))
    for late in (lambda: session.make("C3"), session.resign, session.quit, lambda: session.answer(Quit())):
        with pytest.raises(LudometerError, match="the game is over: 1-0"):
            late()


def test_a_wrong_move_changes_nothing() -> None:
    session = Session(QUIXO)
    session.make("A1>right")
    for move, error in (("A1>left", IllegalMoveError), ("nonsense", NotationError), (99, IllegalMoveError)):
        with pytest.raises(error):
            session.make(move)
    assert (session.ply, session.version, session.to_move) == (1, 1, 1)


@pytest.mark.parametrize(
    ("choice", "result", "ended"),
    [(Resign(), "1-0", "resignation"), (Forfeit("out of ideas"), "1-0", "forfeit: out of ideas"), (Quit(), "*", "quit")],
)
def test_what_a_player_chooses_instead_of_a_move(choice, result, ended) -> None:
    session = Session(QUIXO)
    session.answer(Decision(session.position.legal[0]))
    session.answer(choice)
    assert (session.result, session.ended, session.to_move) == (result, ended, None)
    record = session.record()
    assert (record.result, record.ended) == (result, ended) and parse_record(str(record)) == record


def test_either_side_can_resign_at_any_time() -> None:
    session = Session(QUIXO)
    session.resign(side=1)
    assert session.result == "1-0"


def test_nothing_else_is_a_choice() -> None:
    with pytest.raises(TypeError, match="a Decision or a Request, not 7"):
        Session(QUIXO).answer(7)


def test_moves_are_taken_back_and_made_again() -> None:
    session = Session(QUIXO)
    assert not session.take_back() and not session.redo() and session.version == 0
    for move in ("A1>right", "C3>left", "B1>left", "C2>left"):
        session.make(move)
    before = session.position
    session.answer(TakeBack())  # by x: B1>left and the reply
    assert session.moves == ["A1>right", "C3>left"] and session.to_move == 0
    assert session.take_back(side=1) and session.moves == ["A1>right"] and session.to_move == 1
    assert not session.take_back(side=1) and session.moves == ["A1>right"], "o has no move left to take back"
    copy = Session.from_document(session.document())
    for one in (copy, session):
        assert one.redo() and one.moves == ["A1>right", "C3>left"]
        assert one.redo() and one.position == before and not one.redo()
    assert session.take_back(side=1) and session.moves == ["A1>right", "C3>left", "B1>left"]
    session.make("C2>left")
    assert not session.redo(), "a new move ends what could be made again"
    assert session.version == 4 + 2 + 2 + 1 + 1


def test_where_a_player_moves_again_only_his_own_last_move_is_taken_back() -> None:
    session = Session("dots:1x2")
    for move in ("A1-B1", "A1-A2", "B1-B2", "A2-B2"):  # the last one closes a box: the same player is to move again
        session.make(move)
    assert session.take_back() and session.moves == ["A1-B1", "A1-A2", "B1-B2"]


def test_a_finished_game_goes_on_after_a_move_is_taken_back() -> None:
    session = Session("tictactoe")
    for move in ("A1", "B2", "A2", "C1", "A3"):
        session.make(move)
    assert session.take_back(side=0) and session.to_move == 0 and session.result is None
    session.resign()
    assert not session.redo() and session.ended == "resignation", "a game given up does not go on by itself"
    assert session.take_back(side=1) and session.moves == ["A1", "B2", "A2"] and session.to_move == 1 and session.ended is None


def test_the_ply_limit_draws() -> None:
    session = Session("quixo:5", ply_limit=2)
    session.make(session.position.legal[0])
    session.make(session.position.legal[0])
    assert (session.result, session.ended) == ("1/2-1/2", "ply limit")
    assert session.take_back() and session.to_move == 0 and session.redo() and session.ended == "ply limit"
    assert Session("quixo:5").ply_limit == 400 and Session("tictactoe").ply_limit is None
    assert Session("quixo:5", ply_limit=0).ended == "ply limit"


def test_clocks_count_from_their_start_to_the_move() -> None:
    clock = Clock()
    session = Session(QUIXO, limits=(10.0, None), clock=clock)
    clock.now += 50  # nobody's clock runs yet
    session.start_clock()
    clock.now += 3
    assert session.seconds(0) == 3 and session.seconds_left(0) == 7 and session.seconds_left(1) is None
    session.start_clock()  # it runs already
    session.make("A1>right")
    clock.now += 50
    assert (session.seconds(0), session.seconds(1), session.turns[0].seconds) == (3, 0, 3)
    session.start_clock()
    clock.now += 20
    session.make("C3>left")
    assert (session.seconds(0), session.seconds(1), session.result) == (3, 20, None), "one side is limited, the other is not"
    session.start_clock()
    clock.now += 6
    session.take_back()
    assert session.seconds(0) == 9, "time stays used"
    session.start_clock()
    clock.now += 0.75
    assert session.check_time() and session.seconds(0) == 9.75
    clock.now += 0.5
    assert not session.check_time()
    assert (session.result, session.ended) == ("0-1", "time")
    assert not session.take_back(side=0) and session.is_over


def test_time_that_is_used_up_does_not_come_back() -> None:
    clock = Clock()
    session = Session(QUIXO, limits=(1.0, 1.0), clock=clock)
    session.make("A1>right")
    session.make("C3>left")
    session.take_back()
    session.redo()
    session.start_clock()
    clock.now += 2
    assert not session.take_back(), "it is asked for too late"
    assert (session.moves, session.ended) == (["A1>right", "C3>left"], "time")
    assert not session.take_back(side=1) and not session.redo()


def test_the_last_moment_still_counts() -> None:
    """Who has used just his time has not lost; who has used more has none left, not less than none."""
    clock = Clock()
    session = Session(QUIXO, limits=(1.0, 1.0), clock=clock)
    session.start_clock()
    clock.now += 1.0
    assert session.check_time() and session.seconds_left(0) == 0.0
    session.make("A1>right")
    assert (session.moves, session.result) == (["A1>right"], None)
    session.start_clock()
    clock.now += 1.25
    assert session.seconds_left(1) == 0.0 and not session.is_over
    assert not session.check_time() and (session.result, session.ended, session.seconds_left(1)) == ("1-0", "time", 0.0)


def test_a_move_after_the_time_is_not_made() -> None:
    clock = Clock()
    session = Session(QUIXO, limits=(1.0, 1.0), clock=clock)
    session.make("A1>right")
    session.start_clock()
    clock.now += 1.5
    session.make("C3>left")
    assert (session.moves, session.result, session.ended) == (["A1>right"], "1-0", "time")


@pytest.mark.parametrize(
    "wrong",
    [{"start": "XX"}, {"ply_limit": -1}, {"limits": (0.0, None)}, {"limits": (float("nan"), 1.0)}, {"start": game("quixo:4").start()}],
)
def test_what_does_not_fit_is_refused(wrong) -> None:
    with pytest.raises(LudometerError):
        Session(QUIXO, **wrong)


@given(st.sampled_from(["quixo:3", "dots:2x2", "matrix:prisoners", "ultimate"]), st.lists(st.integers(0, 999), max_size=30), st.data())
def test_a_session_is_plain_data(spec: str, choices: list[int], data: st.DataObject) -> None:
    """Through JSON and back, at any moment: what can be done next is the same."""
    session = Session(spec, limits=(None, 60.5), first="a", second="human", seed=7, ply_limit=25)
    for choice in choices:
        if session.is_over:
            break
        action = data.draw(st.sampled_from(["make"] * 6 + ["take back", "redo"]))
        if action == "make":
            session.make(session.position.legal[choice % len(session.position.legal)])
        elif action == "redo":
            session.redo()
        else:
            session.take_back(choice % 2)
    if not session.is_over and data.draw(st.booleans()):
        data.draw(st.sampled_from([session.resign, session.quit, partial(session.forfeit, "bad luck")]))()
    document = json.loads(json.dumps(session.document()))
    again = Session.from_document(document)
    assert again.document() == session.document()
    assert (again.position, again.to_move, again.names, again.limits) == (session.position, session.to_move, session.names, session.limits)
    assert again.redo() == session.redo() and again.moves == session.moves
    assert str(again.record()) == str(session.record())


def test_a_game_without_a_limit_stays_without_one() -> None:
    session = Session("quixo:3")
    document = {**session.document(), "ply_limit": None}
    assert Session.from_document(document).ply_limit is None


GOOD = Session("quixo:3", first="a", second="b").document()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"game": "quxo:3"}, "did you mean quixo"),
        ({"game": 7}, "game is a text, not '7'"),
        ({"moves": ["A1>right", "A1>left"]}, "not allowed: a cube may not"),
        ({"moves": [3]}, "moves is a list of texts"),
        ({"moves": "A1>right"}, "moves is a list of texts, not"),
        ({"start": "XX"}, "position"),
        ({"seconds": [1.0]}, "seconds is a list of two numbers, not of 1"),
        ({"seconds": [1.0, "2"]}, "seconds is a list of two numbers, not"),
        ({"move_seconds": [True]}, "move_seconds is a list of numbers"),
        ({"taken_back": [["A1>right", 5]]}, "taken_back is a list of lists of texts"),
        ({"seed": 1.5}, "seed is a whole number or null"),
        ({"result": "1-0"}, "lead to the result None, not '1-0'"),
        ({"result": "1-0", "ended": "ply limit"}, "1/2-1/2"),
        ({"start": "XXX/.../OO. o", "moves": ["A1>right"], "result": "1-0"}, "move 1 comes after the end of the game"),
        ({"version": "new"}, "version is a whole number, not"),
        ({"taken_back": [["A1>left"]]}, "not allowed: a cube may not"),
    ],
)
def test_a_document_that_is_no_game_is_refused_in_a_line(changed: dict[str, object], message: str) -> None:
    Session.from_document(GOOD)
    with pytest.raises(LudometerError) as refusal:
        Session.from_document({**GOOD, **changed})
    assert message in str(refusal.value) and len(str(refusal.value).splitlines()) == 1


def test_a_document_needs_its_keys() -> None:
    with pytest.raises(NotationError, match="document: there is no game"):
        Session.from_document({})


def test_a_document_from_outside_names_no_file() -> None:
    with pytest.raises(SpecError, match="cannot be named from outside"):
        Session.from_document({**GOOD, "game": "examples/connect_three.py"}, untrusted.game)


def test_records_come_in_and_go_out() -> None:
    session = Session("tictactoe", first="a", second="b", seed=1)
    session.make("A1")
    session.quit()
    again = Session.from_record(session.record())
    assert again.moves == ["A1"] and again.to_move == 1, "a game that was left can go on"
    again.resign()
    assert str(Session.from_record(again.record()).record()) == str(again.record())


@pytest.mark.parametrize("limit", [1, 7, 450])
def test_a_record_of_a_drawn_game_keeps_its_limit(limit: int) -> None:
    """Also one that is longer than the game's own limit of 400 moves; both players push a cube to and fro."""
    drawn = Session("quixo:5", ply_limit=limit)
    for number in range(limit):
        drawn.make(("A1>right", "A5>right", "E1>left", "E5>left")[number % 4])
    again = Session.from_record(drawn.record())
    assert str(again.record()) == str(drawn.record()) and again.ply_limit == limit
    if limit > 1:
        assert again.take_back() and again.to_move is not None and again.redo() and again.ended == "ply limit"


def test_the_second_player_is_not_shown_a_choice_made_at_the_same_time() -> None:
    documents = []
    for move in ("C", "D"):
        session = Session("matrix:prisoners")
        session.make(move)
        documents.append(session.document(side=1))
        assert session.document(side=0)["moves"] == [move] and session.document()["position"] == f"{move} ."
        session.make("C")
        assert session.document(side=1)["moves"] == [move, "C"] and session.document(side=1)["result"] is not None
    assert documents[0] == documents[1] and documents[0]["moves"] == [] and documents[0]["turn"] == "column"


def test_a_seat_serves_any_driver() -> None:
    """Moves made by somebody else, taken back and made again: the player at the seat always knows what happened."""
    session = Session("tictactoe")
    seat = Seat(session, 1, agent("random", session.game))
    session.make("B2")
    player = seat.player()
    session.answer(seat.choose(stream(1)))
    assert session.ply == 2 and seat.player() is player
    session.take_back(side=1)
    assert seat.player() is not player, "it would know of a move that was never made"
    seat.leave()
    assert session.redo() and session.ply == 2


def test_a_session_says_where_it_stands() -> None:
    session = Session("mnk:3,3,3", first="Ada", second="mcts:10")
    assert repr(session) == "<session of mnk:3,3,3: Ada against mcts:10, x to move after 0 moves>"
    session.make("B2")
    assert repr(session).endswith("o to move after 1 move>")
    session.resign()
    assert repr(session).endswith(", 1-0 after 1 move (resignation)>")
    for move in ["A1", "B1", "A2", "B2", "A3"]:
        session = session if not session.is_over else Session("mnk:3,3,3")
        session.make(move)
    assert repr(session).endswith("? against ?, 1-0 after 5 moves>")


def test_a_copy_has_clocks_of_its_own() -> None:
    clock = Clock()
    session = Session(QUIXO, limits=(10.0, 10.0), clock=clock)
    other = session.copy()
    other.start_clock()
    clock.now += 3
    other.make("A1>right")
    assert (other.seconds(0), session.seconds(0), session.seconds_left(0)) == (3, 0, 10)
