"""Quixo players of the course: the interface they see, and what becomes of players that misbehave."""

from __future__ import annotations

import importlib.util
import os
import random
import subprocess
import threading
import time
from copy import deepcopy
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from ludometer.agents import agent
from ludometer.arena.play.playing import play_game, play_on
from ludometer.arena.play.session import Session
from ludometer.bridges import polito
from ludometer.checks.game_contract import random_positions
from ludometer.core.errors import SpecError
from ludometer.core.outcome import LOSS, ONGOING
from ludometer.core.random import stream
from ludometer.core.record import parse_record
from ludometer.core.stopping import Stop, Stopped
from ludometer.games import game
from tests.bridges import polito_players as players

pytestmark = pytest.mark.process  # every test starts processes

QUIXO = game("quixo:5")


@pytest.fixture(scope="module")
def course() -> ModuleType:
    """The module `game` as players see it."""
    spec = importlib.util.spec_from_file_location("game", Path(polito.__file__).with_name("polito_game.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def written(folder: Path, text: str, name: str = "player.py") -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def test_moves_mean_the_same_in_both_games(course: ModuleType) -> None:
    for seed in range(6):
        for position in random_positions(QUIXO, 1, seed)[:60:4]:
            board = polito.board_of(position)
            theirs = course.Game()
            theirs._board[:] = board
            theirs.current_player_idx = position.player
            for x in range(-1, 6):
                for y in range(-1, 6):
                    for side in course.Move:
                        trial = deepcopy(theirs)
                        number = polito.move_number([x, y, side.value])
                        # A finished game allows no move in ours; theirs would let a player go on.
                        legal = trial._Game__move((x, y), side, position.player)
                        if not position.is_over:
                            assert legal == (number in position.legal)
                        if legal and not position.is_over:
                            after = position.play(number)
                            assert trial.get_board().tolist() == polito.board_of(after)
                            winner = -1 if after.outcome == ONGOING else after.player ^ (after.outcome == LOSS)
                            assert trial.check_winner() == winner
                        elif not legal:
                            assert trial.get_board().tolist() == board


def test_the_mover_loses_by_two_lines_at_once(course: ModuleType) -> None:
    theirs = course.Game()
    theirs._board[:] = [[-1, 0, 1, -1, -1]] + [[-1, 0, 1, -1, -1]] * 4
    assert theirs.check_winner() == theirs.current_player_idx == 1
    theirs._latest_mover = 1
    assert theirs.check_winner() == 0


def test_the_interface_hands_out_copies(course: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    theirs = course.Game()
    theirs.get_board()[:] = 1
    assert (theirs._board == -1).all() and np.issubdtype(theirs._board.dtype, np.signedinteger)
    assert [side.value for side in (course.Move.TOP, course.Move.BOTTOM, course.Move.LEFT, course.Move.RIGHT)] == [0, 1, 2, 3]
    assert not theirs._Game__move((0, 0), course.Move.RIGHT, 3) and not theirs._Game__move((0, 0), "right", 0)
    assert theirs._Game__take((0, 3), 1) and theirs._Game__slide((0, 3), course.Move.LEFT) and theirs._board[0, 0] == 1
    theirs.print()
    assert capsys.readouterr().out.splitlines()[0] == "O . . . ."
    with pytest.raises(TypeError):
        course.Player()


def test_whole_games_in_their_own_framework(course: ModuleType) -> None:
    random.seed(4)

    class Any(course.Player):
        def make_move(self, game):
            return (random.randrange(5), random.randrange(5)), random.choice(list(course.Move))

    theirs = course.Game()
    assert theirs.play(Any(), Any()) in (0, 1) and theirs.check_winner() >= 0


def test_a_random_player_plays_and_is_repeatable(tmp_path: Path) -> None:
    """The course's own random player guesses until its move is legal: by default it is asked again as often as that takes."""
    first = agent(f"polito:{written(tmp_path, players.RANDOM)}", QUIXO)
    session = play_on(Session(QUIXO, ply_limit=30, seed=3), (first, agent("random", QUIXO)))
    assert session.ply == 30 or session.position.is_over
    tries = [turn.decision.report["tries"] for turn in session.turns[::2]]
    assert max(tries) > 3 and all(turn.decision.value is None for turn in session.turns)
    assert play_game(QUIXO, first, "random", seed=3, ply_limit=30).moves == session.record().moves
    limited = play_game(QUIXO, f"polito:{first.file},tries=3", "random", seed=3, ply_limit=30)
    assert limited.result == "0-1" and str(limited.ended).startswith("forfeit: 3 illegal answers, the last one ((")


def test_a_player_looks_ahead_with_its_own_modules_and_arguments(tmp_path: Path) -> None:
    written(tmp_path, players.BORDER, "border.py")
    path = written(tmp_path, players.LOOKING_AHEAD)
    player = agent(f"polito:path={path},class=Ahead,arguments=side; 2", QUIXO)
    position = QUIXO.position("XXXX./...../...../...../OO..X x")
    assert position.play(player.choose(position, stream(1)).move).result == "1-0"
    other = QUIXO.position("OOOO./...../...../...../XX..O o")
    assert other.play(player.choose(other, stream(1)).move).result == "0-1"
    with pytest.raises(SpecError, match="Ahead, Other; choose one with class=NAME"):
        agent(f"polito:{path}", QUIXO)
    with pytest.raises(SpecError, match="TypeError"):
        agent(f"polito:{path},class=Ahead", QUIXO)


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (("raise ValueError('out of\\n ideas')",), "forfeit: ValueError: out of ideas"),
        (("sys.exit(3)",), "forfeit: SystemExit: 3"),
        (("os._exit(3)",), "forfeit: its process has ended"),
        (("time.sleep(60)",), "forfeit: more than 0.3 s for the move"),
        (("return (2, 2), Move.TOP",), "forfeit: more than 0.3 s for the move, after "),
        (("return (0, 0), Move.LEFT",), "forfeit: more than 0.3 s for the move, after "),
        (("return None",), "forfeit: more than 0.3 s for the move, after "),
        (
            ("os.write(os.dup(1), b'x' * 10); [os.write(n, b'junk' * 9000) for n in range(3, 9) if os.path.exists(f'/proc/self/fd/{n}')]",),
            "",
        ),
    ],
)
def test_a_player_that_misbehaves_loses_and_the_record_says_why(tmp_path: Path, lines: tuple[str, ...], reason: str) -> None:
    spec = f"polito:path={written(tmp_path, players.player(*lines))},time=0.3"
    record = play_game(QUIXO, "random", spec, seed=1)
    assert (record.result, len(record.moves)) == ("1-0", 1)
    assert record.ended is not None and record.ended.startswith(reason or "forfeit: ")
    assert parse_record(str(record)) == record
    record.check()
    assert play_game(QUIXO, spec, "random", seed=1).result == "0-1"


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("(2, 2), Move.TOP", "((2, 2), side 0)"),
        ("(0, 0), Move.LEFT", "((0, 0), side 2)"),
        ("None", "None"),
        ("(0.5, 0), Move.LEFT", "((0.5, 0), <Move.LEFT: 2>)"),
    ],
)
def test_answers_can_be_limited_in_number(tmp_path: Path, answer: str, shown: str) -> None:
    path = written(tmp_path, players.player(f"return {answer}"))
    for tries, words in ((1, "1 illegal answer"), (4, "4 illegal answers")):
        record = play_game(QUIXO, f"polito:{path},tries={tries}", "random", seed=1)
        assert (record.result, record.ended) == ("0-1", f"forfeit: {words}, the last one {shown}")


