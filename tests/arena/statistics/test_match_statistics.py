"""Match statistics: numbers of SciPy, of R and of a published study, and exact coverage by enumeration."""

import math

import numpy as np
import pytest
from scipy import stats

from ludometer.arena.statistics.match_statistics import (
    binomial_p_value,
    chi_square,
    clopper_pearson,
    elo_estimate,
    elo_of_score,
    kl_interval,
    match_statistics,
    normal_interval,
    perfect_score_bound,
    score_of_elo,
    standard_error,
)
from ludometer.arena.statistics.pair_counts import PairCounts
from ludometer.core.errors import LudometerError

# wins of 0..n in the Ultimate Tic-Tac-Toe study, with the p-value it reports: (half points, games, below or above, limit)
STUDY = [
    (2 * 9635, 10_000, "<", 1e-320),
    (2 * 994, 1000, "<", 1e-280),
    (2 * 100, 100, "<", 1e-29),  # reported as below 1e-30: it is 1.6e-30
    (2 * 78, 100, "<", 1e-7),
    (2 * 798, 1000, "<", 1e-80),
    (151, 100, "<", 1e-6),
    (1681, 1000, "<", 1e-110),
    (1423, 1000, "<", 1e-40),
    (101, 100, ">", 0.999),
    (2 * 48, 100, ">", 0.7),
    (87, 100, ">", 0.19),
    (105, 100, ">", 0.76),
    (2 * 5, 1000, "<", 1e-280),
    (2 * 4, 1000, "<", 1e-280),
    (337, 300, "<", 0.05),
]


@pytest.mark.parametrize("half_points, games, relation, limit", STUDY)
def test_p_values_of_the_study_are_scipys(half_points, games, relation, limit):
    wins, draws = divmod(half_points, 2)
    ours = binomial_p_value(wins, draws, games - wins - draws)
    rounded = wins + (draws if half_points < games else 0)  # half a win goes to the player who is behind
    assert ours == pytest.approx(stats.binomtest(rounded, games).pvalue, rel=1e-9, abs=1e-300)
    assert ours < limit if relation == "<" else ours > limit


def test_p_values_with_half_wins_rounded_down():
    for half_points, expected in [(87, 0.193), (105, 0.764), (101, 1.0)]:
        wins, draws = divmod(half_points, 2)
        assert binomial_p_value(wins, draws, 100 - wins - draws, half="down") == pytest.approx(expected, abs=5e-4)
        assert binomial_p_value(wins, draws, 100 - wins - draws, half="down") == pytest.approx(stats.binomtest(wins, 100).pvalue)


def test_the_study_reports_one_p_value_too_small():
    assert binomial_p_value(69, 1, 30) == pytest.approx(stats.binomtest(69, 100).pvalue)
    assert binomial_p_value(69, 1, 30) > 1e-4 > binomial_p_value(70, 0, 30)


def test_the_p_value_is_the_same_for_both_players():
    for wins, draws, losses in [(5, 3, 2), (0, 1, 0), (10, 1, 9), (3, 5, 30), (0, 0, 1)]:
        assert binomial_p_value(wins, draws, losses) == binomial_p_value(losses, draws, wins)
    for games in (1, 2, 7, 10):
        for wins in range(games + 1):
            assert binomial_p_value(wins, 0, games - wins) == pytest.approx(stats.binomtest(wins, games).pvalue)


def test_chi_square_of_the_study():
    assert (round(chi_square(496, 1000).statistic, 3), round(chi_square(496, 1000).p_value, 4)) == (0.098, 0.7542)
    assert (round(chi_square(502.5, 1000).statistic, 3), round(chi_square(502.5, 1000).p_value, 4)) == (0.032, 0.8580)
    assert chi_square(5, 10).statistic == 0


def test_chi_square_is_scipys_two_sample_test():
    expected = stats.chi2_contingency([[560, 440], [440, 560]], correction=True)
    assert chi_square(560, 1000).statistic == pytest.approx(expected.statistic)
    assert chi_square(560, 1000).p_value == pytest.approx(expected.pvalue)


def test_chi_square_is_not_valid_as_a_test_of_a_match():
    """Two equal players: a valid test at 5 % rejects in at most 5 % of the matches, this one in far more."""
    wins = np.arange(1001)
    chances = stats.binom.pmf(wins, 1000, 0.5)
    assert sum(chance for won, chance in zip(wins, chances) if chi_square(won, 1000).p_value < 0.05) > 0.14
    exact = [binomial_p_value(int(won), 0, 1000 - int(won)) for won in wins]
    assert chances[np.array(exact) < 0.05].sum() <= 0.05


def test_clopper_pearson_is_scipys():
    for successes, trials in [(0, 10), (3, 10), (10, 10), (78, 100), (9635, 10_000)]:
        expected = stats.binomtest(successes, trials).proportion_ci(0.95, "exact")
        ours = clopper_pearson(successes, trials)
        assert (ours.low, ours.high) == (pytest.approx(expected.low, rel=1e-9), pytest.approx(expected.high, rel=1e-9))


def test_kl_interval_by_its_definition():
    interval = kl_interval(0.78, 100)
    for end in (interval.low, interval.high):
        divergence = 0.78 * math.log(0.78 / end) + 0.22 * math.log(0.22 / (1 - end))
        assert 100 * divergence == pytest.approx(math.log(40), rel=1e-9)
    assert (round(interval.low, 6), round(interval.high, 6)) == (0.655658, 0.877440)
    assert kl_interval(1, 100).low == pytest.approx(0.025 ** (1 / 100))
    assert kl_interval(1, 100).high == 1
    assert kl_interval(0, 100).high == pytest.approx(1 - 0.025 ** (1 / 100))
    assert 0 <= kl_interval(1e-6, 100).low < 1e-12


