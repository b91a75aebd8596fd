"""Registry of the agents in use: each is made once in each process, by game and name.

A name is a canonical spec, from which any process can make the agent.  An agent of a caller's own class is entered under its spec,
with #2, #3, … if another agent has that name.  Only this process can play with it.  An agent from an edited file is made anew when it
is entered again.
"""

from __future__ import annotations

import uuid
from functools import lru_cache

from ludometer.agents import AgentLike, kind_and_parameters, spec_of
from ludometer.agents import agent as find_agent
from ludometer.agents.human import HumanAgent
from ludometer.core.agent import Agent
from ludometer.core.errors import LudometerError, SpecError
from ludometer.core.game import Game
from ludometer.games import game as find_game

_entered: dict[tuple[str, str], Agent] = {}  # (game, name) -> an agent made by the caller
_tokens: dict[tuple[str, str], str] = {}  # of those that only this process can make
_versions: dict[str, str] = {}  # spec of an agent of the user's own -> the version of its program when it was last entered


def enter(game: Game, given: AgentLike) -> str:
    """Name of an agent for `agent_named`; raises LudometerError for `human`, who cannot play matches."""
    if not isinstance(given, Agent):
        given = _current_spec(game, spec_of(given))
    found = given if isinstance(given, Agent) else agent_named(game.reference, given)
    if isinstance(found, HumanAgent):
        raise LudometerError("human cannot play a match; `ludometer play` plays one game with you")
    if not isinstance(given, Agent):
        return given if given in _versions else found.spec
    find_agent(given, game)  # raises if it was made for another game
    if _is_made_from_spec(given):
        _entered.setdefault((game.reference, given.spec), given)
        return given.spec
    number = 1
    while (at := (game.reference, given.spec if number == 1 else f"{given.spec}#{number}")) in _entered and _entered[at] is not given:
        number += 1
    _entered[at] = given
    _tokens.setdefault(at, uuid.uuid4().hex[:12])
    return at[1]


def _current_spec(game: Game, spec: str) -> str:
    """The canonical spec, noted with the present version of the agent's program if that is not a part of this package."""
    kind, parameters = kind_and_parameters(spec)
    if kind.version:
        spec = kind.spec(kind.options_for(game, parameters))
        _versions[spec] = kind.version
    return spec


def _is_made_from_spec(agent: Agent) -> bool:
    """Whether another process can make this agent from its spec."""
    try:
        kind, parameters = kind_and_parameters(agent.spec)
    except SpecError:
        return False
    return kind.identity(kind.parse_options(parameters), agent.game) == agent.identity if kind.version else kind.home == _home_of(agent)


def _home_of(agent: Agent) -> str:
    return f"{type(agent).__module__}:{type(agent).__qualname__}"


def agent_named(game: str, name: str) -> Agent:
    """The agent of this name; made once in each process."""
    return _entered.get((game, name)) or _made(game, name, _versions.get(name, ""))


@lru_cache(maxsize=64)
def _made(game: str, spec: str, version: str) -> Agent:
    return find_agent(spec, find_game(game))


def identity(game: str, name: str) -> str:
    """Everything that the agent's play depends on; unique to the object for an agent of a caller's own class."""
    token = _tokens.get((game, name))
    agent = agent_named(game, name)
    return agent.identity if token is None else f"{agent.identity}@{token}"


def is_local(game: str, name: str) -> bool:
    """Whether only this process has that agent."""
    return (game, name) in _tokens or (name in _versions and kind_and_parameters(name)[0].local)


def is_compiled(game: str, name: str) -> bool:
    """Whether the agent can play compiled games."""
    return _is_compiled(game, name, _versions.get(name, ""))


@lru_cache(maxsize=256)
def _is_compiled(game: str, name: str, version: str) -> bool:
    return agent_named(game, name).compiled_player() is not None
