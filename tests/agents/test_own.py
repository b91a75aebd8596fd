"""Agents of the user's own: files, functions, classes."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludometer as lm
from ludometer.agents import agent, canonical_spec, kind
from ludometer.agents.own import kind_of_program
from ludometer.agents.plain import AgentError
from ludometer.arena.play.playing import play_game
from ludometer.cli import main
from ludometer.core.agent import Agent, Decision, names_file, split_spec
from ludometer.core.errors import IllegalMoveError, LudometerError, SpecError
from ludometer.core.random import stream
from ludometer.core.text import short_spec
from ludometer.games import game
from ludometer.web import untrusted
from ludometer.web.jobs import requests

FUNCTION = '''"""Plays the corners."""


def choose(position, tries=3, style: str = "calm"):
    moves = position.moves()
    return moves[min(tries, len(moves) - 1)]
'''
CLASS = '''import random


class Wanderer:
    """Wanders about."""

    def __init__(self, depth: int = 2, bold: bool = False):
        self.depth, self.bold, self.asked = depth, bold, 0

    def choose(self, position):
        self.asked += 1
        return random.choice(position.legal)
'''
COMPILED = """from typing import NamedTuple

import numpy as np

from ludometer.core.agent import Agent, AgentKind, Decision, Option
from ludometer.core.compiling.compiled_player import FOR_EVER, ask, decide
from ludometer.core import protocol

PLACE = Option("place", 0, "which", least=0)
AGENT = AgentKind(name="steady", title="always the same place", home=":Steady", options=(PLACE,), main="place")


class CompiledSteady(NamedTuple):
    place: int


@decide.for_class(CompiledSteady)
def _(rules, player, state, plies_left, key, buffer):
    count = protocol.legal_moves(rules, state, buffer)
    return np.int64(buffer[min(player.place, count - 1)])


class Steady(Agent):
    def __init__(self, game, spec, place):
        super().__init__(game, spec)
        self.place = place

    def compiled_player(self, stop=None):
        return CompiledSteady(self.place)

    def choose(self, position, key, stop=None):
        buffer = np.empty(self.game.move_bound, np.int32)
        return Decision(int(ask(self.game.rules, self.compiled_player(), position.state, FOR_EVER, np.uint64(key), buffer)))
