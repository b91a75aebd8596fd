"""The programs of the studies as agents: `study000:mcts`, `study003:alphabeta` and so on.

A study declares them as `AGENTS` in its module `agents`, which loads no compiler.  `ludometer.agents` finds them by name; they are not
among the agents listed for every game.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from ludometer.core.agent import AgentKind

_PREFIX = "study_"


@cache
def kinds() -> dict[str, AgentKind]:
    """The agents of all studies by name."""
    import ludometer.studies as package

    found: dict[str, AgentKind] = {}
    for module in sorted(pkgutil.iter_modules(package.__path__, f"{package.__name__}."), key=lambda one: one.name):
        if not module.name.rpartition(".")[2].startswith(_PREFIX):
            continue
        names = {one.name for one in pkgutil.iter_modules(importlib.import_module(module.name).__path__)}
        if "agents" in names:
            declared = importlib.import_module(f"{module.name}.agents").AGENTS
            found |= {kind.name: kind for kind in declared}
    return found
