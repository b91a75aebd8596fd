"""Estimators of depth: known answers, coverage, censoring, and an exact ladder of tic-tac-toe."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import isotonic_regression

from ludometer.arena.experiments.depth_estimators import (
    RungCount,
    ScoreBounds,
    _plateau,
    deeper,
    distinguishable_rungs,
    isotonic,
    longest_path,
    mastery,
    open_steps,
    score_bounds,
    skill_range,
    true_rungs,
)
from ludometer.arena.statistics.match_statistics import clopper_pearson, elo_of_score, kl_interval, perfect_score_bound, score_of_elo
from ludometer.arena.statistics.pair_counts import Interval
from ludometer.arena.statistics.ratings import HeadToHead
from ludometer.core.errors import LudometerError
from tests.arena.statistics.test_ratings import play_all
from tests.naive import tictactoe_ladder

STEPS_THEN_FLAT = [0, 100, 200, 300, 400, 500, 500, 500, 500]


def scores_of(elo):
    """(rungs, rungs) true scores of players on one scale."""
    return np.array([[score_of_elo(mine - other) for other in elo] for mine in elo])


# ---- (i) distinguishable rungs


def test_known_numbers_of_rungs():
    scores = scores_of(STEPS_THEN_FLAT)
    assert true_rungs(scores, 0.6) == 6
    assert true_rungs(scores, 0.75) == 3
    assert true_rungs(np.full((8, 8), 0.5), 0.55) == 1


@pytest.mark.parametrize("method", ["pair", "game", "anytime"])
def test_pure_chance_has_one_rung(method):
    """Eight players, 200 games each: whatever chance does, nothing above 0.55 is shown."""
    for seed in range(20):
        pairings = play_all([0] * 8, 100, np.random.default_rng(seed))
        assert distinguishable_rungs(score_bounds(pairings, 8, method=method), 0.55).low == 1


@pytest.mark.parametrize("method", ["pair", "game", "anytime"])
def test_bounds_enclose_the_true_number(method):
    scores, wrong, widths = scores_of(STEPS_THEN_FLAT), 0, []
    for seed in range(12):
        pairings = play_all(STEPS_THEN_FLAT, 300, np.random.default_rng(seed), 0.2)
        bounds = score_bounds(pairings, 9, method=method)
        for p0 in (0.5, 0.6, 0.75):
            found = distinguishable_rungs(bounds, p0)
            wrong += not found.low <= true_rungs(scores, p0) <= found.high
            widths.append(found.high - found.low)
    assert wrong == 0
    assert np.mean(widths) < 4


def test_many_games_find_the_number():
    pairings = play_all(STEPS_THEN_FLAT, 20_000, np.random.default_rng(1), 0.2)
    bounds = score_bounds(pairings, 9)
    assert distinguishable_rungs(bounds, 0.6) == RungCount(0.6, 6, 6)
    assert distinguishable_rungs(bounds, 0.75) == RungCount(0.75, 3, 3)
    assert open_steps(bounds, 0.6) == []


def test_the_method_of_games_is_clopper_pearson_or_kl():
    without, within = HeadToHead(1, 0, (10, 0, 5, 0, 35), draws=0), HeadToHead(1, 0, (10, 0, 5, 0, 35), draws=4)
    bounds = score_bounds([without], 2, 0.05, "game")
    assert (bounds.low[1, 0], bounds.high[1, 0]) == (clopper_pearson(75, 100).low, clopper_pearson(75, 100).high)
    for pairing in (within, HeadToHead(1, 0, (10, 0, 5, 0, 35))):
        bounds = score_bounds([pairing], 2, 0.05, "game")
        assert (bounds.low[1, 0], bounds.high[1, 0]) == (kl_interval(0.75, 100).low, kl_interval(0.75, 100).high)


def test_the_error_is_shared_among_pairings():
    pairings = play_all([0, 100, 200], 50, np.random.default_rng(1))
    alone = score_bounds(pairings[:1], 2, 0.05)
    shared = score_bounds(pairings, 3, 0.15)
    assert (shared.low[1, 0], shared.high[1, 0]) == (pytest.approx(alone.low[1, 0]), pytest.approx(alone.high[1, 0]))


def test_pairings_not_played_are_open_both_ways():
    bounds = score_bounds([HeadToHead(1, 0, (0, 0, 0, 0, 90)), HeadToHead(2, 1, (0, 0, 0, 0, 90))], 3)
    assert (bounds.low[2, 0], bounds.high[2, 0]) == (0, 1)
    assert distinguishable_rungs(bounds, 0.6).low == 3
    turned = score_bounds([HeadToHead(0, 1, (90, 0, 0, 0, 0)), HeadToHead(1, 2, (90, 0, 0, 0, 0))], 3)
    assert (turned.low == bounds.low).all() and (turned.high == bounds.high).all()


def longest_by_force(steps):
    """The longest way, trying every subset of rungs."""
    best = 0
    for subset in range(1 << len(steps)):
        way = [rung for rung in range(len(steps)) if subset >> rung & 1]
        if all(steps[upper][lower] for lower, upper in zip(way, way[1:])):
            best = max(best, len(way))
    return best


def test_the_longest_way_against_trying_all():
    random = np.random.default_rng(1)
    for _ in range(60):
        steps = random.random((7, 7)) < random.uniform(0.1, 0.9)
        assert longest_path(steps) == longest_by_force(steps)


def test_only_open_steps_can_change_the_count():
    """Deciding every open step either way must be able to close the gap, and deciding others must not."""
    random = np.random.default_rng(2)
    for _ in range(40):
        middle, radius = random.uniform(0.4, 0.9, (6, 6)), random.uniform(0, 0.15, (6, 6))
        bounds = ScoreBounds(middle - radius, middle + radius)
        count, steps = distinguishable_rungs(bounds, 0.6), open_steps(bounds, 0.6)
        assert bool(steps) == (count.low < count.high)
        high = bounds.high.copy()
        for lower, upper in steps:
            high[upper, lower] = 0.0
        assert distinguishable_rungs(ScoreBounds(bounds.low, high), 0.6).high == count.low


def test_a_step_is_a_score():
    with pytest.raises(LudometerError, match="0.5 to below 1"):
        true_rungs(np.ones((2, 2)), 0.4)


# ---- (ii) resource to mastery

BUDGETS = [0, 1, 2, 4, 8, 16, 32, 64, 128]


def test_isotonic_regression_is_scipys():
    random = np.random.default_rng(3)
    rows = random.normal(size=(50, 9)).cumsum(axis=1) + np.linspace(0, 3, 9)
    for row, ours in zip(rows, isotonic(rows)):
        assert ours == pytest.approx(isotonic_regression(row).x)


def test_mastery_of_a_known_ladder():
    """100 Elo a doubling up to 500: half of it between the budgets 2 and 4, 90 % between 8 and 16, flat from 16 on."""
    curve = mastery(play_all(STEPS_THEN_FLAT, 2000, np.random.default_rng(4), 0.3), BUDGETS, resamples=1000)
    half, ninety = curve.mastery
    assert curve.plateau == 5
    assert curve.asymptote == pytest.approx(500, abs=10)
    assert (half.status, ninety.status) == ("reached", "reached")
    assert half.low < 2**1.5 < half.high and half.high / half.low < 1.2
    assert ninety.low < 2**3.5 < ninety.high and ninety.high / ninety.low < 1.3


def test_mastery_intervals_cover_the_truth():
    truth, random, inside = [0, 150, 300, 380, 400, 400], np.random.default_rng(5), []
    for _ in range(60):
        curve = mastery(play_all(truth, 500, random, 0.3), [0, 1, 2, 4, 8, 16], resamples=400, percents=(50,))
        if curve.mastery[0].status == "reached":
            inside.append(curve.mastery[0].low <= 2 ** (1 / 3) <= curve.mastery[0].high)
    assert len(inside) > 50
    assert np.mean(inside) >= 0.87  # 0.95 less three standard errors of 60 runs


def test_a_ladder_that_still_rises_is_censored():
    curve = mastery(play_all([0, 100, 200, 300, 400], 300, np.random.default_rng(6)), [0, 1, 2, 4, 8], resamples=500)
    assert curve.plateau is None
    for found in curve.mastery:
        assert found.status == "censored" and found.estimate is None and found.high is None
        assert 0 < found.low <= 8


def test_not_significant_is_not_equivalent():
    """Equal players and few games: no difference is shown, and no plateau either."""
    elo = [0, 300, 300, 300]
    few = mastery(play_all(elo, 8, np.random.default_rng(7)), [0, 1, 2, 4], resamples=500)
    many = mastery(play_all(elo, 2000, np.random.default_rng(7)), [0, 1, 2, 4], resamples=500)
    assert few.plateau is None and few.mastery[0].status == "censored"
    assert many.plateau == 1 and many.mastery[0].status == "first"


def test_equivalent_means_within_25_elo():
    for step, plateau in ((50, None), (10, 1)):
        curve = mastery(play_all([0, 300, 300 + step], 5000, np.random.default_rng(14)), [0, 1, 2], resamples=300)
        assert curve.plateau == plateau


def test_two_drawn_pairs_prove_no_plateau():
    pairings = [HeadToHead(1, 0, (0, 0, 1, 0, 40)), HeadToHead(2, 0, (0, 0, 1, 0, 40)), HeadToHead(2, 1, (0, 0, 2, 0, 0))]
    assert mastery(pairings, [0, 1, 2], resamples=500).plateau is None


def test_a_perfect_player_sets_the_mark():
    """The ladder reaches 300 of 600 Elo: half is reached at its end, 90 % is not."""
    pairings = play_all([0, 100, 200, 300, 600], 2000, np.random.default_rng(8), 0.2)
    curve = mastery(pairings, [1, 2, 4, 8], perfect=True, percents=(25, 90), resamples=500)
    quarter, ninety = curve.mastery
    assert curve.asymptote == pytest.approx(600, abs=25) and len(curve.elo) == 4
    assert quarter.status == "reached" and quarter.low < 2**1.5 < quarter.high
    assert ninety.status == "censored" and ninety.low == 8


def test_pure_chance_has_nothing_to_master():
    curve = mastery(play_all([0] * 5, 1000, np.random.default_rng(9)), [0, 1, 2, 4, 8], resamples=500)
    assert [found.status for found in curve.mastery] == ["flat", "flat"]
    assert curve.mastery[0].estimate is None


def test_falling_ratings_are_levelled():
    pairings = play_all([0, 200, 150, 300, 300, 300], 3000, np.random.default_rng(10))
    curve = mastery(pairings, [0, 1, 2, 4, 8, 16], resamples=300)
    assert curve.elo[2] < curve.elo[1]
    assert curve.isotonic[1] == curve.isotonic[2] == pytest.approx((curve.elo[1] + curve.elo[2]) / 2)


@pytest.mark.parametrize("budgets", [[1], [2, 1], [0, 0, 1], [-1, 1]])
def test_wrong_budgets_are_refused(budgets):
    with pytest.raises(LudometerError, match="budgets"):
        mastery([HeadToHead(1, 0, (1, 1, 1, 1, 1))], budgets)


def test_wrong_percentages_are_refused():
    with pytest.raises(LudometerError, match="100 %"):
        mastery([HeadToHead(1, 0, (1, 1, 1, 1, 1))], [0, 1], percents=(150,))


# ---- (iii) skill range


def test_three_ways_agree_on_one_scale():
    found = skill_range(play_all([0, 100, 200, 300], 5000, np.random.default_rng(11), 0.2), 4, resamples=500)
    for estimate in (found.direct, found.bradley_terry, found.chain):
        assert estimate.elo == pytest.approx(300, abs=15)
        assert estimate.low < 300 < estimate.high
        assert not estimate.open_high
    assert found.bradley_terry.interval.width < found.direct.interval.width


def test_perfect_scores_bound_the_range_on_one_side():
    sure = (0, 0, 0, 0, 50)
    found = skill_range([HeadToHead(1, 0, sure), HeadToHead(2, 1, sure), HeadToHead(2, 0, sure)], 3, resamples=500)
    assert found.direct.open_high and found.bradley_terry.open_high and found.chain.open_high
    assert found.direct.one_sided == pytest.approx(elo_of_score(perfect_score_bound(50)))
    assert found.chain.elo == pytest.approx(2 * found.direct.elo)
    assert all(math.isfinite(value) for value in (found.direct.high, found.bradley_terry.high, found.chain.high))


def test_games_not_played_leave_ways_out():
    found = skill_range([HeadToHead(1, 0, (1, 2, 3, 4, 9)), HeadToHead(2, 1, (1, 2, 3, 4, 9))], 3, resamples=200)
    assert found.direct is None and found.chain is not None
    found = skill_range([HeadToHead(1, 0, (1, 2, 3, 4, 9)), HeadToHead(2, 0, (1, 2, 3, 4, 9))], 3, resamples=200)
    assert found.direct is not None and found.chain is None


def test_the_interval_of_the_chain_covers_the_sum():
    random, inside = np.random.default_rng(12), []
    for _ in range(80):
        found = skill_range(play_all([0, 150, 300, 400], 60, random, 0.2), 4, resamples=100)
        inside.append(found.chain.low <= 400 <= found.chain.high)
    assert np.mean(inside) >= 0.95 - 3 * math.sqrt(0.05 * 0.95 / 80)


def test_deeper_only_where_all_families_agree():
    high, low, wide = Interval(8, 10), Interval(1, 2), Interval(0, 20)
    assert deeper({"mcts": (high, low), "search": (high, low)}) == "first"
    assert deeper({"mcts": (low, high), "search": (low, high)}) == "second"
    assert deeper({"mcts": (high, low), "search": (low, high)}) == "unclear"
    assert deeper({"mcts": (high, low), "search": (wide, low)}) == "unclear"
    assert deeper({}) == "unclear"


# ---- tic-tac-toe, exactly


def test_exact_results_of_tic_tac_toe():
    assert tictactoe_ladder.chances(0, 0) == (Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420))
    assert tictactoe_ladder.chances(9, 0) == (Fraction(75257, 77760), Fraction(2503, 77760), 0)
    assert tictactoe_ladder.chances(0, 9) == (0, Fraction(757, 3402), Fraction(2645, 3402))


@pytest.mark.exhaustive
def test_the_ladder_of_tic_tac_toe():
    """Depths 0 to 6, where 6 plays as well as 9: exact scores, and simulated games whose bounds enclose the exact counts."""
    depths = range(7)
    scores = np.array([[float(tictactoe_ladder.score(mine, other)) if other < mine else 0.5 for other in depths] for mine in depths])
    assert tictactoe_ladder.score(6, 0) == tictactoe_ladder.score(9, 0)
    exact = {0.55: 7, 0.6: 5, 0.75: 2}
    assert {p0: true_rungs(scores, p0) for p0 in exact} == exact
    random = np.random.default_rng(13)
    pairings = []
    for mine in depths:
        for other in range(mine):
            first = [float(chance) for chance in tictactoe_ladder.chances(mine, other)[::-1]]  # loss, draw, win
            second = [float(chance) for chance in tictactoe_ladder.chances(other, mine)]
            pairings.append(HeadToHead(mine, other, tuple(int(n) for n in random.multinomial(3000, np.convolve(first, second)))))
    bounds = score_bounds(pairings, 7)
    for p0, count in exact.items():
        found = distinguishable_rungs(bounds, p0)
        assert found.low <= count <= found.high
    assert distinguishable_rungs(bounds, 0.75) == RungCount(0.75, 2, 2)


def test_a_rung_that_is_not_equivalent_ends_the_plateau():
    """Rungs below it may be equivalent to the last one again: a ladder that falls and rises has no plateau there."""

    class Exact:
        def interval(self, values, alpha, method):
            return Interval(float(values[0]), float(values[0]))

    assert _plateau(np.array([[0.0, 100, 0, 0]]), Exact(), "bca") == 2
    assert _plateau(np.array([[0.0, 0, 0, 0]]), Exact(), "bca") == 0
    assert _plateau(np.array([[0.0, 0, 0, 100]]), Exact(), "bca") is None
