"""Iterated elimination of dominated strategies, one step after the other, exactly.

A strategy is strictly dominated if some mixture of the player's other strategies earns more against everything the other player can
still do, and weakly dominated if it earns as much everywhere and more somewhere.  Strict elimination leaves the same game in
whatever order it is done and loses no equilibrium; weak elimination depends on the order and can lose some.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ludometer.core.errors import LudometerError, shorten
from ludometer.dynamics.payoffs import GameLike, find_game, names_of, transposed
from ludometer.dynamics.pivoting import maximise
from ludometer.games.matrix.bimatrix import Bimatrix, Payoffs

KINDS = ("strict", "weak")


@dataclass(frozen=True)
class Elimination:
    """One strategy that goes, and why."""

    player: int  # 0: row, 1: column
    action: int  # its number in the whole game
    by: tuple[Fraction, ...]  # the mixture that dominates it, over all of the player's actions

    @property
    def pure(self) -> bool:
        return max(self.by) == 1


@dataclass(frozen=True)
class Reduction:
    """All steps, and what is left."""

    game: Bimatrix
    kind: str
    steps: tuple[Elimination, ...]
    rows: tuple[int, ...]  # actions that are left
    columns: tuple[int, ...]

    @property
    def solved(self) -> bool:
        """Whether one pair of actions is left."""
        return len(self.rows) == len(self.columns) == 1

    def __str__(self) -> str:
        from ludometer.view.dynamics.text import reduction_text

        return reduction_text(self)

    __repr__ = __str__

    def document(self) -> dict[str, Any]:
        names = names_of(self.game)
        return {
            "kind": self.kind,
            "steps": [
                {"player": ("row", "column")[step.player], "action": names[step.player][step.action], "by": list(map(str, step.by))}
                for step in self.steps
            ],
            "left": {"row": [names[0][action] for action in self.rows], "column": [names[1][action] for action in self.columns]},
        }


def eliminate(game: GameLike, kind: str = "strict") -> Reduction:
    """Eliminate dominated strategies until none is left, the row player's first in every round; raises LudometerError."""
    check_kind(kind)
    table, _ = find_game(game)
    kept = [list(range(len(table.row_labels))), list(range(len(table.column_labels)))]
    tables = (table.row_payoffs, transposed(table.column_payoffs))
    steps: list[Elimination] = []
    changed = True
    while changed:
        changed = False
        for player in (0, 1):
            for action in list(kept[player]):
                mixture = dominating(tables[player], action, kept[player], kept[1 - player], kind == "strict")
                if mixture is not None:
                    steps.append(Elimination(player, action, mixture))
                    kept[player].remove(action)
                    changed = True
    return Reduction(table, kind, tuple(steps), tuple(kept[0]), tuple(kept[1]))


def check_kind(kind: str) -> None:
    if kind not in KINDS:
        raise LudometerError(f"elimination is strict or weak, not {shorten(kind)}")


def dominating(payoffs: Payoffs, action: int, own: list[int], others: list[int], strict: bool) -> tuple[Fraction, ...] | None:
    """A mixture of the player's actions `own` that dominates `action` against `others`, a pure one where there is one, or None.

    payoffs[i][j] is what the player earns with action i against j.
    """
    rivals = [rival for rival in own if rival != action]
    gains = [[payoffs[rival][other] - payoffs[action][other] for other in others] for rival in rivals]
    for rival, gain in zip(rivals, gains):
        if min(gain) > 0 or (not strict and min(gain) >= 0 and max(gain) > 0):
            return tuple(Fraction(int(place == rival)) for place in range(len(payoffs)))
    if len(rivals) < 2:
        return None
    scale = math.lcm(*(gain.denominator for row in gains for gain in row))
    whole = [[int(gain * scale) for gain in row] for row in gains]
    # Weights of the rivals sum to at most 1, the rest stays on the action itself, which gains nothing.
    losses = [[-row[place] for row in whole] for place in range(len(others))]
    one = [1] * len(rivals)
    if strict:  # the last variable is the least gain
        best = maximise([0] * len(rivals) + [1], [row + [1] for row in losses] + [one + [0]], [0] * len(others) + [1])
    else:
        best = maximise([sum(row) for row in whole], losses + [one], [0] * len(others) + [1])
    assert best is not None
    if best.value <= 0:
        return None
    weights = best.point[: len(rivals)]
    total = sum(weights)
    mixture = dict(zip(rivals, (weight / total for weight in weights)))
    return tuple(mixture.get(place, Fraction(0)) for place in range(len(payoffs)))
