"""The headline interval: equal to Clopper–Pearson where that applies, and at its level everywhere else."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from scipy.special import gammaln

from ludometer.arena.statistics.match_statistics import first_player, normal_interval
from ludometer.arena.statistics.pair_bounds import (
    likelihood_of_superiority,
    lower_bound,
    lower_bounds,
    p_value_above,
    p_value_below,
    pair_p_value,
    score_interval,
    share_below,
    upper_bound,
)
from ludometer.arena.statistics.pair_counts import PAIR_SCORES, PairCounts
from ludometer.core.errors import LudometerError
from tests.arena.pair_models import MODELS, pair_chances


def coverage(chances, pairs, runs, alpha, random):
    """In what share of simulated matches the true score lies in `score_interval`."""
    counts, times = np.unique(random.multinomial(pairs, chances, size=runs), axis=0, return_counts=True)
    truth = float(chances @ PAIR_SCORES)
    inside = (p_value_above(counts, truth) > alpha / 2) & (p_value_below(counts, truth) > alpha / 2)
    return times[inside].sum() / runs


@pytest.mark.parametrize("wins, pairs", [(1, 10), (3, 10), (9, 10), (1, 1000), (999, 1000), (5, 10_000), (333_333, 1_000_000), (1, 10**8)])
def test_two_valued_scores_give_clopper_pearson(wins, pairs):
    interval = score_interval((pairs - wins, 0, 0, 0, wins))
    assert interval.low == pytest.approx(stats.beta(wins, pairs - wins + 1).ppf(0.025), rel=1e-8)
    assert interval.high == pytest.approx(stats.beta(wins + 1, pairs - wins).ppf(0.975), rel=1e-8)


def test_perfect_scores_give_a_power_of_alpha():
    assert lower_bound((0, 0, 0, 0, 50), 0.05) == pytest.approx(0.05 ** (1 / 50), rel=1e-12)
    assert upper_bound((50, 0, 0, 0, 0), 0.05) == pytest.approx(1 - 0.05 ** (1 / 50), rel=1e-12)
    assert score_interval((0, 0, 0, 0, 50)).high == 1
    assert score_interval((0, 0, 0, 0, 0)).width == 1
    assert lower_bound((0, 0, 50, 0, 0), 0.05) == pytest.approx(0.5 * 0.05 ** (1 / 50), rel=1e-10)


def test_the_distribution_function_agrees_with_drawing_from_the_dirichlet():
    random = np.random.default_rng(1)
    weights = np.array([3.0, 1, 2, 4, 2])
    drawn = random.dirichlet(weights, 400_000) @ PAIR_SCORES
    for mean in (0.3, 0.45, 0.6, 0.75):
        share = float(share_below(weights, mean))
        assert share == pytest.approx((drawn <= mean).mean(), abs=4 * np.sqrt(share * (1 - share) / 400_000))


def straight_line(weights, mean, step=0.02):
    """P(Σ D·x ≤ mean) by the same inversion along a vertical line, with many points: slow, but nothing is followed."""
    offsets = PAIR_SCORES - mean
    mirrored = weights @ offsets < 0
    v = -offsets if mirrored else offsets
    lowest = 1 / np.where(weights > 0, v, 0).min()
    points = lowest * np.geomspace(1e-6, 0.999, 4000)
    used = weights > 0
    heights = -np.log(1 - points[:, None] * v[used]) @ weights[used] - np.log(-points)
    c = points[heights.argmin()]
    scale = 1 / np.sqrt(weights[used] @ (v[used] / (1 - c * v[used])) ** 2 + c**-2)
    u = np.arange(0, 25, step)
    line = c + 1j * scale * np.sinh(u)
    exponent = -np.log(1 - line[:, None] * v[used]) @ weights[used]
    values = (np.exp(exponent - exponent[0].real) / -line).real * np.cosh(u)
    tail = np.exp(exponent[0].real) * (values.sum() - values[0] / 2) * step * scale / np.pi
    return 1 - tail if mirrored else tail


def test_following_the_path_of_steepest_descent_agrees_with_a_straight_line():
    random = np.random.default_rng(5)
    compared = 0
    for _ in range(150):
        weights = np.floor(random.exponential(10 ** random.uniform(0, 3, 5))) * (random.random(5) < 0.7)
        weights[0] += 1
        if not weights[1:].any():
            continue
        mean = weights @ PAIR_SCORES / weights.sum()
        spread = np.sqrt(weights @ (PAIR_SCORES - mean) ** 2 / weights.sum() / (weights.sum() + 1))
        at = float(np.clip(mean + spread * random.uniform(-5, 3), 1e-6, PAIR_SCORES[weights > 0].max() - 1e-6))
        expected = straight_line(weights, at)
        assert float(share_below(weights, at)) == pytest.approx(expected, rel=1e-7, abs=1e-12)
        compared += 1
    assert compared > 100


def test_the_interval_ends_where_the_p_value_is_alpha():
    for counts in [(10, 20, 40, 20, 10), (0, 1, 3, 10, 100), (0, 0, 50, 0, 0), (1, 0, 0, 0, 3)]:
        interval = score_interval(counts, 0.05)
        assert pair_p_value(counts, interval.low) == pytest.approx(0.05, rel=1e-9)
        assert pair_p_value(counts, interval.high) == pytest.approx(0.05, rel=1e-9)


def test_pinned_numbers():
    interval = score_interval((10, 20, 40, 20, 10))
    assert (interval.low, interval.high) == (pytest.approx(0.44123326344, abs=1e-10), pytest.approx(0.55876673656, abs=1e-10))
    interval = score_interval((0, 1, 3, 10, 100))
    assert (interval.low, interval.high) == (pytest.approx(0.91805343343, abs=1e-10), pytest.approx(0.97767717928, abs=1e-10))
    assert lower_bound((10, 20, 40, 20, 10), 1e-6) == pytest.approx(0.36236632093, abs=1e-10)


def test_with_many_pairs_it_is_the_normal_interval():
    counts = (1000, 2000, 4000, 2000, 1000)
    ours, normal = score_interval(counts), normal_interval(counts)
    assert ours.width == pytest.approx(normal.width, rel=0.01)


def test_bounds_of_many_rows_are_those_of_each():
    rows = np.array([(1, 2, 3, 4, 5), (0, 0, 0, 0, 9), (9, 0, 0, 0, 0)])
    assert lower_bounds(rows, 0.01).tolist() == [lower_bound(row, 0.01) for row in rows]


def all_outcomes(pairs):
    """(outcomes, 5) every way in which so many pairs can end."""
    bars = np.array(list(combinations(range(pairs + 4), 4)))
    return np.diff(np.concatenate([np.full((len(bars), 1), -1), bars, np.full((len(bars), 1), pairs + 4)], axis=1), axis=1) - 1


@pytest.mark.exhaustive
@pytest.mark.parametrize("pairs", [1, 2, 3, 6])
def test_no_distribution_of_pair_scores_breaks_the_level_exactly(pairs):
    """All outcomes enumerated, so there is no sampling error: P(p-value ≤ α) ≤ α for 150 distributions and every α."""
    random = np.random.default_rng(pairs)
    outcomes = all_outcomes(pairs)
    ways = gammaln(pairs + 1) - gammaln(outcomes + 1).sum(axis=1)
    for trial in range(150):
        chances = random.dirichlet(np.full(5, random.choice([0.1, 0.3, 1, 3]))) + 1e-300
        if trial % 3 == 0:
            chances = chances * (random.random(5) < 0.5) + 1e-300
        chances /= chances.sum()
        probabilities = np.exp(ways + outcomes @ np.log(chances))
        values = p_value_above(outcomes, float(chances @ PAIR_SCORES))
        order = np.argsort(values)
        assert (np.cumsum(probabilities[order]) <= values[order] * (1 + 1e-6) + 1e-9).all()


@pytest.mark.exhaustive
@pytest.mark.parametrize("pairs", [10, 100])
def test_coverage_holds_for_all_scores_and_draw_rates(pairs):
    random = np.random.default_rng(pairs)
    runs = 1000
    for score, draws, alike in MODELS:
        share = coverage(pair_chances(score, draws, alike), pairs, runs, 0.05, random)
        assert share >= 0.95 - 3.5 * np.sqrt(0.05 * 0.95 / runs), (score, draws, alike)


@pytest.mark.exhaustive
@pytest.mark.parametrize("pairs", [5, 30, 500])
def test_coverage_holds_in_long_simulations(pairs):
    random = np.random.default_rng(pairs)
    runs = 3000
    for score, draws, alike in MODELS:
        share = coverage(pair_chances(score, draws, alike), pairs, runs, 0.05, random)
        assert share >= 0.95 - 3.5 * np.sqrt(0.05 * 0.95 / runs), (score, draws, alike)


def test_the_normal_interval_does_not_hold_its_level_which_is_why_it_is_not_the_headline():
    random = np.random.default_rng(3)
    counts = random.multinomial(50, pair_chances(0.02), size=400)
    inside = [normal_interval(row).contains(0.02) for row in counts]
    assert np.mean(inside) < 0.9


def test_the_first_player_has_an_interval_of_its_own():
    """A is much stronger, and moving first is worth 0.6: the strengths cancel, the advantage does not."""
    random = np.random.default_rng(4)
    chance_first = {0: 0.9, 1: 0.3}  # of the first player: A first wins 90 %, B first wins 30 %
    covered = 0
    for _ in range(300):
        results = np.where(random.random(200) < np.where(np.arange(200) % 2 == 0, chance_first[0], chance_first[1]), 1, -1)
        seen = first_player(PairCounts.from_results(results))
        covered += seen.interval.contains(0.6)
        assert seen.score == pytest.approx((results == 1).mean())
    assert covered / 300 >= 0.95 - 3.5 * np.sqrt(0.05 * 0.95 / 300)


def test_likelihood_of_superiority():
    assert likelihood_of_superiority((0, 0, 0, 0, 0)) == pytest.approx(0.5)
    assert likelihood_of_superiority((3, 5, 9, 5, 3)) == pytest.approx(0.5)
    assert likelihood_of_superiority((3, 0, 0, 0, 7)) == pytest.approx(stats.beta(7.5, 3.5).sf(0.5), rel=1e-8)
    counts = np.array([50, 200, 400, 230, 60])
    mean = counts @ PAIR_SCORES / counts.sum()
    error = np.sqrt(counts @ (PAIR_SCORES - mean) ** 2) / counts.sum()
    assert likelihood_of_superiority(counts) == pytest.approx(stats.norm.cdf((mean - 0.5) / error), abs=0.003)
    assert likelihood_of_superiority(counts[::-1]) == pytest.approx(1 - likelihood_of_superiority(counts), rel=1e-6)


def test_wrong_input_is_refused():
    with pytest.raises(LudometerError, match="between 0 and 1"):
        lower_bound((1, 0, 0, 0, 0), 1.5)
    with pytest.raises(LudometerError, match="five counts"):
        score_interval((1, -1, 0, 0, 0))


def test_a_p_value_is_a_probability():
    """Twice the smaller tail exceeds 1 where both tails hold the observed mean."""
    assert pair_p_value((1, 0, 0, 0, 1)) == 1
    assert pair_p_value((0, 0, 4, 0, 0)) == 1