def test_a_player_can_be_stopped_and_asked_again(tmp_path: Path) -> None:
    """It would sleep for minutes; its process ends, and a new one serves the next move."""
    lines = ("if game.get_board()[0, 0] == -1: time.sleep(600)", *players.LEGAL)
    bot = agent(f"polito:{written(tmp_path, players.player(*lines))},time=900", QUIXO)
    player = bot.player()
    process = player._process
    stop = Stop()
    threading.Timer(0.5, stop.ask).start()
    with pytest.raises(Stopped):
        player.choose(QUIXO.start(), stream(1), stop)
    assert process.process.returncode is not None
    position = QUIXO.position("X..../...../...../...../O.... x")
    assert player.choose(position, stream(1)).move in position.legal
    player.leave()


def test_what_a_player_takes_from_files_is_part_of_who_it_is(tmp_path: Path) -> None:
    def identity(folder: str, text: str, beside: str) -> tuple[str, str]:
        (tmp_path / folder).mkdir()
        path = written(tmp_path / folder, text)
        written(tmp_path / folder, beside, "border.py")
        made = agent(f"polito:{path},class=Own", QUIXO)
        assert made.spec == f"polito:{path},class=Own" and agent(made.spec, QUIXO).identity == made.identity
        return made.spec, made.identity

    text = players.player(*players.LEGAL)
    one, same, edited, other = (
        identity("one", text, players.BORDER),
        identity("same", text, players.BORDER),
        identity("edited", text + "# a comment\n", players.BORDER),
        identity("other", text, players.BORDER + "\n"),
    )
    assert one[0] != same[0] and one[1] == same[1], "the same player in another folder"
    assert len({one[1], edited[1], other[1]}) == 3 and one[1].startswith("polito:player.py@")


