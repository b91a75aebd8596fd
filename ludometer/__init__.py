"""ludometer solves, plays and measures two-player games.

    import ludometer as lm
    game = lm.game("quixo:4")
    position = game.start().play("A1>right")
    lm.solve(game).probe(position).best

Importing this package loads no compiler: the names below are fetched when first used.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "game": "ludometer.games",
    "Game": "ludometer.core.game",
    "GameKind": "ludometer.core.game",
    "Position": "ludometer.core.position",
    "LudometerError": "ludometer.core.errors",
    "play_game": "ludometer.arena.playing",
    "Record": "ludometer.core.record",
    "solve": "ludometer",  # the module ludometer.solve, which can be called
    "open_solution": "ludometer.solve",
    "forecast": "ludometer.solve",
    "verify": "ludometer.solve.verification",
    "matrix_game": "ludometer.games.matrix.bimatrix",
    "equilibria": "ludometer.dynamics.equilibria",
    "learning_dynamics": "ludometer.dynamics.portrait",
    "run_learners": "ludometer.dynamics.learners",
    "logit_equilibria": "ludometer.dynamics.logit",
    "parse_records": "ludometer.core.record",
    "read_records": "ludometer.core.record",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ludometer' has no attribute {name!r}")
    if name == "solve":
        return importlib.import_module("ludometer.solve")  # importing binds it here
    # import_module(name) would bind the submodule `ludometer.games`, never the function: fetch and keep the attribute
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
