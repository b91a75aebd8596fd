"""Statistics of a match: tests, intervals and Elo as pure functions of counts.

Two units are used.  Functions of `wins, draws, losses` or of a score and n treat games as independent, as most of the literature
does.  Functions of a pentanomial (see `pair_counts`) treat seat-swapped pairs as independent and assume nothing about the two games
of a pair.  The headline numbers of a match are of the second kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, exp, floor, log, log10, sqrt
from typing import Literal

from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import bdtr, betaincinv, chdtrc, ndtri, xlogy

from ludometer.arena.statistics.pair_bounds import likelihood_of_superiority, pair_p_value, score_interval
from ludometer.arena.statistics.pair_counts import Interval, PairCounts, checked_error, checked_pentanomial, mean_score, pair_variance
from ludometer.core.errors import LudometerError

_LEAST = 1e-300  # smallest score considered


def binomial_p_value(wins: int, draws: int, losses: int, half: Literal["conservative", "down"] = "conservative") -> float:
    """p-value of the exact two-sided binomial test of "both players are equally strong", with a draw as half a win.

    An odd number of draws leaves half a win over.  `conservative` gives it to the player who is behind: the p-value is the same for
    both players and not too small.  `down` rounds A's wins down.

    >>> round(binomial_p_value(78, 0, 22) * 1e8, 3)
    1.591
    """
    games = _checked_games(wins, draws, losses)
    points = wins + draws / 2
    if half == "down":
        successes = floor(points)
    else:
        successes = floor(points) if points > games / 2 else ceil(points)
    fewer = min(successes, games - successes)
    return 1.0 if 2 * fewer >= games else min(1.0, 2 * float(bdtr(fewer, games, 0.5)))


@dataclass(frozen=True)
class ChiSquare:
    """A χ² statistic with one degree of freedom and its p-value."""

    statistic: float
    p_value: float


def chi_square(wins: float, games: int) -> ChiSquare:
    """Test of equal proportions of `wins` and `games − wins` out of `games` each, with continuity correction.

    Published results use it, but it is not a valid test of a match.  It treats the wins of the two players as independent samples of
    `games` each, although one determines the other.  It therefore halves the variance of the difference, doubles the statistic and
    gives too small a p-value.

    >>> chi_square(496, 1000)
    ChiSquare(statistic=0.098, p_value=0.75424...)
    """
    if games < 1 or not 0 <= wins <= games:
        raise LudometerError(f"wins lie between 0 and the number of games, not {wins:g} of {games}")
    difference = max(0.0, abs(2 * wins - games) - 1) / games
    statistic = difference**2 / (0.5 / games)
    return ChiSquare(statistic, float(chdtrc(1, statistic)))


def clopper_pearson(successes: int, trials: int, alpha: float = 0.05) -> Interval:
    """Exact interval for a probability, valid for independent games without draws."""
    if trials < 1 or not 0 <= successes <= trials:
        raise LudometerError(f"successes lie between 0 and the number of trials, not {successes} of {trials}")
    checked_error(alpha)
    low = float(betaincinv(successes, trials - successes + 1, alpha / 2)) if successes else 0.0
    high = float(betaincinv(successes + 1, trials - successes, 1 - alpha / 2)) if successes < trials else 1.0
    return Interval(low, high)


def kl_interval(score: float, units: int, alpha: float = 0.05) -> Interval:
    """KL–Chernoff interval for the mean of `units` independent numbers in [0, 1] with this mean, such as scores with draws.

    All q with units·kl(score, q) ≤ log(2/alpha), where kl is the relative entropy of two coins (Hoeffding 1963).  Proven for any numbers in
    [0, 1]; wide if draws make the variance small.
    """
    if units < 1 or not 0 <= score <= 1:
        raise LudometerError(f"a score lies between 0 and 1 over at least one game, not {score:g} over {units}")
    limit = log(2 / checked_error(alpha)) / units
    return Interval(_kl_lower(score, limit), 1 - _kl_lower(1 - score, limit))


def _kl_lower(score: float, limit: float) -> float:
    def excess(q: float) -> float:
        return float(xlogy(score, score / q) + xlogy(1 - score, (1 - score) / (1 - q))) - limit

    if score == 1:
        return exp(-limit)
    if score == 0 or excess(_LEAST) < 0:
        return 0.0
    return float(brentq(excess, _LEAST, score, xtol=1e-14))


def normal_interval(pentanomial: ArrayLike, alpha: float = 0.05) -> Interval:
    """Score ± z·(standard error of pairs), clipped to [0, 1]: the usual pentanomial interval, for comparison with other programs.

    An approximation: its coverage falls far below 1 − alpha near 0 and 1 and for few pairs.  Use `score_interval`.
    """
    counts = checked_pentanomial(pentanomial)
    radius = -float(ndtri(checked_error(alpha) / 2)) * standard_error(counts)
    return Interval(max(0.0, mean_score(counts) - radius), min(1.0, mean_score(counts) + radius))


def standard_error(pentanomial: ArrayLike) -> float:
    """Standard error of the match score, from the variance of the pairs."""
    counts = checked_pentanomial(pentanomial)
    return sqrt(pair_variance(counts) / float(counts.sum())) if counts.any() else 0.0


def elo_of_score(score: float) -> float:
    """Elo difference at which this score is expected; raises LudometerError unless it is strictly between 0 and 1."""
    if not 0 < score < 1:
        raise LudometerError(f"a score of {score:g} has no finite Elo difference")
    return 400 * log10(score / (1 - score))


def score_of_elo(elo: float) -> float:
    """Score expected at this Elo difference: 64 % at 100 Elo, 76 % at 200."""
    return float(1 / (1 + 10.0 ** (-elo / 400)))


def perfect_score_bound(units: int, alpha: float = 0.05) -> float:
    """Lower bound of the true score after `units` wins in `units` games: alpha^(1/units), with confidence 1 − alpha."""
    if units < 1:
        raise LudometerError("a perfect score needs at least one game")
    return float(checked_error(alpha) ** (1 / units))


@dataclass(frozen=True)
class EloEstimate:
    """An Elo difference with its interval; all numbers are finite.

    A score of 100 % bounds the difference on one side only.  Then `open_high` is true, `elo` and `high` are the Elo of a score half a
    draw short of perfect, and `one_sided` is the lower bound with confidence 1 − alpha.  A score of 0 % is the mirror image, with
    `open_low`.
    """

    elo: float
    low: float
    high: float
    open_low: bool = False
    open_high: bool = False
    one_sided: float | None = None

    @property
    def interval(self) -> Interval:
        return Interval(self.low, self.high)

    def mirrored(self) -> EloEstimate:
        """The estimate for the other player."""
        one_sided = None if self.one_sided is None else -self.one_sided
        return EloEstimate(-self.elo, -self.high, -self.low, self.open_high, self.open_low, one_sided)


def elo_estimate(pentanomial: ArrayLike, alpha: float = 0.05) -> EloEstimate:
    """Elo of the score and of both ends of `score_interval`; raises LudometerError without a pair."""
    counts = checked_pentanomial(pentanomial)
    pairs = round(float(counts.sum()))
    if not pairs:
        raise LudometerError("no pair of games has been played, so there is no Elo difference")
    score, interval = mean_score(counts), score_interval(counts, alpha)
    if score == 0:
        return elo_estimate(counts[::-1], alpha).mirrored()
    if score == 1:
        most = elo_of_score(1 - 1 / (8 * pairs))  # a quarter point of two games a pair
        return EloEstimate(
            most, elo_of_score(interval.low), most, open_high=True, one_sided=elo_of_score(perfect_score_bound(pairs, alpha))
        )
    return EloEstimate(elo_of_score(score), elo_of_score(interval.low), elo_of_score(interval.high))


@dataclass(frozen=True)
class FirstPlayer:
    """Results and score of the player who moved first, over the games of both agents, with an interval."""

    wins: int
    draws: int
    losses: int
    score: float
    interval: Interval
    elo: EloEstimate

    @property
    def advantage(self) -> float:
        """Score minus ½."""
        return self.score - 0.5


def first_player(counts: PairCounts, alpha: float = 0.05) -> FirstPlayer:
    """Statistics of the first player in a match; each agent sits there once in every pair, so their strengths cancel."""
    pentanomial = counts.first_player_pentanomial
    return FirstPlayer(
        *counts.first_player_results, mean_score(pentanomial), score_interval(pentanomial, alpha), elo_estimate(pentanomial, alpha)
    )


@dataclass(frozen=True)
class MatchStatistics:
    """Statistics of a match with a fixed number of games, for A."""

    games: int
    wins: int
    draws: int
    losses: int
    score: float
    score_interval: Interval
    elo: EloEstimate
    p_value: float  # exact binomial over games
    pair_p_value: float  # over pairs: below alpha if and only if `score_interval` excludes ½
    superiority: float  # likelihood of superiority
    first_player: FirstPlayer


def match_statistics(counts: PairCounts, alpha: float = 0.05) -> MatchStatistics:
    """Statistics of a match with a fixed number of games; raises LudometerError without a pair."""
    return MatchStatistics(
        games=counts.games,
        wins=counts.wins,
        draws=counts.draws,
        losses=counts.losses,
        score=counts.score,
        score_interval=score_interval(counts.pentanomial, alpha),
        elo=elo_estimate(counts.pentanomial, alpha),
        p_value=binomial_p_value(counts.wins, counts.draws, counts.losses),
        pair_p_value=pair_p_value(counts.pentanomial),
        superiority=likelihood_of_superiority(counts.pentanomial),
        first_player=first_player(counts, alpha),
    )


def _checked_games(wins: int, draws: int, losses: int) -> int:
    if min(wins, draws, losses) < 0 or wins + draws + losses < 1:
        raise LudometerError(f"wins, draws and losses are counts of at least one game, not {wins}, {draws}, {losses}")
    return wins + draws + losses
