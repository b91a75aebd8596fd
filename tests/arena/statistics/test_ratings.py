"""Bradley–Terry ratings, the bootstrap behind their intervals, cycles and transitivity."""

import math

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize

from ludometer.arena.statistics.bootstrap import Bootstrap
from ludometer.arena.statistics.match_statistics import elo_of_score, score_of_elo
from ludometer.arena.statistics.pair_bounds import p_value_above
from ludometer.arena.statistics.pair_counts import PAIR_SCORES, Interval, PairCounts
from ludometer.arena.statistics.ratings import ELO_PER_LOGIT, HeadToHead, fit, non_transitive_triples, rate, strength_groups
from ludometer.arena.statistics.transitivity import transitivity
from ludometer.core.errors import LudometerError
from tests.arena.pair_models import pair_chances


def play_all(elo, pairs, random, draws=0.0):
    """Everybody plays everybody: dice whose scores are those of the ratings."""
    found = []
    for a in range(len(elo)):
        for b in range(a):
            score = score_of_elo(elo[a] - elo[b])
            chances = pair_chances(score, draws * 2 * min(score, 1 - score))
            found.append(HeadToHead(a, b, tuple(int(count) for count in random.multinomial(pairs, chances))))
    return found


def elo_of(pairings, players, anchor=0):
    return fit(np.array([[pairing.pentanomial for pairing in pairings]], dtype=float), pairings, players, anchor)[0]


def test_two_players_have_the_elo_of_their_score_with_half_a_draw_added():
    assert elo_of([HeadToHead(1, 0, (5, 10, 20, 30, 35))], 2)[1] == pytest.approx(elo_of_score((2 * 70 + 0.25) / 200.5), abs=1e-6)
    assert elo_of([HeadToHead(1, 0, (0, 0, 0, 0, 10))], 2)[1] == pytest.approx(elo_of_score(20.25 / 20.5), abs=1e-6)


def test_ratings_are_the_most_likely_ones():
    pairings = play_all([0, 80, 150, 400], 50, np.random.default_rng(1), 0.3)

    def loss(logits):
        total = 0.0
        for pairing in pairings:
            games = 2 * sum(pairing.pentanomial)
            points = 2 * np.dot(pairing.pentanomial, PAIR_SCORES) + 0.25
            difference = logits[pairing.a] - logits[pairing.b]
            total -= points * -np.log1p(np.exp(-difference)) + (games + 0.5 - points) * -np.log1p(np.exp(difference))
        return total

    expected = minimize(loss, np.zeros(4), method="BFGS", options={"gtol": 1e-8}).x * ELO_PER_LOGIT
    assert elo_of(pairings, 4) == pytest.approx(expected - expected[0], abs=1e-3)
    assert elo_of(pairings, 4, anchor=2) == pytest.approx(expected - expected[2], abs=1e-3)


def test_the_order_of_a_pairing_does_not_matter():
    pairings = play_all([0, 80, 150], 50, np.random.default_rng(2))
    turned = [HeadToHead(pairing.b, pairing.a, pairing.pentanomial[::-1]) for pairing in pairings]
    assert elo_of(pairings, 3) == pytest.approx(elo_of(turned, 3), abs=1e-6)


def test_a_long_way_of_perfect_scores_converges():
    pairings = [HeadToHead(i + 1, i, (0, 0, 0, 0, 1_000_000)) for i in range(6)]
    ratings = elo_of(pairings, 7)
    assert ratings == pytest.approx([i * elo_of_score(2_000_000.25 / 2_000_000.5) for i in range(7)], rel=1e-6)


def test_rating_intervals_cover_the_truth():
    truth = [0, 60, 200, 500]
    random = np.random.default_rng(3)
    for method in ("bca", "percentile"):
        inside = []
        for _ in range(120):
            ratings = rate(play_all(truth, 40, random, 0.2), 4, resamples=400, method=method)
            inside += [interval.contains(elo) for interval, elo in zip(ratings.intervals[1:], truth[1:])]
        assert np.mean(inside) >= 0.92, method
        assert ratings.intervals[0] == Interval(0, 0)


def test_ratings_depend_on_the_seed_only():
    pairings = play_all([0, 100, 200], 30, np.random.default_rng(4))
    assert rate(pairings, 3, resamples=300, seed=5) == rate(pairings, 3, resamples=300, seed=5)
    assert rate(pairings, 3, resamples=300, seed=5).intervals != rate(pairings, 3, resamples=300, seed=6).intervals


def test_likelihood_of_superiority_of_two_players_is_that_of_their_match():
    counts = (12, 20, 40, 26, 15)
    matrix = rate([HeadToHead(1, 0, counts)], 2, resamples=4000).superiority
    mean = np.dot(counts, PAIR_SCORES) / sum(counts)
    error = math.sqrt(np.dot(counts, (PAIR_SCORES - mean) ** 2)) / sum(counts)
    assert matrix[1][0] == pytest.approx(stats.norm.cdf((mean - 0.5) / error), abs=0.03)
    assert matrix[0][1] == pytest.approx(1 - matrix[1][0])
    assert matrix[0][0] == matrix[1][1] == 0.5


