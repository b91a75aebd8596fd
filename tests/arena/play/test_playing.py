"""One game: who moves, when it ends, what the record says, and what a person at the terminal can do."""

import io
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from ludometer.agents.human import suggestion
from ludometer.agents.random import RandomAgent
from ludometer.arena.play.playing import play_game
from ludometer.arena.play.turn_reports import play_with_reports
from ludometer.core.agent import Agent, Decision, Player
from ludometer.core.errors import IllegalMoveError, LudometerError, SpecError
from ludometer.core.random import stream
from ludometer.core.record import parse_record
from ludometer.core.stopping import Stop, Stopped
from ludometer.games import game, kinds


class Picker(Agent):
    """Takes a move by the random key alone."""

    def choose(self, position, key, stop=None):
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
        def choose(self, position, key, stop=None):
            return Decision(position.game.move_bound)

    quixo = game("quixo:3")
    with pytest.raises(IllegalMoveError, match="agent cheat at"):
        play_game(quixo, Cheat(quixo, "cheat"), picker(quixo))


@pytest.mark.parametrize("wrong", [{"start": "XX"}, {"ply_limit": -1}, {"start": game("quixo:4").start()}])
def test_what_does_not_fit_is_refused(wrong):
    quixo = game("quixo:3")
    with pytest.raises(LudometerError):
        play_game(quixo, picker(quixo), picker(quixo), **wrong)


class Diary(Player):
    """Writes down what it is told, and plays by the random key."""

    def __init__(self, agent, start, side, ply_limit):
        super().__init__(agent, start, side, ply_limit)
        self.seen = []
        agent.players.append(self)

    def observe(self, move, after):
        self.seen.append((move, after))

    def choose(self, position, key, stop=None):
        assert position == (self.seen[-1][1] if self.seen else self.start)
        return Decision(position.legal[int(key) * len(position.legal) >> 64])

    def leave(self):
        self.agent.left += 1


class Watched(Agent):
    def __init__(self, game, spec="watched"):
        super().__init__(game, spec)
        self.players, self.left = [], 0

    def player(self, start=None, side=0, ply_limit=None):
        return Diary(self, start or self.game.start(), side, ply_limit)


def test_players_see_the_game_go_by():
    dots = game("dots:2x2")
    start = dots.start().play("A1-B1")
    watched = Watched(dots)
    record = play_game(dots, watched, watched, seed=4, start=start, ply_limit=7)
    assert [(player.start, player.side, player.ply_limit) for player in watched.players] == [(start, 1, 7), (start, 0, 7)]
    made = list(zip(record.moves, record.positions[1:]))
    for player in watched.players:
        told = [(after.game.kind.required("format_move")(dots.rules, None, move), after) for move, after in player.seen]
        assert told == made and len(made) == 7
    assert watched.left == 2
    play_game(dots, watched, watched, seed=4)
    assert len(watched.players) == 4 and watched.players[2].start == dots.start(), "one agent, a new player for each game"


def test_an_agent_that_defines_nothing_is_named():
    class Empty(Agent):
        pass

    quixo = game("quixo:3")
    with pytest.raises(TypeError, match="Empty defines neither `choose` nor a `player`"):
        play_game(quixo, Empty(quixo, "empty"), picker(quixo))
    with pytest.raises(TypeError, match="Empty defines neither"):
        Empty(quixo, "empty").choose(quixo.start(), stream(1))


def test_an_agent_plays_the_game_it_was_made_for():
    with pytest.raises(SpecError, match="was made for quixo:3 and cannot play quixo:4"):
        play_game("quixo:4", picker(game("quixo:3")), "random")


def test_specs_are_made_into_agents_once_per_call(monkeypatch):
    made = []
    monkeypatch.setattr(RandomAgent, "__init__", lambda self, *given: (made.append(given), Agent.__init__(self, *given))[0] and None)
    play_game("quixo:4", "random", "random", seed=1)
    assert len(made) == 2


def test_time_that_is_used_up_loses():
    class Slow(Picker):
        def choose(self, position, key, stop=None):
            time.sleep(0.05)
            return super().choose(position, key)

    quixo = game("quixo:4")
    record = play_game(quixo, picker(quixo), Slow(quixo, "slow"), seconds=0.04)
    assert (record.result, record.ended, len(record.moves)) == ("1-0", "time", 1)
    assert parse_record(str(record)) == record


def test_a_game_can_be_stopped():
    class Asking(Picker):
        def choose(self, position, key, stop=None):
            stop.ask()
            return super().choose(position, key)

    quixo = game("quixo:4")
    seen = []
    with pytest.raises(Stopped, match="the game was stopped"):
        play_game(quixo, picker(quixo), Asking(quixo, "asking"), stop=Stop(), on_move=lambda *move: seen.append(move))
    assert len(seen) == 2


