"""Small parts of the bridges, each by itself: numbers of moves, boards, arguments, classes, and what is said when they are wrong."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import ludometer.bridges as bridges
from ludometer.agents import agent
from ludometer.bridges.polito import board_of, move_number
from ludometer.core.random import stream
from ludometer.games import game
from tests.bridges import polito_players as players

QUIXO = game("quixo:5")


def loaded(name: str) -> ModuleType:
    """A module of the bridges that is otherwise run as a script in another process."""
    spec = importlib.util.spec_from_file_location(name, Path(bridges.__file__).with_name(f"{name}.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def worker() -> ModuleType:
    return loaded("polito_worker")


def test_boards_and_moves_of_the_course() -> None:
    position = QUIXO.position("XO.../...../...../...../....O x")
    assert board_of(position)[0] == [0, 1, -1, -1, -1] and board_of(position)[4] == [-1, -1, -1, -1, 1]
    for text, answer in (
        ("A1>right", [0, 0, 3]),
        ("E1>bottom", [4, 0, 1]),
        ("A5>top", [0, 4, 0]),
        ("E5>left", [4, 4, 2]),
        ("C1>left", [2, 0, 2]),
    ):
        assert QUIXO.start().move_text(move_number(answer)) == text
    for wrong in ([5, 0, 0], [0, 5, 0], [-1, 0, 0], [0, -1, 0], [0, 0, 4], [0, 0, -1], [0, 0], [0, 0, 1, 1], ["0", 0, 1], None, (0, 0, 1)):
        assert move_number(wrong) == -1


def test_arguments_and_answers(worker: ModuleType) -> None:
    assert worker.read_arguments("", 1) == [] and worker.read_arguments("side; 3;'a' ; [1, 2]", 1) == [1, 3, "a", [1, 2]]
    course = loaded("polito_game")
    assert worker.encoded(((1.0, 2), course.Move.LEFT), course.Move) == [1, 2, 2]
    assert worker.encoded(((0, 4), 3), course.Move) == [0, 4, 3]
    for wrong in (((0.5, 0), course.Move.TOP), ((0, 0.5), course.Move.TOP), ((0, 0), 4), None, (0, 0)):
        with pytest.raises((TypeError, ValueError)):
            worker.encoded(wrong, course.Move)

    class Silent(course.Player):
        def make_move(self, game: Any) -> Any:
            assert game.get_current_player() == 1 and game.get_board()[0, 1] == 1
            return "x" * 200

    board = [[-1] * 5 for _ in range(5)]
    board[0][1] = 1
    said = worker.asked(Silent(), course, board, 1)
    assert said == {"move": None, "answer": "'" + "x" * 79}


def test_the_class_of_a_player(worker: ModuleType) -> None:
    course = loaded("polito_game")
    module = ModuleType("theirs")

    def made(name: str, base: type, home: str = "theirs") -> type:
        found = type(name, (base,), {"make_move": lambda self, game: None, "__module__": home})
        setattr(module, name, found)
        return found

    for name, message in (("", "has no class that is a Player"), ("Missing", "has no class Missing")):
        with pytest.raises(LookupError, match=message):
            worker.player_class(module, name, course.Player)
    made("Imported", course.Player, "elsewhere")
    module.Player = course.Player  # type: ignore[attr-defined]
    with pytest.raises(LookupError, match="no class that is a Player"):
        worker.player_class(module, "", course.Player)
    one = made("One", course.Player)
    assert worker.player_class(module, "", course.Player) is one
    made("Two", course.Player)
    with pytest.raises(LookupError, match="^has the players One, Two; choose one with class=NAME$"):
        worker.player_class(module, "", course.Player)
    assert worker.player_class(module, "Two", course.Player).__name__ == "Two"
    with pytest.raises(ImportError, match="notes.data is no Python file"):
        worker.load("theirs", Path("notes.data"))


def test_long_complaints_are_cut(tmp_path: Path) -> None:
    file = tmp_path / "player.py"
    file.write_text(players.player("raise ValueError('x' * 1000)"))
    player = agent(f"polito:{file}", QUIXO).player()
    said = str(player.choose(QUIXO.start(), stream(1)).reason)
    assert said == f"ValueError: {'x' * 188}"


def test_files_may_be_called_game_and_import_what_lies_beside_them(tmp_path: Path) -> None:
    """Also under a name that Python has a module of: the player's folder comes first."""
    (tmp_path / "colorsys.py").write_text("ANSWER = 3\n")
    (tmp_path / "game.py").write_text(players.player("import colorsys; assert colorsys.ANSWER == 3", *players.LEGAL))
    player = agent(f"polito:{tmp_path / 'game.py'}", QUIXO).player()
    decision = player.choose(QUIXO.start(), stream(1))
    assert decision.move in QUIXO.start().legal and decision.report["tries"] == 1
    player.leave()


def test_which_games_the_bridges_play() -> None:
    assert bridges.OPENSPIEL.refuses(game("quixo:3")) == "OpenSpiel has no such game"
    assert bridges.POLITO.refuses(game("quixo:4")) == "its players know quixo:5 only" and bridges.POLITO.refuses(QUIXO) is None
    for spec in ("dots:1x1", "tictactoe", "ultimate"):
        assert bridges.OPENSPIEL.refuses(game(spec)) is None
    assert [kind.name for kind in bridges.AGENTS] == ["openspiel", "polito", "engine"]


def test_processes_of_openspiel_are_used_again() -> None:
    pytest.importorskip("pyspiel")
    chosen = game("tictactoe")
    bot = agent("openspiel:mcts,simulations=5", chosen)
    first = bot.player(chosen.start())
    one = first.choose(chosen.start(), stream(3))
    (idle,) = bot._idle
    assert bot.player(chosen.start()).choose(chosen.start(), stream(3)).move == one.move and bot._idle == [idle]
    assert bot.step([], 1, 5, None) == bot.step([], 1, 5, None) and len(bot.step([], 3, 5, None)) == 3
    idle.end()
