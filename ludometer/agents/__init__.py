"""All agents, found by looking: every module here that has an `AGENT` (or several, as `AGENTS`), and the players of other systems that
`ludometer.bridges` declares.

An agent module loads no compiler when imported: compiled code stands in modules beside it, fetched when an agent is made.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import lru_cache

from ludometer import games
from ludometer.core.agent import Agent, AgentKind
from ludometer.core.errors import SpecError, shorten
from ludometer.core.game import Game


@lru_cache(maxsize=1)
def kinds() -> dict[str, AgentKind]:
    """All agent kinds by name."""
    found = {}
    for module in pkgutil.iter_modules(__path__):
        if module.name.endswith("_kernels"):
            continue
        loaded = importlib.import_module(f"{__name__}.{module.name}")
        for kind in getattr(loaded, "AGENTS", ()) or (getattr(loaded, "AGENT", None),):
            if isinstance(kind, AgentKind):
                found[kind.name] = kind
    from ludometer.bridges import AGENTS

    return found | {kind.name: kind for kind in AGENTS}


def agent(spec: str | Agent, game: Game | str) -> Agent:
    """The agent a spec names, ready to play `game`; raises SpecError that says what would be right."""
    game = games.game(game)
    if isinstance(spec, Agent):
        if spec.game != game:
            raise SpecError(f"{spec} was made for {spec.game.spec} and cannot play {game.spec}")
        return spec
    found, parameters = kind_and_parameters(spec)
    return found.agent(game, parameters)


def canonical_spec(spec: str, game: Game) -> str:
    """The canonical spec of the agent that a spec names, which is not made: no table is opened, nothing is learnt.

    Raises SpecError as `agent` does, as far as the spec alone and the kind of game tell.
    """
    found, parameters = kind_and_parameters(spec)
    return found.spec(found.options_for(game, parameters))


def kind(name: str) -> AgentKind:
    """The agent kind of this name; raises SpecError."""
    found = kinds().get(name.strip().lower())
    if found is None:
        close = difflib.get_close_matches(name.lower(), list(kinds()), n=1)
        hint = f"did you mean {close[0]}?" if close else "agents are " + ", ".join(kinds())
        raise SpecError(f"no agent is called {shorten(name)}; {hint}")
    return found


def kind_and_parameters(spec: str) -> tuple[AgentKind, str]:
    """The kind of agent that a spec names, and what stands after the colon."""
    name, _, parameters = spec.strip().partition(":")
    return kind(name), parameters
