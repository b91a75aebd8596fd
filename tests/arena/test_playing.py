"""One game: who moves, when it ends, what the record says, and what a person at the terminal can do."""

import io
import sys

import numpy as np
import pytest

from ludometer.agents import agent
from ludometer.agents.human import in_columns, suggestion
from ludometer.arena.playing import play_game
from ludometer.core.agent import Agent, Decision
from ludometer.core.errors import IllegalMoveError, LudometerError
from ludometer.core.random import stream
from ludometer.core.record import parse_record
from ludometer.games import game


class Picker(Agent):
    """Takes a move by the random key alone."""

    def choose(self, position, key):
        return Decision(position.legal[int(key) * len(position.legal) >> 64])


def picker(chosen, name="picker"):
    return Picker(chosen, name)


@pytest.fixture
def typed(monkeypatch):
    def type_lines(*lines):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(line + "\n" for line in lines)))

    return type_lines


def test_the_seed_decides_the_game():
    quixo = game("quixo:4")
    records = [play_game(quixo, picker(quixo), picker(quixo), seed=seed) for seed in (1, 1, 2)]
    assert records[0] == records[1] != records[2]
    assert parse_record(str(records[0])) == records[0]
    assert records[0].seed == 1 and records[0].first == "picker"


def test_a_game_goes_on_until_the_rules_end_it():
    dots = game("dots:2x2")
    seen = []
    record = play_game(dots, picker(dots), picker(dots), seed=3, on_move=lambda *move: seen.append(move))
    assert record.final.is_over and record.ended is None and record.result == record.final.result
    assert len(seen) == len(record.moves) == 12
    for (before, decision, after), text in zip(seen, record.moves):
        assert before.move_text(decision.move) == text and before.play(decision.move) == after
    record.check()


def test_a_game_that_takes_too_long_is_drawn():
    quixo = game("quixo:5")
    record = play_game(quixo, picker(quixo), picker(quixo), ply_limit=3)
    assert (record.result, record.ended, len(record.moves)) == ("1/2-1/2", "ply limit", 3)
    assert record.outcome == 0
    record.check()
    assert play_game(quixo, picker(quixo), picker(quixo), ply_limit=0).moves == ()


def test_a_game_can_begin_anywhere():
    quixo = game("quixo:3")
    start = quixo.position("XX./.../OO. o")
    record = play_game(quixo, picker(quixo), picker(quixo), start=start)
    assert record.start == str(start) and record.positions[0] == start
    assert play_game(quixo, picker(quixo), picker(quixo), start=str(start)) == record
    over = play_game(quixo, picker(quixo), picker(quixo), start="XXX/.../OO. o")
    assert (over.moves, over.result) == ((), "1-0")


def test_an_illegal_move_of_an_agent_is_an_error():
    class Cheat(Agent):
        def choose(self, position, key):
            return Decision(position.game.move_bound)

    quixo = game("quixo:3")
    with pytest.raises(IllegalMoveError, match="agent cheat at"):
        play_game(quixo, Cheat(quixo, "cheat"), picker(quixo))


@pytest.mark.parametrize("wrong", [{"start": "XX"}, {"ply_limit": -1}, {"start": game("quixo:4").start()}])
def test_what_does_not_fit_is_refused(wrong):
    quixo = game("quixo:3")
    with pytest.raises(LudometerError):
        play_game(quixo, picker(quixo), picker(quixo), **wrong)


def test_agents_are_told_when_a_game_begins():
    quixo = game("quixo:3")
    player = picker(quixo)
    begun = []
    player.begin = lambda: begun.append(1)
    play_game(quixo, player, picker(quixo))
    assert begun == [1]


def test_a_person_plays_and_wrong_input_is_asked_again(typed, capsys):
    typed("A1>right", "nonsense", "C1>left", "", "B1>left", "resign")
    record = play_game("quixo:3", "human", "human")
    assert record.moves == ("A1>right", "B1>left")
    assert (record.result, record.ended) == ("0-1", "resignation")
    lines = capsys.readouterr().out.splitlines()
    assert sum("; ? for help" in line for line in lines) == 2
    assert any(line.startswith("x to move> ") for line in lines) and any(line.startswith("o to move> ") for line in lines)


