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

from ludometer.core import hooks

__version__ = "0.2.0"

# What `core` and `agents` ask of the packages above them; see core/hooks.py.
hooks.provide("game", "ludometer.games:game")
hooks.provide("game kind", "ludometer.games:kind_of")
hooks.provide("position svg", "ludometer.view.svg:position_svg")
hooks.provide("position text", "ludometer.view.terminal:position_text")
hooks.provide("dynamics picture", "ludometer.view.dynamics_plots:picture")
hooks.provide("dynamics svg", "ludometer.view.dynamics_plots:svg")
hooks.provide("outside agents", "ludometer.bridges:AGENTS")
hooks.provide("ladder text", "ludometer.view.ladders:ladder_text")
hooks.provide("ladder html", "ludometer.view.ladders:ladder_html")
hooks.provide("ladder plot", "ludometer.view.ladders:ladder_plot")
hooks.provide("depth text", "ludometer.view.depths:depth_text")
hooks.provide("depth html", "ludometer.view.depths:depth_html")
hooks.provide("depth plot", "ludometer.view.depths:depth_plot")
hooks.provide("report text", "ludometer.view.reports:report_text")
hooks.provide("report html", "ludometer.view.report_pages:report_html")
hooks.provide("report file", "ludometer.view.reports:report_file")
hooks.provide("match text", "ludometer.view.matches:match_text")
hooks.provide("match html", "ludometer.view.matches:match_html")
hooks.provide("match plot", "ludometer.view.matches:match_plot")
hooks.provide("tournament text", "ludometer.view.tournaments:tournament_text")
hooks.provide("tournament html", "ludometer.view.tournaments:tournament_html")
hooks.provide("tournament plot", "ludometer.view.tournaments:tournament_plot")

_HOMES = {
    "game": "ludometer.games",
    "Game": "ludometer.core.game",
    "GameKind": "ludometer.core.game",
    "Position": "ludometer.core.position",
    "LudometerError": "ludometer.core.errors",
    "agent": "ludometer.agents",
    "play_game": "ludometer.arena.playing",
    "ladder": "ludometer.arena.ladder",
    "depth": "ludometer.arena.depth",
    "report": "ludometer.arena.report",
    "match": "ludometer.arena.match",
    "tournament": "ludometer.arena.tournament",
    "Store": "ludometer.arena.store",
    "Session": "ludometer.arena.session",
    "Record": "ludometer.core.record",
    "open_solution": "ludometer.solve",
    "forecast": "ludometer.solve",
    "predecessors": "ludometer.solve",
    "verify": "ludometer.solve.verification",
    "matrix_game": "ludometer.games.matrix.bimatrix",
    "equilibria": "ludometer.dynamics.equilibria",
    "learning_dynamics": "ludometer.dynamics.portrait",
    "run_learners": "ludometer.dynamics.learners",
    "logit_equilibria": "ludometer.dynamics.logit",
    "parse_records": "ludometer.core.record",
    "read_records": "ludometer.core.record",
}

# A package stands under the name of this function.  Importing it binds the package here, the end of the statement the function, and so it
# stays, because a package is imported once.  `from ludometer.solve import …` reads the package all the same.
from ludometer.solve import solve  # noqa: E402

__all__ = ["__version__", "solve", *_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ludometer' has no attribute {name!r}")
    # import_module(name) would bind the submodule `ludometer.games`, never the function: fetch and keep the attribute
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