def trinomial(games, score, draws):
    """All (wins, draws) of a match of independent games, with their probabilities."""
    loss = max(0.0, 1 - score - draws / 2)
    for won in range(games + 1):
        for drawn in range(games - won + 1):
            yield won, drawn, stats.multinomial.pmf([won, drawn, games - won - drawn], games, [1 - loss - draws, draws, loss])


@pytest.mark.parametrize("score, draws", [(0.02, 0.04), (0.1, 0.1), (0.5, 0.0), (0.5, 0.9), (0.7, 0.3), (0.98, 0.02)])
def test_exact_coverage_of_the_kl_interval(score, draws):
    games = 24
    ends = {points / 2: kl_interval(points / 2 / games, games) for points in range(2 * games + 1)}
    covered = sum(chance for won, drawn, chance in trinomial(games, score, draws) if ends[won + drawn / 2].contains(score))
    assert covered >= 0.95


@pytest.mark.parametrize("score", [0.02, 0.1, 0.3, 0.5, 0.9, 0.98])
def test_exact_coverage_of_clopper_pearson(score):
    for games in (5, 24, 100):
        chances = stats.binom.pmf(np.arange(games + 1), games, score)
        assert sum(chance for won, chance in enumerate(chances) if clopper_pearson(won, games).contains(score)) >= 0.95


def test_clopper_pearson_holds_over_seat_swapped_games():
    """Half the games are won with 0.9, half with 0.3: a sum of unlike coins is tamer than a binomial of the same mean."""
    chances = np.convolve(stats.binom.pmf(np.arange(26), 25, 0.9), stats.binom.pmf(np.arange(26), 25, 0.3))
    assert sum(chance for won, chance in enumerate(chances) if clopper_pearson(won, 50).contains(0.6)) >= 0.95


def test_elo_and_back():
    assert elo_of_score(0.5) == 0
    assert elo_of_score(10 / 11) == pytest.approx(400)
    assert score_of_elo(100) == pytest.approx(0.640065, abs=1e-6)
    assert elo_of_score(0.6) == pytest.approx(70.437, abs=1e-3)
    assert elo_of_score(0.75) == pytest.approx(190.849, abs=1e-3)
    for elo in (-800, -3, 0, 12.5, 2000):
        assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo, abs=1e-6)


def test_elo_stays_finite_at_both_ends():
    best = elo_estimate((0, 0, 0, 0, 50))
    assert best.open_high and not best.open_low
    assert best.one_sided == pytest.approx(elo_of_score(0.05 ** (1 / 50)))
    assert best.low == pytest.approx(elo_of_score(0.025 ** (1 / 50)))
    assert best.elo == best.high == pytest.approx(elo_of_score(99.75 / 100))
    worst = elo_estimate((50, 0, 0, 0, 0))
    assert (worst.elo, worst.low, worst.high, worst.open_low, worst.open_high) == (-best.elo, -best.high, -best.low, True, False)
    for estimate in (best, worst):
        assert all(math.isfinite(value) for value in (estimate.elo, estimate.low, estimate.high, estimate.one_sided))
    assert best.elo > elo_estimate((0, 0, 0, 1, 49)).elo
    assert perfect_score_bound(100) == pytest.approx(0.970487, abs=1e-6)


def test_elo_inside():
    estimate = elo_estimate((10, 20, 40, 20, 10))
    assert estimate.elo == 0
    assert estimate.low == pytest.approx(-estimate.high)
    assert estimate.high == pytest.approx(elo_of_score(0.55876673656))


def test_the_standard_error_is_that_of_the_pairs():
    scores = np.repeat([0, 0.25, 0.5, 0.75, 1], [5, 10, 30, 20, 9])
    assert standard_error((5, 10, 30, 20, 9)) == pytest.approx(stats.sem(scores))
    interval = normal_interval((5, 10, 30, 20, 9))
    assert interval.width == pytest.approx(2 * 1.959964 * stats.sem(scores), rel=1e-6)


def test_pairs_that_cancel_make_the_score_more_certain():
    """Every opening is won by whoever moves first: the games are coin flips, the pairs are all even."""
    results = np.where(np.random.default_rng(1).random(100) < 0.5, 1, -1).repeat(2)
    said = match_statistics(PairCounts.from_results(results))
    assert said.score == 0.5
    assert said.score_interval.width < 0.5 * clopper_pearson(100, 200).width


def test_a_whole_match():
    results = [1, -1] * 30 + [1, 1] * 10 + [0, 1] * 5 + [-1, 1] * 5
    said = match_statistics(PairCounts.from_results(results))
    assert (said.games, said.wins, said.draws, said.losses) == (100, 70, 5, 25)
    assert said.score == 0.725
    assert said.score_interval.contains(0.725)
    assert said.elo.elo == pytest.approx(elo_of_score(0.725))
    assert said.elo.low < said.elo.elo < said.elo.high
    assert said.p_value == pytest.approx(stats.binomtest(72, 100).pvalue)
    assert said.superiority > 0.999
    first = said.first_player
    assert (first.wins, first.draws, first.losses) == (60, 5, 35)
    assert first.advantage == pytest.approx(0.125)
    assert first.interval.contains(first.score)


def test_wrong_input_is_refused():
    for call in (
        lambda: binomial_p_value(0, 0, 0),
        lambda: binomial_p_value(-1, 0, 2),
        lambda: chi_square(3, 2),
        lambda: clopper_pearson(3, 2),
        lambda: kl_interval(1.2, 5),
        lambda: elo_of_score(1.0),
        lambda: elo_estimate((0, 0, 0, 0, 0)),
        lambda: match_statistics(PairCounts()),
        lambda: perfect_score_bound(0),
    ):
        with pytest.raises(LudometerError):
            call()