def test_one_agent_plays_in_two_threads_at_once():
    """Both games are at their first move at the same time, and each is the game it is alone."""
    meeting = threading.Barrier(2, timeout=30)

    class Meeting(Watched):
        def player(self, start=None, side=0, ply_limit=None):
            if side == 0:
                meeting.wait()
            return super().player(start, side, ply_limit)

    quixo = game("quixo:3")
    shared = Meeting(quixo)
    with ThreadPoolExecutor(2) as pool:
        records = list(pool.map(lambda seed: play_game(quixo, shared, shared, seed), (1, 2)))
    assert [record.moves for record in records] == [play_game(quixo, Watched(quixo), Watched(quixo), seed).moves for seed in (1, 2)]


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


def test_a_move_taken_back_leaves_no_trace_in_reports(typed):
    class Reporting(Picker):
        def choose(self, position, key, stop=None):
            return Decision(super().choose(position, key).move, 0.5, {"nodes": len(position.moves()), "ply": "its own"})

    quixo = game("quixo:4")
    typed("A1>right", "A2>right", "undo", "undo", "B1>left", "quit")
    table = play_with_reports(quixo, "human", Reporting(quixo, "reporting"), seed=5)
    assert table.record.moves[0] == "B1>left" and len(table.record.moves) == 2
    assert table.column("move") == list(table.record.moves) and table.column("ply") == [1, 2]
    assert table.column("value") == [None, 0.5] and table.column("agent") == ["human", "reporting"]
    after = table.record.positions[1]
    assert table.column("nodes", player=1) == [len(after.moves())]
    assert [line.split()[:3] for line in str(table).splitlines()] == [
        ["ply", "player", "move"],
        ["1", "x", table.record.moves[0]],
        ["2", "o", table.record.moves[1]],
    ]


def test_players_are_seated_anew_after_a_move_is_taken_back(typed):
    quixo = game("quixo:4")
    watched = Watched(quixo)
    typed("A1>right", "undo", "B1>left", "quit")
    record = play_game(quixo, "human", watched, seed=5)
    told = [[after for _, after in player.seen] for player in watched.players]
    assert told == [[quixo.start().play("A1>right")], list(record.positions[1:])]
    assert watched.left == 2 and len(record.moves) == 2


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
        typed(move, "hint", "moves", "nonsense", "quit")
        record = play_game(matrix, "human", "human")
        assert record.moves == (move,) and record.ended == "quit"
        boards.append(capsys.readouterr().out)
    assert boards[0] == boards[1] and boards[0].count("column to move> ") == 4


@pytest.mark.parametrize("first", [0, 1])
def test_an_agent_that_chooses_at_the_same_time_is_shown_nothing_either(first):
    """Neither in the position it is asked about nor by what it is told; afterwards it is told of both moves."""
    matrix = game("matrix:prisoners")
    asked, told = [], []

    class Spy(Player):
        def observe(self, move, after):
            told.append((self.side, move, str(after)))

        def choose(self, position, key, stop=None):
            asked.append((self.side, str(position), position.state, list(told)))
            return Decision(first if self.side == 0 else 0)

    class SpyAgent(Agent):
        def player(self, start=None, side=0, ply_limit=None):
            return Spy(self, start or matrix.start(), side, ply_limit)

    spy = SpyAgent(matrix, "spy")
    record = play_game(matrix, spy, spy)
    assert record.moves == ("CD"[first], "C")
    assert [(side, text, seen) for side, text, _, seen in asked] == [(0, ". .", []), (1, "C .", [])]


@pytest.mark.parametrize("spec", [kind.listed[0] for kind in kinds().values()])
def test_a_person_and_chance_play_every_game(spec, typed):
    """The person copies what chance would do, and the game is the same."""
    record = play_game(spec, "random", "random", seed=9)
    typed(*record.moves)
    again = play_game(spec, "human", "human", seed=9)
    assert (again.moves, again.result, again.ended) == (record.moves, record.result, record.ended)
    assert (again.first, again.second) == ("human", "human")


def test_keys_of_plies_differ():
    keys = []

    class Watcher(Picker):
        def choose(self, position, key, stop=None):
            keys.append(key)
            return super().choose(position, key)

    quixo = game("quixo:4")
    play_game(quixo, Watcher(quixo, "w"), Watcher(quixo, "w"), ply_limit=20)
    assert len(set(keys)) == len(keys) > 3 and all(isinstance(key, np.uint64) for key in keys)


def test_a_move_that_came_too_late_is_not_told_of() -> None:
    """Nobody thinks for less than a billionth of a second: the first move is lost with the game."""
    told: list[object] = []
    record = play_game("tictactoe", "random", "random", seconds=1e-9, on_move=lambda *move: told.append(move))
    assert (record.moves, record.result, record.ended) == ((), "0-1", "time") and told == []
