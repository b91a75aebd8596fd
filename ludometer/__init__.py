"""ludometer solves, plays and measures two-player games.

    import ludometer as lm
    game = lm.game("quixo:4")
    position = game.start().play("A1>right")
    lm.solve(game).probe(position).best

Importing this package loads no compiler: the names below are fetched when first used.
"""

from __future__ import annotations

import ast
import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludometer.agents import agent as agent
    from ludometer.arena.experiments.depth import depth as depth
    from ludometer.arena.experiments.depth import plan_depth as plan_depth
    from ludometer.arena.experiments.ladder import ladder as ladder
    from ludometer.arena.experiments.match import match as match
    from ludometer.arena.experiments.rating import rate as rate
    from ludometer.arena.experiments.report import report as report
    from ludometer.arena.experiments.tournament import tournament as tournament
    from ludometer.arena.play.playing import play_game as play_game
    from ludometer.arena.play.session import Session as Session
    from ludometer.arena.work.execution import Execution as Execution
    from ludometer.arena.work.store import Store as Store
    from ludometer.core.errors import LudometerError as LudometerError
    from ludometer.core.game import Game as Game
    from ludometer.core.game import GameKind as GameKind
    from ludometer.core.position import Position as Position
    from ludometer.core.record import Record as Record
    from ludometer.core.record import parse_records as parse_records
    from ludometer.core.record import read_records as read_records
    from ludometer.core.states import MoveLists as MoveLists
    from ludometer.core.states import States as States
    from ludometer.dynamics.equilibria import equilibria as equilibria
    from ludometer.dynamics.learners import run_learners as run_learners
    from ludometer.dynamics.logit import logit_equilibria as logit_equilibria
    from ludometer.dynamics.portrait import learning_dynamics as learning_dynamics
    from ludometer.games import game as game
    from ludometer.games.matrix.bimatrix import matrix_game as matrix_game
    from ludometer.solvers import forecast as forecast
    from ludometer.solvers import open_solution as open_solution
    from ludometer.solvers import predecessors as predecessors
    from ludometer.solvers import solve as solve
    from ludometer.solvers.verification import verify as verify

__version__ = "0.2.0"


def _homes() -> dict[str, str]:
    """Public name -> the module that defines it, read from the imports for type checkers above."""
    source = __spec__.loader.get_source(__name__)  # type: ignore[union-attr]  # a package has a loader, and ours has sources
    branch = next(node for node in ast.parse(source).body if isinstance(node, ast.If))
    return {alias.name: str(node.module) for node in branch.body if isinstance(node, ast.ImportFrom) for alias in node.names}


_HOMES = _homes()

__all__ = ["__version__", *_HOMES]

if not TYPE_CHECKING:  # a checker must see that other names are wrong

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module 'ludometer' has no attribute {name!r}")
        value = getattr(importlib.import_module(_HOMES[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