def test_groups_show_where_ratings_have_no_upper_bound():
    pairings = [
        HeadToHead(0, 1, (5, 0, 5, 0, 5)),
        HeadToHead(2, 0, (0, 0, 0, 0, 9)),
        HeadToHead(2, 1, (0, 0, 0, 0, 9)),
        HeadToHead(3, 2, (1, 0, 0, 0, 8)),
    ]
    assert strength_groups(pairings, 4) == ((2, 3), (0, 1))
    assert rate(pairings, 4, resamples=200).groups == ((2, 3), (0, 1))
    assert strength_groups([HeadToHead(i, i + 1, (0, 0, 0, 0, 3)) for i in range(3)], 4) == ((0,), (1,), (2,), (3,))
    assert strength_groups(play_all([0, 50, 100], 40, np.random.default_rng(1)), 3) == ((0, 1, 2),)


@pytest.mark.parametrize(
    "pairings, said",
    [
        ([HeadToHead(0, 1, (1, 1, 1, 1, 1))], "no chain of games"),
        ([], "no chain of games"),
        ([HeadToHead(0, 0, (1, 1, 1, 1, 1))], "two different players"),
        ([HeadToHead(0, 3, (1, 1, 1, 1, 1))], "two different players"),
        ([HeadToHead(0, 1, (1, 1, 1, 1, 1)), HeadToHead(1, 0, (1, 1, 1, 1, 1))], "paired twice"),
        ([HeadToHead(0, 1, (0, 0, 0, 0, 0))], "no games"),
    ],
)
def test_what_cannot_be_rated_is_said(pairings, said):
    with pytest.raises(LudometerError, match=said):
        rate(pairings, 3)


# ---- bootstrap


def means(samples):
    return samples[:, 0] @ PAIR_SCORES / samples[:, 0].sum(axis=1)


def test_the_bootstrap_agrees_with_scipys():
    counts = (2, 10, 60, 90, 138)
    scores = np.repeat(PAIR_SCORES, counts)
    for method, theirs in (("bca", "BCa"), ("percentile", "percentile")):
        bootstrap = Bootstrap.over([counts], resamples=20_000, seed=1)
        ours = bootstrap.interval(means(bootstrap.samples), 0.05, method)
        expected = stats.bootstrap((scores,), np.mean, n_resamples=5000, method=theirs, rng=np.random.default_rng(1)).confidence_interval
        assert ours.low == pytest.approx(expected.low, abs=0.0025)
        assert ours.high == pytest.approx(expected.high, abs=0.0025)


def test_bca_corrects_for_skewness_as_scipy_does():
    """The variance of a skewed sample: percentiles alone lie too low."""
    counts = (80, 6, 4, 3, 7)
    scores = np.repeat(PAIR_SCORES, counts)
    bootstrap = Bootstrap.over([counts], resamples=20_000, seed=2)
    squares = bootstrap.samples[:, 0] @ PAIR_SCORES**2 / bootstrap.samples[:, 0].sum(axis=1)
    values = squares - means(bootstrap.samples) ** 2
    ours, plain = bootstrap.interval(values), bootstrap.interval(values, method="percentile")
    expected = stats.bootstrap((scores,), np.var, n_resamples=5000, method="BCa", rng=np.random.default_rng(1)).confidence_interval
    assert plain.low < ours.low and plain.high < ours.high
    assert (ours.low, ours.high) == (pytest.approx(expected.low, abs=0.006), pytest.approx(expected.high, abs=0.006))


def test_pairs_that_all_ended_alike_still_leave_doubt():
    few, many = (Bootstrap.over([(0, 0, pairs, 0, 0)], resamples=1000) for pairs in (3, 300))
    assert few.interval(means(few.samples)).width > 0.3
    assert many.interval(means(many.samples)).width < 0.02
    perfect = Bootstrap.over([(0, 0, 0, 0, 20)], resamples=1000)
    interval = perfect.interval(means(perfect.samples), method="percentile")
    assert interval.low < 0.98


def test_the_extra_half_pairs_do_not_shift_the_interval():
    bootstrap = Bootstrap.over([(0, 0, 0, 20, 180)], resamples=4000)
    interval = bootstrap.interval(means(bootstrap.samples), method="percentile")
    assert (interval.low + interval.high) / 2 == pytest.approx(0.975, abs=0.0015)  # half pairs alone move it by 0.0024


def test_infinite_estimates_are_allowed():
    bootstrap = Bootstrap.over([(5, 5, 5, 5, 5)], resamples=500)
    values = np.where(means(bootstrap.samples) > 0.55, np.inf, means(bootstrap.samples))
    interval = bootstrap.interval(values)
    assert math.isfinite(interval.low) and interval.high == math.inf


