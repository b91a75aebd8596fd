"""What every agent must do, at every kind of game it does not refuse; new agents and games take part without being named here.

A kind of agent that needs something a game does not have (a solved table, features) says so in `refuses`, or is refused when made, in
one line.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludometer.agents import agent, kinds
from ludometer.arena.play.playing import play_game
from ludometer.checks.game_contract import random_positions
from ludometer.core.agent import Agent, AgentKind, Decision
from ludometer.core.errors import SpecError
from ludometer.core.game import Game
from ludometer.core.position import Position
from ludometer.core.random import stream
from ludometer.games import game
from ludometer.games import kinds as game_kinds

# These are tested on their own: one asks a person, two need a file, one is another name of the yardstick.
NOT_ALONE = ("human", "polito", "engine", "level")
# Games that differ in all that an agent can notice: repetition, points and further moves, captures, passes, boards in boards, no turns.
TELLING = ("quixo:3", "tictactoe", "dots:2x2", "morris:3", "othello:4", "ultimate", "matrix:dispersion")
# Small budgets by the names that options have; an agent without such an option is fast enough.
SMALL = {"iterations": "30", "depth": "2", "simulations": "30"}
GAMES = TELLING
FURTHER = [kind.listed[0] for kind in game_kinds().values() if kind.name not in {game(spec).kind.name for spec in TELLING}]
AGENTS = [name for name in kinds() if name not in NOT_ALONE]
FITTING = [(name, spec) for name in AGENTS for spec in GAMES if kinds()[name].refuses(game(spec)) is None]
FITTING_FURTHER = [
    pytest.param(name, spec, marks=pytest.mark.nightly)
    for name in AGENTS
    for spec in FURTHER
    if name not in ("optimal", "openspiel") and kinds()[name].refuses(game(spec)) is None
]
REFUSED = [(name, spec) for name in AGENTS for spec in GAMES if kinds()[name].refuses(game(spec))]

PATHS: dict[Position, list[Position]] = {}  # the positions of a game, from the start to this one


def small_spec(kind: AgentKind) -> str:
    """The kind with a budget that suits a test."""
    options = [f"{option.name}={SMALL[option.name]}" for option in kind.options if option.name in SMALL]
    return f"{kind.name}:{','.join(options)}" if options else kind.name


def some_positions(chosen: Game) -> list[Position]:
    """The start, the middle of random games, and positions with one or two moves to go."""
    found = {}
    for number in range(3):
        played = random_positions(chosen, 1, number)
        limit = chosen.kind.ply_limit or len(played)
        going = [position for position in played[:limit] if not position.is_over]
        for place in (0, len(going) // 2, *range(max(0, len(going) - 2), len(going))):
            found[going[place]] = None
            PATHS[going[place]] = going[: place + 1]
    return list(found)


def decide(player: Agent, position: Position, number: int) -> Decision:
    """A decision in a new game, in which the player has seen the moves that led to this position."""
    path = PATHS[position]
    seated = player.player(path[0], position.player, position.game.kind.ply_limit)
    for after in path[1:]:
        assert after.last is not None
        seated.observe(after.last, after)
    decision = seated.choose(path[-1], stream(7, number))
    seated.leave()
    assert isinstance(decision, Decision)
    return decision


def decisions(name: str, spec: str) -> list[int]:
    """The moves an agent chooses at some positions."""
    chosen = game(spec)
    player = agent(small_spec(kinds()[name]), chosen)
    return [decide(player, position, number).move for number, position in enumerate(some_positions(chosen))]


def print_decisions() -> None:
    """The decisions of all agents as JSON; for one that fails, the error, which is no list of moves."""
    found: dict[str, list[int] | str] = {}
    for name, spec in FITTING:
        try:
            found[f"{name} {spec}"] = decisions(name, spec)
        except Exception as error:
            found[f"{name} {spec}"] = repr(error)
    print(json.dumps(found))


@pytest.fixture(scope="module", autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Agents that solve a game first keep the tables here, and not among the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDOMETER_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(scope="module")
def elsewhere(own_home: None) -> dict[str, list[int]]:
    """What all agents decide in another process."""
    command = [sys.executable, "-c", "from tests.test_agents_contract import print_decisions; print_decisions()"]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True, cwd=Path(__file__).parents[1])
    found: dict[str, list[int]] = json.loads(answer.stdout)
    return found


@pytest.mark.parametrize(("name", "spec"), [*FITTING, *FITTING_FURTHER])
def test_moves_are_legal_and_the_position_stays(name: str, spec: str) -> None:
    chosen = game(spec)
    player = agent(small_spec(kinds()[name]), chosen)
    for number, position in enumerate(some_positions(chosen)):
        before = (str(position), position.state, position.legal)
        decision = decide(player, position, number)
        assert isinstance(decision.move, int) and decision.move in position.legal
        assert (str(position), position.state, position.legal) == before
        assert decision.value is None or isinstance(decision.value, float)
        if kinds()[name].options:
            assert decision.report["seconds"] >= 0
        json.dumps(decision.report)


@pytest.mark.parametrize(("name", "spec"), FITTING)
def test_the_same_key_gives_the_same_move(name: str, spec: str, elsewhere: dict[str, list[int]]) -> None:
    once, twice = decisions(name, spec), decisions(name, spec)
    assert once == twice == elsewhere[f"{name} {spec}"]


@pytest.mark.parametrize(("name", "spec"), [*FITTING, *FITTING_FURTHER])
def test_whole_games_are_played(name: str, spec: str) -> None:
    player = agent(small_spec(kinds()[name]), game(spec))
    for seed, players in enumerate([(player, "random"), ("random", player), (player, player)]):
        record = play_game(spec, *players, seed)
        assert record.result and len(record.moves) >= 1
        record.check()
        assert play_game(spec, *players, seed).moves == record.moves, "a new game must not depend on the last one"


@pytest.mark.parametrize(("name", "spec"), REFUSED)
def test_what_does_not_fit_is_refused_with_a_reason(name: str, spec: str) -> None:
    with pytest.raises(SpecError) as refusal:
        agent(small_spec(kinds()[name]), game(spec))
    message = str(refusal.value)
    assert len(message.splitlines()) == 1
    assert name in message and game(spec).spec in message and str(kinds()[name].refuses(game(spec))) in message


@pytest.mark.parametrize("name", AGENTS)
def test_wrong_options_are_refused_in_a_line(name: str) -> None:
    kind = kinds()[name]
    wrong = ["nonsense=1", "=", ",", *(["nonsense"] if not kind.main or not isinstance(default(kind, kind.main), str) else [])]
    for option in kind.options:
        if option.choices or not isinstance(option.default, str):
            wrong.append(f"{option.name}=nonsense")
        wrong += [f"{option.name}={option.least - 1}"] if option.least is not None else []
        wrong += [f"{option.name}={option.most * 2 + 1}"] if option.most is not None else []
    chosen = game(next(spec for other, spec in FITTING if other == name))
    for options in wrong:
        with pytest.raises(SpecError) as refusal:
            agent(f"{name}:{options}", chosen)
        message = str(refusal.value)
        assert len(message.splitlines()) == 1 and len(message) < 600 and name in message, options


def default(kind: AgentKind, option: str) -> object:
    return next(one.default for one in kind.options if one.name == option)


@pytest.mark.parametrize("name", AGENTS)
def test_options_are_explained(name: str) -> None:
    kind = kinds()[name]
    assert kind.title and not kind.title.endswith(".")
    assert not kind.main or kind.main in [option.name for option in kind.options]
    assert all(option.help and "\n" not in option.help for option in kind.options)
