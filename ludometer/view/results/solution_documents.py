"""What was solved, as documents: plain dictionaries that the command line prints as JSON and other programs can send on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ludometer.core.position import Position
from ludometer.solvers.solution import VALUE_NAMES, Probe, Solution, Value

_TOTALS = ("game", "states", "win", "loss", "draw", "start", "histogram")


def solve_document(solution: Solution, folder: Path | None = None, verification: dict[str, Any] | None = None) -> dict[str, Any]:
    """All that solving a game found; `folder` is where it is kept, `verification` what `verify` said of it."""
    document = solution.summary()
    if folder is not None:
        document["tables"] = str(folder)
    if verification is not None:
        document["verification"] = verification
    return document


def analysis_document(solution: Solution) -> dict[str, Any]:
    """Totals, classes and distances of a solved game; raises LudometerError where nothing was counted."""
    summary = solution.summary()
    return {**{key: summary[key] for key in _TOTALS}, "classes": solution.classes()}


def probe_document(position: Position, found: Probe) -> dict[str, Any]:
    """The value of a position and of each of its moves."""
    return {
        "game": position.game.spec,
        "position": str(position),
        "turn": position.turn,
        **_value_keys(found.value),
        "moves": [{"move": position.move_text(move), **_value_keys(value)} for move, value in found.moves],
        "best": [position.move_text(move) for move in found.best],
        "keeping": [position.move_text(move) for move in found.keeping],
    }


def predecessors_document(found: Sequence[tuple[int, Position]]) -> list[dict[str, Any]]:
    """The positions before a position (see `solvers.predecessors`), and the moves that lead from them to it."""
    return [{"position": str(before), "move": before.move_text(move)} for move, before in found]


def _value_keys(value: Value) -> dict[str, Any]:
    keys: dict[str, Any] = {"value": VALUE_NAMES[value.outcome], "distance": value.distance}
    return keys if value.margin is None else {**keys, "margin": value.margin}
