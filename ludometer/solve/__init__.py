"""Exact answers: counts, values and distances."""

from __future__ import annotations

from ludometer.core.game import GameKind


def is_solvable(kind: GameKind, parameters: str) -> bool:
    """Whether the exact solvers reach this game; loads no compiler."""
    return not kind.simultaneous and kind.solvable(parameters)
