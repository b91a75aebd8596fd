"""Counting pairs: seats, sides and merging."""

import doctest
import importlib

import numpy as np
import pytest

from ludometer.arena.statistics.pair_counts import PairCounts, mean_score, pair_variance, pentanomial_of
from ludometer.core.errors import LudometerError


def by_hand(results):
    """A's wins, draws and losses, the first player's, and the pair scores, one game after the other."""
    mine, first, scores = [0, 0, 0], [0, 0, 0], []
    for game, result in enumerate(results):
        for_a = result if game % 2 == 0 else -result
        mine[1 - for_a] += 1
        first[1 - result] += 1
        if game % 2:
            scores[-1] += (1 + for_a) / 4
        else:
            scores.append((1 + for_a) / 4)
    return tuple(mine), tuple(first), scores


def test_counts_agree_with_counting_game_by_game():
    results = np.random.default_rng(1).integers(-1, 2, 2000)
    counts = PairCounts.from_results(results)
    mine, first, scores = by_hand(results.tolist())
    assert (counts.wins, counts.draws, counts.losses) == mine
    assert counts.first_player_results == first
    assert counts.pentanomial == tuple(pentanomial_of(scores))
    assert counts.score == pytest.approx(np.mean(scores), abs=1e-15)
    assert pair_variance(counts.pentanomial) == pytest.approx(np.var(scores, ddof=1), rel=1e-12)
    assert sum(counts.first_player_pentanomial) == counts.pairs == 1000
    assert mean_score(counts.first_player_pentanomial) == pytest.approx((first[0] + first[1] / 2) / 2000, abs=1e-15)
    as_first, as_second = counts.seats
    assert tuple(a + b for a, b in zip(as_first, as_second)) == mine
    assert as_first[0] == (results[0::2] == 1).sum()
    assert as_second[0] == (results[1::2] == -1).sum()


def test_parts_merge_and_sides_swap():
    results = np.random.default_rng(2).integers(-1, 2, 400)
    whole = PairCounts.from_results(results)
    assert PairCounts.from_results(results[:100]) + PairCounts.from_results(results[100:]) == whole
    other = whole.swapped()
    assert (other.wins, other.draws, other.losses) == (whole.losses, whole.draws, whole.wins)
    assert other.pentanomial == whole.pentanomial[::-1]
    assert other.first_player_results == whole.first_player_results
    assert other.first_player_pentanomial == whole.first_player_pentanomial
    assert other.swapped() == whole


def test_nothing_played_is_even():
    assert PairCounts().score == 0.5
    assert PairCounts() + PairCounts() == PairCounts()
    assert pair_variance((0, 0, 1, 0, 0)) == 0


@pytest.mark.parametrize("results", [[1], [1, 2], [0.5, 0], [[1, 1]]])
def test_half_pairs_and_other_numbers_are_refused(results):
    with pytest.raises(LudometerError):
        PairCounts.from_results(results)


def test_impossible_pair_scores_are_refused():
    with pytest.raises(LudometerError, match="0, 0.25"):
        pentanomial_of([0.3])
    with pytest.raises(LudometerError, match="five counts"):
        mean_score((1, 2, 3))


@pytest.mark.parametrize("module", ["pair_counts", "pair_bounds", "match_statistics", "confidence_sequence", "sprt", "bootstrap"])
def test_examples_in_the_documentation_are_true(module):
    loaded = importlib.import_module(f"ludometer.arena.statistics.{module}")
    names = {**vars(loaded), "PAIR_SCORES": importlib.import_module("ludometer.arena.statistics.pair_counts").PAIR_SCORES}
    outcome = doctest.testmod(loaded, extraglobs=names, optionflags=doctest.ELLIPSIS)
    assert outcome.attempted > 0 and outcome.failed == 0
