"""All agents, found by looking: every module here that has an `AGENT` (or several, as `AGENTS`).

An agent module loads no compiler when imported: compiled code stands in modules beside it, fetched when an agent is made.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import lru_cache

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
    return found


def agent(spec: str | Agent, game: Game) -> Agent:
    """The agent a spec names, ready to play `game`; raises SpecError that says what would be right."""
    if isinstance(spec, Agent):
        return spec
    name, _, parameters = spec.strip().partition(":")
    kind = kinds().get(name.lower())
    if kind is None:
        close = difflib.get_close_matches(name.lower(), list(kinds()), n=1)
        hint = f"did you mean {close[0]}?" if close else "agents are " + ", ".join(kinds())
        raise SpecError(f"no agent is called {shorten(name)}; {hint}")
    return kind.agent(game, parameters)
