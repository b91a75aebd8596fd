"""The confidence sequence: what it may promise to people who look after every pair."""

import math

import numpy as np
import pytest

from ludometer.arena.statistics.confidence_sequence import (
    SHARES,
    STAKES,
    ConfidenceSequence,
    StoppingRule,
    anytime_interval,
    anytime_lower_bound,
    log_capital,
)
from ludometer.arena.statistics.pair_bounds import score_interval
from ludometer.arena.statistics.pair_counts import PAIR_SCORES, Interval
from ludometer.core.errors import LudometerError
from tests.arena.pair_models import pair_chances

MODELS = [(0.5, 0.0, 0.0), (0.5, 0.9, 0.0), (0.02, 0.0, 0.0), (0.9, 0.1, 0.7)]


def running_counts(chances, runs, pairs, random):
    """(runs, pairs, 5) the pentanomials of simulated matches after each pair."""
    kinds = random.choice(5, size=(runs, pairs), p=chances)
    return np.cumsum(kinds[..., None] == np.arange(5), axis=1)


def test_capital_by_hand():
    capital = sum(share * (1 - stake) * (1 - stake + stake / 0.4) for stake, share in zip(STAKES, SHARES))
    assert float(log_capital((1, 0, 0, 0, 1), 0.4)) == pytest.approx(math.log(capital))
    assert SHARES.sum() == pytest.approx(1)
    assert float(log_capital((0, 0, 0, 0, 0), 0.4)) == pytest.approx(0)


def test_the_bet_is_fair_whatever_the_distribution():
    """The mean factor of one pair is exactly 1 when the mean is as supposed."""
    for chances in np.random.default_rng(1).dirichlet(np.ones(5), 50):
        after_one = np.exp(log_capital(np.eye(5), float(chances @ PAIR_SCORES)))
        assert chances @ after_one == pytest.approx(1)


def test_capital_falls_as_the_supposed_score_rises():
    values = [float(log_capital((3, 5, 9, 2, 8), mean)) for mean in np.linspace(0.01, 0.99, 50)]
    assert (np.diff(values) < 0).all()


def test_the_bound_is_where_the_capital_is_one_over_alpha():
    for counts in [(10, 20, 40, 20, 10), (0, 0, 0, 0, 50), (0, 1, 3, 10, 100), (3000, 100, 0, 0, 5)]:
        bound = anytime_lower_bound(counts, 0.025)
        assert float(log_capital(counts, bound)) == pytest.approx(math.log(40), rel=1e-6)
        assert 0 < bound < np.dot(counts, PAIR_SCORES) / sum(counts)
    assert anytime_lower_bound((5, 0, 0, 0, 0), 0.025) == 0
    assert anytime_interval((0, 0, 0, 0, 0)) == Interval(0, 1)


def test_pinned_interval():
    interval = anytime_interval((10, 20, 40, 20, 10))
    assert (interval.low, interval.high) == (pytest.approx(0.41036436, abs=1e-7), pytest.approx(0.58963564, abs=1e-7))


@pytest.mark.exhaustive
@pytest.mark.parametrize("score, draws, alike", MODELS)
def test_the_truth_is_never_left_in_95_percent_of_runs_that_peek_after_every_pair(score, draws, alike):
    random = np.random.default_rng(round(100 * score))
    chances = pair_chances(score, draws, alike)
    runs = 1000
    counts = running_counts(chances, runs, 400, random)
    rich = math.log(2 / 0.05)  # the truth is left when the capital bet against it, on either side, gets here
    left = (log_capital(counts, score) >= rich).any(axis=1) | (log_capital(counts[..., ::-1], 1 - score) >= rich).any(axis=1)
    assert left.mean() <= 0.05


def test_the_sequence_leaves_the_truth_exactly_when_the_capital_says_so():
    """At alpha = 0.5, so that it happens."""
    random = np.random.default_rng(3)
    lost = 0
    for _ in range(60):
        scores = random.choice(PAIR_SCORES, size=60, p=pair_chances(0.6, 0.2))
        sequence, inside = ConfidenceSequence(alpha=0.5), True
        for score in scores:
            sequence = sequence.after_each([score])
            inside &= sequence.low <= 0.6 <= sequence.high
        counts = np.cumsum(scores[:, None] == PAIR_SCORES, axis=0)
        rich = math.log(2 / 0.5)
        assert inside == (max(log_capital(counts, 0.6).max(), log_capital(counts[:, ::-1], 0.4).max()) < rich)
        lost += not inside
    assert 0 < lost < 30


def test_looking_at_a_fixed_n_interval_after_every_pair_is_not_legitimate():
    """The reason for all this: equal players, a look after each of 300 pairs, and a winner in every third match or so."""
    counts = running_counts(pair_chances(0.5), 500, 300, np.random.default_rng(5))
    pairs = counts.sum(axis=-1)
    means = counts @ PAIR_SCORES / pairs
    errors = np.sqrt((counts @ PAIR_SCORES**2 / pairs - means**2) / pairs)
    declared = (np.abs(means - 0.5) > 1.96 * errors)[:, 20:].any(axis=1)
    assert declared.mean() > 0.2