"""


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Path]:
    def write(text: str, name: str = "my_agent.py") -> Path:
        file = tmp_path / name
        file.write_text(text)
        return file

    return write


def test_specs_that_name_a_file() -> None:
    assert split_spec("my_agent.py") == ("my_agent.py", "") and split_spec(" a/B.py:depth=4,x ") == ("a/B.py", "depth=4,x")
    assert split_spec("C:\\games\\a.py:3") == ("C:\\games\\a.py", "3")
    for spec in ("polito:path=player.py", "qlearning:weights.py", "mcts:100", "study000:mcts", "a.python"):
        assert not names_file(spec)
    assert short_spec("/home/me/a.py:depth=4") == "a.py:depth=4" and short_spec("polito:path=/home/me/a.py") == "polito:path=/home/me/a.py"


def test_a_function_in_a_file(written: Callable[..., Path]) -> None:
    file = written(FUNCTION)
    made = agent(f"{file}:tries=1", "tictactoe")
    assert (made.spec, str(made)) == (f"{file}:1", "my_agent.py:1")
    start = made.game.start()
    decision = made.choose(start, stream(1))
    assert isinstance(decision, Decision) and start.move_text(decision.move) == start.moves()[1] and decision.report["seconds"] >= 0
    assert kind(str(file)).title == "Plays the corners"
    assert [(option.name, option.default) for option in kind(str(file)).options] == [("tries", 3), ("style", "calm")]


def test_its_identity_follows_the_file(written: Callable[..., Path]) -> None:
    """Moved, it is the same agent; edited, or with an edited module that it imports, another one, in the same process."""
    file = written(FUNCTION)
    before = agent(f"{file}:1", "tictactoe").identity
    assert before.startswith("my_agent.py@") and before.endswith(":1")
    file.parent.joinpath("there").mkdir()
    moved = written(FUNCTION, "there/my_agent.py")
    assert agent(f"{moved}:1", "tictactoe").identity == before
    written("MOVE = 0\n", "helper.py")
    file.write_text("import helper\n\n\ndef choose(position):\n    return position.legal[helper.MOVE]\n")
    first = agent(str(file), "tictactoe")
    written("MOVE = 5\n", "helper.py")
    second = agent(str(file), "tictactoe")
    assert len({before.partition(":")[0], first.identity, second.identity}) == 3
    start = first.game.start()
    assert [made.choose(start, stream(1)).move for made in (first, second)] == [start.legal[0], start.legal[5]]  # type: ignore[union-attr]


def test_an_edited_agent_plays_a_match_of_its_own(written: Callable[..., Path], tmp_path: Path) -> None:
    file, execution = written("def choose(position):\n    return position.legal[0]\n"), lm.Execution(store=tmp_path / "store.sqlite")
    first = lm.match("tictactoe", str(file), "random", games=20, execution=execution)
    again = lm.match("tictactoe", str(file), "random", games=20, execution=execution)
    assert again.counts == first.counts
    file.write_text("def choose(position):\n    return position.legal[-1]\n")
    edited = lm.match("tictactoe", str(file), "random", games=20, execution=execution)
    fresh = lm.match("tictactoe", lambda position: position.legal[-1], "random", games=20, execution=execution)
    assert edited.counts == fresh.counts != first.counts


def test_a_class_is_made_for_each_game_and_chance_comes_from_the_key(written: Callable[..., Path]) -> None:
    file = written(CLASS)
    made = agent(f"{file}:4,bold", "tictactoe")
    assert made.spec == f"{file}:4,bold"
    state, numpy_state = random.getstate(), np.random.get_state()[1].tolist()
    records = [play_game("tictactoe", made, made, seed=seed) for seed in (1, 1, 2)]
    assert records[0].moves == records[1].moves != records[2].moves
    assert random.getstate() == state and np.random.get_state()[1].tolist() == numpy_state
    players = made.player(), made.player()
    for player in (players[0], players[0], players[1]):
        player.choose(made.game.start(), stream(3))
    assert players[0]._chooser.__self__.asked == 2 and players[1]._chooser.__self__.asked == 1  # type: ignore[attr-defined]


def test_a_compiled_agent_in_a_file_plays_compiled_games(written: Callable[..., Path]) -> None:
    file = written(COMPILED)
    result = lm.match("tictactoe", f"{file}:2", lambda position: position.legal[min(2, len(position.legal) - 1)], games=40, opening_plies=3)
    assert result.pairing.a == f"{file}:2" and agent(f"{file}:2", "tictactoe").compiled_player() is not None
    twin = lm.match("tictactoe", f"{file}:2", f"{file}:2", games=40, opening_plies=3)
    assert twin.games == 40 and str(agent(str(file), "tictactoe")) == "my_agent.py"
    other = written(COMPILED.replace("count - 1)", "count - 1) * 0"), "other.py")  # classes of the same names
    for spec, expected in ((f"{file}:2", 2), (f"{other}:2", 0)):
        position = game("tictactoe").start()
        decision = agent(spec, position.game).choose(position, stream(1))
        assert isinstance(decision, Decision) and decision.move == position.legal[expected]


def test_workers_in_other_processes_find_the_file(written: Callable[..., Path]) -> None:
    file = written(CLASS)
    one, two = (
        lm.match("tictactoe", str(file), "random", games=60, seed=3, execution=lm.Execution(workers=2, pool=pool))
        for pool in ("processes", "threads")
    )
    assert one.counts == two.counts


def corner(position: Any) -> str:
    """Plays the first move."""
    return str(position.moves()[0])


class Chooser:
    def __init__(self, place: int = 1) -> None:
        self.place = place

    def choose(self, position: Any) -> Any:
        return np.int64(position.legal[min(self.place, len(position.legal) - 1)])


def test_functions_and_classes_from_python() -> None:
    by_function = lm.match("tictactoe", corner, "random", games=20)
    assert by_function.counts == lm.match("tictactoe", lambda position: Decision(position.legal[0]), "random", games=20).counts
    ladder = lm.ladder("tictactoe", agent=Chooser, rungs=(0, 3), versus=corner, games=20, opening_plies=2)
    assert [point.rung for point in ladder.points] == ["0", "3"]
    rungs = lm.ladder("tictactoe", agent=[Chooser, "mcts"], rungs=(1, 5), versus="random", games=20)
    assert {point.agent for point in rungs.points} == {kind_of_program(Chooser).name, "mcts"}
    tournament = lm.tournament("tictactoe", [corner, Chooser, "random"], games=20)
    assert {"random", "corner"} <= {player.agent for player in tournament.players}
    assert play_game("tictactoe", corner, "random").first == "corner"
    assert agent(corner, "tictactoe").spec == agent(corner, "quixo:3").spec == "corner"


class OwnAgent(Agent):
    def choose(self, position: Any, key: Any, stop: Any = None) -> Decision:
        return Decision(position.legal[0])


def test_an_agent_object_is_an_opponent_on_ladders() -> None:
    made = OwnAgent(game("tictactoe"), "own")
    ladder = lm.ladder("tictactoe", agent="mcts", rungs=(1, 10), versus=made, games=20)
    same = lm.ladder("tictactoe", agent="mcts", rungs=(1, 10), versus=corner, games=20)
    assert [point.value for point in ladder.points] == [point.value for point in same.points]
    with pytest.raises(SpecError, match="was made for mnk:3,3,3 and cannot play quixo:3"):
        lm.ladder("quixo:3", agent="mcts", rungs=(1,), versus=made, games=20)


def test_two_functions_of_one_name_are_two_agents() -> None:
    def make(place: int) -> Callable[..., Any]:
        def choose_it(position: Any) -> Any:
            return position.legal[place]

        return choose_it

    one, two = make(0), make(-1)
    assert {agent(one, "tictactoe").spec, agent(two, "tictactoe").spec} == {"choose_it", "choose_it#2"}
    assert agent("choose_it#2", "tictactoe").identity != agent("choose_it", "tictactoe").identity
    built_in = type("Random", (Chooser,), {})
    assert agent(built_in, "tictactoe").spec == "random#2" and agent("random", "tictactoe").spec == "random"


MISTAKES = {
    "def choose(position):\n    return 1 / 0\n": (AgentError, "line 2, in choose: ZeroDivisionError: division by zero"),
    "def helper():\n    return [][0]\n\n\ndef choose(position):\n    return helper()\n": (AgentError, "line 2, in helper: IndexError"),
    "def choose(position):\n    position.moves()\n": (IllegalMoveError, "choose returned nothing; it should return a move"),
    "def choose(position):\n    return 1.5\n": (IllegalMoveError, "choose returned '1.5'"),
    "def choose(position):\n    return 'Z9'\n": (IllegalMoveError, "'Z9'"),
    "def choose(position):\n    return 77\n": (IllegalMoveError, "move number 77 is not allowed here; legal numbers are 0, 1, 2, "),
    "def choose(position, depth):\n    return 0\n": (SpecError, "choose takes depth without a default; write depth=VALUE"),
    "def choose():\n    return 0\n": (SpecError, "choose takes no position; write choose(position)"),
    "def choose(position, depth=[]):\n    return 0\n": (SpecError, "the default of depth is '[]'"),
    "x = 1\n\nimport nothing_of_that_name\n": (SpecError, "line 3: ModuleNotFoundError: No module named 'nothing_of_that_name'"),
    "def choose(position:\n": (SpecError, "does not load: SyntaxError"),
    "x = 1\n": (SpecError, "has no function choose(position), no class with choose(self, position), and no AGENT = AgentKind"),
    "AGENT = 3\n": (SpecError, "AGENT is '3'; write AGENT = AgentKind"),
    "OPTIONS = {'deep': 'x'}\ndef choose(position):\n    return 0\n": (SpecError, "OPTIONS explains deep, which is no keyword parameter"),
    "class A:\n    def choose(self, p): ...\nclass B:\n    def choose(self, p): ...\n": (SpecError, "the classes A, B all have choose"),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_are_told_in_a_line(text: str, written: Callable[..., Path]) -> None:
    error, message = MISTAKES[text]
    with pytest.raises(error) as caught:
        play_game("tictactoe", str(written(text)), "random")
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1 and "my_agent.py" in str(caught.value)


def test_options_are_checked_and_explained(
    written: Callable[..., Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "from typing import Literal\nOPTIONS = {'tries': 'moves it looks at'}\n" + FUNCTION.replace(
        "style: str", 'style: Literal["calm", "wild"]'
    )
    file = written(text)
    for spec, message in (
        ("tries=x", "tries is a whole number, not 'x'"),
        ("deep=1", "has no option 'deep'; options are tries, style"),
        ("style=odd", "style is one of calm, wild"),
    ):
        with pytest.raises(SpecError, match=message):
            agent(f"{file}:{spec}", "tictactoe")
    monkeypatch.chdir(file.parent)
    assert main(["agents", "my_agent.py", "--json"]) == 0
    (shown,) = json.loads(capsys.readouterr().out)
    assert [(option["name"], option["default"], option["help"]) for option in shown["options"]][0] == ("tries", 3, "moves it looks at")
    assert main(["agents", "my_agent.py"]) == 0
    assert "write my_agent.py or my_agent.py:OPTION=VALUE" in capsys.readouterr().out
    written(
        "from ludometer.core.agent import Option\nOPTIONS = (Option('tries', 5, 'n', least=1, most=9),)\n"
        "def choose(position, tries=5):\n    return 0\n"
    )
    with pytest.raises(SpecError, match="tries is a whole number between 1 and 9, not 10"):
        agent("my_agent.py:10", "tictactoe")


def test_files_on_the_command_line(
    written: Callable[..., Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(written(FUNCTION).parent)
    for words in (
        ["match", "tictactoe", "my_agent.py:2", "random", "--games", "10"],
        ["tournament", "tictactoe", "my_agent.py", "random", "my_agent.py:2", "--games", "4"],
        ["ladder", "tictactoe", "--agent", "my_agent.py", "--rungs", "1,2", "--versus", "random", "--games", "4"],
        ["play", "tictactoe", "--first", "my_agent.py", "--second", "random"],
    ):
        assert main([*words, "--json", *([] if words[0] == "play" else ["--no-store"])]) == 0, words
        json.loads(capsys.readouterr().out)
    assert main(["tree", "tictactoe", "start", "--agent", "my_agent.py"]) == 2
    assert "my_agent.py does not search depth first" in capsys.readouterr().err


def test_input_from_outside_names_no_file_and_runs_none(written: Callable[..., Path], tmp_path: Path) -> None:
    proof = tmp_path / "was_run"
    file = written(f"open({str(proof)!r}, 'w')\n{FUNCTION}")
    chosen = game("tictactoe")
    for ask in (
        lambda: untrusted.agent(str(file), chosen),
        lambda: untrusted.agent_spec(f" {file}:tries=1 ", chosen),
        lambda: untrusted.player_spec(str(file), chosen),
        lambda: untrusted.check_family(str(file)),
        lambda: requests._ladder({"games": ["tictactoe"], "agents": [str(file)], "rungs": ["1"], "measure": "outcome", "versus": "random"}),
        lambda: requests._match({"game": "tictactoe", "a": str(file), "b": "random"}),
    ):
        with pytest.raises(LudometerError, match="an agent file cannot be named from outside"):
            ask()
    assert not proof.exists()
    kind_of_program(corner)
    with pytest.raises(SpecError, match="cannot be had from outside"):
        untrusted.agent_spec("corner", chosen)
    assert canonical_spec(str(file), chosen) == str(file) and proof.exists()
