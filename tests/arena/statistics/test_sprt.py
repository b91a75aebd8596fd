"""The sequential probability ratio test: its ratio against direct maximisation, its error rates by simulation."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from ludometer.arena.statistics.match_statistics import score_of_elo
from ludometer.arena.statistics.pair_counts import PAIR_SCORES
from ludometer.arena.statistics.sprt import Sprt, log_likelihood_ratios
from ludometer.core.errors import LudometerError
from tests.arena.pair_models import pair_chances


def highest_likelihood(counts, mean):
    """The largest log-likelihood among all distributions of pair scores with this mean, by a general optimiser."""
    counts = np.asarray(counts, dtype=float)
    found = minimize(
        lambda chances: -(counts * np.log(chances)).sum(),
        np.full(5, 0.2),
        method="SLSQP",
        bounds=[(1e-9, 1)] * 5,
        constraints=[
            {"type": "eq", "fun": lambda chances: chances.sum() - 1},
            {"type": "eq", "fun": lambda chances: chances @ PAIR_SCORES - mean},
        ],
        options={"maxiter": 500, "ftol": 1e-12},
    )
    assert found.success
    return -found.fun


@pytest.mark.parametrize("counts", [(10, 20, 40, 25, 15), (3, 0, 50, 0, 9), (1, 5, 9, 40, 60)])
def test_the_ratio_is_that_of_the_two_most_likely_distributions(counts):
    score0, score1 = score_of_elo(0), score_of_elo(40)
    padded = np.array(counts) + 1e-3
    expected = highest_likelihood(padded, score1) - highest_likelihood(padded, score0)
    assert Sprt(0, 40).llr(counts) == pytest.approx(expected, abs=1e-4)
    assert float(log_likelihood_ratios(counts, score0, score1)) == Sprt(0, 40).llr(counts)


def test_wins_and_losses_only_give_walds_ratio():
    score0, score1 = 0.5, score_of_elo(50)
    expected = 60 * math.log(score1 / score0) + 40 * math.log((1 - score1) / (1 - score0))
    assert Sprt(0, 50).llr((40, 0, 0, 0, 60)) == pytest.approx(expected, abs=0.01)


def test_bounds_and_decisions():
    test = Sprt(0, 20, alpha=0.05, beta=0.1)
    assert test.bounds == (pytest.approx(math.log(0.1 / 0.95)), pytest.approx(math.log(0.9 / 0.05)))
    assert test.decision((0, 0, 0, 0, 0)) == "continue"
    assert test.llr((0, 0, 0, 0, 0)) == 0
    assert test.decision((0, 10, 100, 300, 90)) == "elo1"
    assert test.decision((90, 300, 100, 10, 0)) == "elo0"
    assert test.decision((0, 0, 400, 0, 0)) == "elo0"  # nothing but draws: not 20 Elo better
    assert test.llr((30, 20, 10, 5, 1)) == pytest.approx(-Sprt(-20, 0, 0.05, 0.1).llr((1, 5, 10, 20, 30)), rel=1e-9)


def test_a_run_decides_at_the_first_crossing():
    test = Sprt(0, 60)
    scores = np.random.default_rng(1).choice(PAIR_SCORES, size=2000, p=pair_chances(0.6, 0.2))
    decision, pairs = test.run(scores)
    counts = [(scores[:pairs] == score).sum() for score in PAIR_SCORES]
    before = [(scores[: pairs - 1] == score).sum() for score in PAIR_SCORES]
    assert decision == test.decision(counts) == "elo1"
    assert test.decision(before) == "continue"
    assert test.run(scores[: pairs - 1]) == ("continue", pairs - 1)


def shares(elo, draws, alike, runs, seed, test):
    """How often each decision is taken between players with this Elo difference."""
    random = np.random.default_rng(seed)
    chances = pair_chances(score_of_elo(elo), draws, alike)
    decisions = [test.run(random.choice(PAIR_SCORES, size=200, p=chances))[0] for _ in range(runs)]
    return {decision: decisions.count(decision) / runs for decision in ("elo0", "elo1", "continue")}


@pytest.mark.exhaustive
@pytest.mark.parametrize("draws, alike", [(0.0, 0.0), (0.5, 0.7)])
def test_error_rates_stay_within_their_bounds(draws, alike):
    test, runs = Sprt(0, 100), 300
    error = 3 * math.sqrt(0.05 * 0.95 / runs)
    equal = shares(0, draws, alike, runs, 1, test)
    better = shares(100, draws, alike, runs, 2, test)
    assert equal["elo1"] <= 0.05 + error and equal["continue"] < 0.05
    assert better["elo0"] <= 0.05 + error and better["continue"] < 0.05
    assert equal["elo0"] > 0.85 and better["elo1"] > 0.85


@pytest.mark.exhaustive
@pytest.mark.parametrize("draws", [0.0, 0.4, 0.8])
def test_error_rates_in_longer_simulations(draws):
    test, runs = Sprt(-50, 50), 700
    error = 3 * math.sqrt(0.05 * 0.95 / runs)
    assert shares(-50, draws, 0.0, runs, 3, test)["elo1"] <= 0.05 + error
    assert shares(50, draws, 0.0, runs, 4, test)["elo0"] <= 0.05 + error


@pytest.mark.parametrize("elo0, elo1, alpha", [(20, 0, 0.05), (5, 5, 0.05), (0, 20, 0), (0, 20, 0.96), (float("nan"), 0, 0.05)])
def test_wrong_hypotheses_are_refused(elo0, elo1, alpha):
    with pytest.raises(LudometerError):
        Sprt(elo0, elo1, alpha)
