"""Players of known strength in place of a game: their games follow the model of levels exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ludometer.arena.experiments.scale_climb import Played, Wanted
from ludometer.arena.statistics.levels import score_of_levels
from ludometer.arena.statistics.pair_counts import PairCounts
from ludometer.core.random import stream


def played_pairs(score: float, pairs: int, draws: float, chance: np.random.Generator) -> PairCounts:
    """Pairs of games in which A is expected to score this; `draws` is the share of the possible draws that occur."""
    drawn = draws * 2 * min(score, 1 - score)
    won = score - drawn / 2
    points = np.array([2, 1, 0])[np.searchsorted([won, won + drawn], chance.random((pairs, 2)), side="right")]
    return PairCounts(tuple(np.bincount(3 * points[:, 0] + points[:, 1], minlength=9).tolist()))


def playing(level: Callable[[str], float], seed: int = 0, draws: float = 0.0, score: Callable[[str, str], float | None] | None = None):
    """A `play` function for `ScaleClimb`: players have these levels, or the scores that `score` gives."""

    def play(wanted: Sequence[Wanted], what: str) -> list[Played]:
        results = []
        for match in wanted:
            expected = score(match.a, match.b) if score is not None else None
            if expected is None:
                expected = score_of_levels(level(match.a) - level(match.b))
            chance = np.random.default_rng(int(stream(seed, match.a, match.b)))
            results.append(Played(played_pairs(expected, match.pairs, draws, chance)))
        return results

    return play


def budget_of(player: str) -> int:
    """Iterations of a rung; 0 for random play."""
    return int(player.partition(":")[2]) if player.startswith("uct:") else 0