def test_what_a_player_prints_and_reads_is_kept_apart(tmp_path: Path) -> None:
    noisy = players.player(
        "print('{\"move\": [9, 9, 9]}', flush=True)", "os.write(1, b'x' * 200000)", "assert sys.stdin.read() == ''", *players.LEGAL
    )
    record = play_game(QUIXO, f"polito:{written(tmp_path, noisy)}", "random", seed=2, ply_limit=8)
    assert record.ended == "ply limit"


def test_cheating_changes_nothing_here(tmp_path: Path) -> None:
    path = written(tmp_path, players.CHEATING)
    player = agent(f"polito:{path},tries=3", QUIXO)
    position = QUIXO.position("XX.../...../...../...../OO... x")
    before = (str(position), position.state, position.legal)
    record = play_game(QUIXO, player, "random", start=position)
    assert (str(position), position.state, position.legal) == before
    assert (record.result, record.moves) == ("0-1", ()) and "illegal" in str(record.ended)


def test_no_process_stays_behind(tmp_path: Path) -> None:
    lines = ("import subprocess; p = subprocess.Popen(['sleep', '60']); open('pids', 'w').write(str(p.pid))", "time.sleep(60)")
    spec = f"polito:path={written(tmp_path, players.player(*lines))},time=0.5"
    assert play_game(QUIXO, spec, "random").ended == "forfeit: more than 0.5 s for the move"
    assert_gone(int((tmp_path / "pids").read_text()))
    player = agent(f"polito:{written(tmp_path, players.player(*players.LEGAL), 'good.py')}", QUIXO).player()
    player.choose(QUIXO.start(), stream(1))
    process = player._process.process
    assert process.poll() is None
    player.leave()
    assert process.returncode is not None


def assert_gone(pid: int) -> None:
    for _ in range(50):
        state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
        if not state or state.startswith("Z"):
            return
        time.sleep(0.1)
    os.kill(pid, 9)
    raise AssertionError(f"process {pid} is still there")


@pytest.mark.parametrize(
    ("text", "options", "part"),
    [
        ("", "", "has no class that is a Player"),
        ("import nothing_of_this_name", "", "ModuleNotFoundError"),
        (players.RANDOM, ",class=Nobody", "has no class Nobody"),
        (players.RANDOM, ",arguments=hello", "ValueError"),
    ],
)
def test_files_without_a_player_are_refused_when_the_agent_is_made(tmp_path: Path, text: str, options: str, part: str) -> None:
    with pytest.raises(SpecError, match=part) as refusal:
        agent(f"polito:{written(tmp_path, text)}{options}", QUIXO)
    assert len(str(refusal.value).splitlines()) == 1 and "player.py" in str(refusal.value)


@pytest.mark.parametrize(
    ("spec", "name", "part"),
    [
        ("quixo:5", "polito", "polito:path=FILE"),
        ("quixo:5", "polito:none.py", "no file 'none.py'"),
        ("quixo:4", "polito:none.py", "quixo:5 only"),
        ("tictactoe", "polito:none.py", "quixo:5 only"),
    ],
)
def test_what_does_not_fit_is_refused(spec: str, name: str, part: str) -> None:
    with pytest.raises(SpecError, match=part):
        agent(name, game(spec))
