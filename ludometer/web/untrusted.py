"""Games and agents named by input from outside: forms, addresses, requests of other programs.

This is the one module of the lab that hands such a name to the library.  What outside input may name is declared where it belongs, on each
`GameKind` and `Option`: no file, no program, bounded sizes and budgets.
"""

from __future__ import annotations

from ludometer import agents, games
from ludometer.core.agent import Agent
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
    _check_agent(spec)
    return agents.agent(spec, game)


def agent_spec(spec: str, game: Game) -> str:
    """The canonical spec of an agent, which is not made; raises LudometerError for one that cannot play this game."""
    _check_agent(spec)
    return agents.canonical_spec(spec, game)


def _check_agent(spec: str) -> None:
    kind, parameters = agents.kind_and_parameters(spec)
    kind.check_outside(parameters)


def player_spec(spec: str, game: Game) -> str:
    """`agent_spec`, or `human`."""
    return HUMAN if spec.strip().lower() in (HUMAN, f"{HUMAN}:") else agent_spec(spec, game)