def test_wrong_bootstraps_are_refused():
    with pytest.raises(LudometerError):
        Bootstrap.over([(0, 0, 0, 0, 0)])
    with pytest.raises(LudometerError, match="100 resamples"):
        Bootstrap.over([(1, 0, 0, 0, 0)], resamples=10)


# ---- cycles and transitivity

ROCK_PAPER_SCISSORS = [HeadToHead(0, 1, (0, 0, 0, 0, 50)), HeadToHead(1, 2, (0, 0, 0, 0, 50)), HeadToHead(2, 0, (0, 0, 0, 0, 50))]


def test_rock_paper_scissors_has_no_scale():
    found = transitivity(ROCK_PAPER_SCISSORS, 3)
    assert found.value == pytest.approx(0, abs=1e-12)
    assert found.warning and not found.within_chance
    (cycle,) = non_transitive_triples(ROCK_PAPER_SCISSORS)
    assert cycle.players == (0, 1, 2) and cycle.shown and cycle.scores == (1, 1, 1)
    assert elo_of(ROCK_PAPER_SCISSORS, 3) == pytest.approx([0, 0, 0], abs=1e-6)


def test_a_cycle_seen_in_few_games_is_not_shown():
    pairings = [
        HeadToHead(1, 0, (1, 0, 1, 0, 2)),
        HeadToHead(2, 1, (1, 0, 1, 0, 2)),
        HeadToHead(0, 2, (1, 0, 1, 0, 2)),
        HeadToHead(3, 0, (0, 0, 9, 0, 0)),
    ]
    (cycle,) = non_transitive_triples(pairings)
    assert cycle.players == (0, 2, 1) and not cycle.shown
    found = transitivity(pairings, 4)
    assert found.warning and found.within_chance


def test_a_cycle_is_shown_for_all_pairings_together():
    """Each score is over ½ at 5 %, none at 5 % / 3."""
    ahead = (10, 0, 0, 0, 21)
    assert 0.05 / 3 < float(p_value_above(ahead, 0.5)) < 0.05
    pairings = [HeadToHead(0, 1, ahead), HeadToHead(1, 2, ahead), HeadToHead(2, 0, ahead)]
    assert [cycle.shown for cycle in non_transitive_triples(pairings, 0.05)] == [False]
    assert [cycle.shown for cycle in non_transitive_triples(pairings, 0.15)] == [True]


def test_one_scale_is_transitive():
    found = transitivity(play_all([0, 200, 400, 600], 200, np.random.default_rng(5)), 4)
    assert found.value > 0.98 and not found.warning and found.within_chance
    assert non_transitive_triples(play_all([0, 200, 400, 600], 200, np.random.default_rng(5))) == ()


def test_transitivity_by_its_formula():
    """With all pairings played, g are the row means of L, the player's own 0 included."""
    pairings = play_all([0, 30, 60, 10, 90], 20, np.random.default_rng(6), 0.4)
    logits = np.zeros((5, 5))
    for pairing in pairings:
        score = (2 * np.dot(pairing.pentanomial, PAIR_SCORES) + 0.25) / 40.5
        logits[pairing.a, pairing.b] = math.log(score / (1 - score))
        logits[pairing.b, pairing.a] = -logits[pairing.a, pairing.b]
    g = logits.mean(axis=1)
    expected = ((g[:, None] - g[None]) ** 2).sum() / (logits**2).sum()
    assert transitivity(pairings, 5).value == pytest.approx(expected)


def test_the_misfit_test_keeps_its_level():
    random = np.random.default_rng(7)
    for elo in ([0, 50, 100, 150], [0, 200, 400, 700]):
        small = [transitivity(play_all(elo, 100, random, 0.3), 4).misfit_p_value < 0.05 for _ in range(300)]
        assert np.mean(small) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 300)


def test_nothing_to_account_for():
    assert transitivity([HeadToHead(0, 1, (0, 0, 9, 0, 0))], 2).value is None
    assert not transitivity([HeadToHead(0, 1, (0, 0, 9, 0, 0))], 2).warning
    assert transitivity([HeadToHead(0, 1, (0, 0, 5, 0, 4))], 2) == transitivity([HeadToHead(1, 0, (4, 0, 5, 0, 0))], 2)
    assert transitivity([HeadToHead(0, 1, (0, 0, 5, 0, 4))], 2).value == pytest.approx(1)


def test_pairings_are_made_of_counts():
    counts = PairCounts.from_results([1, -1, 0, 0])
    assert HeadToHead.of(3, 1, counts) == HeadToHead(3, 1, (0, 0, 1, 0, 1), 2)
    assert HeadToHead.of(3, 1, counts).for_player(1) == (1, 0, 1, 0, 0)