def test_the_second_player_resigns(typed):
    typed("A1>right", "resign")
    assert play_game("quixo:3", "human", "human").result == "1-0"


@pytest.mark.parametrize("last_words", [["quit"], ["EXIT"], []])
def test_quitting_and_the_end_of_input_leave_a_record_without_result(typed, last_words):
    typed("A1>right", *last_words)
    record = play_game("quixo:3", "human", "human")
    assert (record.moves, record.result, record.ended) == (("A1>right",), "*", "quit")
    assert parse_record(str(record)) == record


def test_no_standard_input_is_the_end_of_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert play_game("quixo:3", "human", "human").ended == "quit"


def test_undo_takes_back_ones_own_move_and_the_reply_as_often_as_wanted(typed, capsys):
    quixo = game("quixo:4")
    typed("undo", "A1>right", "A2>right", "undo", "undo", "undo", "B1>left", "quit")
    record = play_game(quixo, "human", picker(quixo), seed=5)
    assert record.moves[0] == "B1>left" and len(record.moves) == 2
    assert capsys.readouterr().out.count("no move to take back") == 2
    record.check()


def test_undo_between_two_people(typed, capsys):
    typed("A1>right", "C3>left", "undo", "undo", "B1>left", "undo", "C2>left", "quit")
    # x takes back A1>right and the reply, then has nothing left to take back; nor has o, whose only move is gone.
    assert play_game("quixo:3", "human", "human").moves == ("B1>left", "C2>left")
    assert capsys.readouterr().out.count("no move to take back") == 2


def test_undo_where_a_player_moves_again(typed):
    typed("A1-B1", "A1-A2", "B1-B2", "A2-B2", "B1-C1", "undo", "undo", "B2-C2", "quit")
    # The second player closed a box and moved again; the first takes back nothing of his but B1-B2 and all after it.
    record = play_game("dots:1x2", "human", "human")
    assert record.moves == ("B2-C2",)


def test_help_moves_and_hint(typed, capsys):
    typed("?", "help", "moves", "hint", "quit")
    play_game("quixo:3", "human", "human", start="XX./.../OO. x")
    shown = capsys.readouterr().out
    assert shown.count("take back your last move") == 2
    assert all(move in shown for move in game("quixo:3").position("XX./.../OO. x").moves())
    assert "wins at once" in shown


def test_a_hint_avoids_moves_that_lose_at_once():
    position = game("mnk:3,3,3").position("X../.X./O.. o")
    assert suggestion(position, stream(1)) == "perhaps C3"
    lost = game("mnk:3,3,3").position("X.X/.X./O.O o")
    assert "B3 wins at once" in suggestion(lost, stream(1))
    fork = game("mnk:3,3,3").position("X.X/.../X.O o")
    assert suggestion(fork, stream(1)).startswith("every move can lose at once")


def test_who_chooses_at_the_same_time_sees_nothing_of_the_other(typed, capsys):
    matrix = game("matrix:prisoners")
    moves = matrix.start().moves()
    boards = []
    for move in moves:
        typed(move, "hint", "moves", "quit")
        play_game(matrix, "human", "human")
        boards.append(capsys.readouterr().out)
    assert boards[0] == boards[1]


def test_columns_fit_the_width():
    assert in_columns(["a", "bb", "ccc"], width=12) == "  a    bb\n  ccc"
    assert in_columns([], width=12) == ""


def test_human_and_random_agents_can_be_made_for_every_game():
    for spec in ("quixo:3", "matrix:prisoners"):
        assert str(agent("human", game(spec))) == "human"


def test_keys_of_plies_differ():
    keys = []

    class Watcher(Picker):
        def choose(self, position, key):
            keys.append(key)
            return super().choose(position, key)

    quixo = game("quixo:4")
    play_game(quixo, Watcher(quixo, "w"), Watcher(quixo, "w"), ply_limit=20)
    assert len(set(keys)) == len(keys) > 3 and all(isinstance(key, np.uint64) for key in keys)