def test_any_grouping_into_blocks_counts_the_same_pairs_and_never_widens():
    scores = np.random.default_rng(7).choice(PAIR_SCORES, size=500, p=pair_chances(0.6, 0.3))
    one_by_one = ConfidenceSequence().after_each(scores)
    assert ConfidenceSequence().after_each(scores[:123]).after_each(scores[123:]) == one_by_one
    blocks = ConfidenceSequence()
    for block in np.split(scores, 10):
        narrower = blocks.after([(block == score).sum() for score in PAIR_SCORES])
        assert blocks.low <= narrower.low <= narrower.high <= blocks.high
        blocks = narrower
    assert blocks.pentanomial == one_by_one.pentanomial
    assert one_by_one.low >= blocks.low and one_by_one.high <= blocks.high  # looking more often can only help
    assert blocks.low >= anytime_interval(blocks.pentanomial).low


def test_long_matches_are_looked_at_at_fixed_numbers_of_pairs():
    scores = np.random.default_rng(8).choice(PAIR_SCORES, size=5000, p=pair_chances(0.55))
    whole = ConfidenceSequence().after_each(scores)
    parts = ConfidenceSequence().after_each(scores[:3001]).after_each(scores[3001:])
    assert parts.pentanomial == whole.pentanomial and whole.pairs == 5000
    assert (parts.low, parts.high) == (whole.low, whole.high)


def test_it_costs_less_than_twice_the_width_of_the_fixed_interval():
    for pairs in (100, 1000, 10_000, 1_000_000):
        for score, draws in ((0.5, 0.0), (0.5, 0.6), (0.8, 0.2)):
            counts = np.rint(pairs * pair_chances(score, draws)).astype(int)
            assert 1.3 < anytime_interval(counts).width / score_interval(counts).width < 2.05


def test_stopping_when_satisfied_keeps_the_level():
    """Stop when ½ is excluded or the interval is narrow: equal players are declared unequal in at most 5 % of the matches."""
    rule = StoppingRule(width=0.25, decided=True)
    random = np.random.default_rng(11)
    wrong = 0
    for _ in range(150):
        sequence = ConfidenceSequence()
        for score in random.choice(PAIR_SCORES, size=400, p=pair_chances(0.5, 0.2)):
            sequence = sequence.after_each([score])
            reason = rule.reason(sequence.interval)
            if reason:
                break
        wrong += reason == "decided"
        assert reason in ("decided", "width")
    assert wrong / 150 <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 150)


def test_stopping_rules():
    assert StoppingRule().reason(Interval(0.6, 0.61)) is None
    assert StoppingRule(decided=True).reason(Interval(0.4, 0.6)) is None
    assert StoppingRule(decided=True).reason(Interval(0.51, 0.8)) == "decided"
    assert StoppingRule(decided=True).reason(Interval(0.3, 0.49)) == "decided"
    assert StoppingRule(width=0.02).reason(Interval(0.4, 0.43)) is None
    assert StoppingRule(width=0.02).reason(Interval(0.4, 0.415)) == "width"
    with pytest.raises(LudometerError, match="between 0 and 1"):
        StoppingRule(width=0)


def test_a_contradiction_is_noticed():
    """First all pairs are won, then all are lost: no single score fits, and the interval of all pairs is given."""
    sequence = ConfidenceSequence().after((0, 0, 0, 0, 200)).after((400, 0, 0, 0, 0))
    assert sequence.contradicted
    assert sequence.interval == anytime_interval((400, 0, 0, 0, 200))
    with pytest.raises(LudometerError):
        ConfidenceSequence(alpha=0)


def test_looks_are_at_the_documented_numbers_of_pairs(monkeypatch):
    """After each pair up to 2,048, then after every second, from 4,096 on after every fourth, from 8,192 on after every eighth."""
    looks, after = [], ConfidenceSequence.after

    def counted(self, block):
        looks.append(self.pairs + int(np.sum(block)))
        return after(self, block)

    monkeypatch.setattr(ConfidenceSequence, "after", counted)
    kinds = np.random.default_rng(3).choice(5, size=8300, p=pair_chances(0.55, 0.3, 0.2))
    found = ConfidenceSequence().after_each(PAIR_SCORES[kinds])
    documented = [*range(1, 2048), *range(2048, 4096, 2), *range(4096, 8192, 4), *range(8192, 8301, 8)]
    assert looks == documented
    counts = np.cumsum(kinds[:, None] == np.arange(5), axis=0)[np.array(documented) - 1]
    last = ConfidenceSequence().after_looks(counts)[-1]
    assert (found.low, found.high) == (last.low, last.high) and found.pairs == 8300
