"""Games and agents named by input from outside: forms, addresses, requests of other programs.

This is the one module of the lab that hands such a name to the library.  What outside input may name is declared where it belongs, on each
`GameKind` and `Option`: no file, no program, bounded sizes and budgets.
"""

from __future__ import annotations

from ludometer import agents, games
from ludometer.core.agent import Agent, names_file, split_spec
from ludometer.core.errors import SpecError
from ludometer.core.game import Game

HUMAN = "human"


def game(spec: str) -> Game:
    """The game of a spec; raises LudometerError."""
    if games.names_file(spec):
        raise SpecError("a game file cannot be named from outside; games are " + ", ".join(games.kinds()))
    kind, parameters = games.built_in(spec)
    kind.check_outside(parameters)
    return kind.game(parameters)


def agent(spec: str, game: Game) -> Agent:
    """The agent of a spec; raises LudometerError."""
    check_agent(spec)
    return agents.agent(spec, game)


def agent_spec(spec: str, game: Game) -> str:
    """The canonical spec of an agent, which is not made; raises LudometerError for one that cannot play this game."""
    check_agent(spec)
    return agents.canonical_spec(spec, game)


def check_agent(spec: str) -> None:
    """Raise LudometerError unless input from outside may name this agent; no file is read for that."""
    if names_file(spec) or names_file(split_spec(spec)[0]):
        raise SpecError("an agent file cannot be named from outside; agents are " + ", ".join(agents.kinds()))
    kind, parameters = agents.kind_and_parameters(spec)
    kind.check_outside(parameters)


def check_family(spec: str) -> None:
    """Raise LudometerError for a family of agents that names a program; options are checked with each rung."""
    name = split_spec(spec)[0]
    if names_file(spec) or names_file(name):
        check_agent(spec)
    kind = agents.kind(name)
    if kind.inside_only:
        kind.check_outside("")


def player_spec(spec: str, game: Game) -> str:
    """`agent_spec`, or `human`."""
    return HUMAN if spec.strip().lower() in (HUMAN, f"{HUMAN}:") else agent_spec(spec, game)
