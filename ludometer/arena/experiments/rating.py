"""Placing players on the scale of a game: `rate("quixo:4", "alphabeta:4", "my_agent.py")`.

An agent first plays short matches against rungs of the scale, each halving the range in which its level can lie.  Then it plays
a planned number of pairs against the rungs around that level.  Its level comes from a fit of these games together with those
of the scale, so its interval includes the uncertainty of the scale.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, log2
from typing import Any

from ludometer.agents import AgentLike
from ludometer.arena.experiments.depth import depth
from ludometer.arena.experiments.reference_scales import reference_scale
from ludometer.arena.experiments.scale_documents import GameScale, bounds
from ludometer.arena.measurements.pairings import play_pairings
from ludometer.arena.measurements.pairs import Pairing
from ludometer.arena.measurements.totals import PairTotals
from ludometer.arena.play.roster import enter
from ludometer.arena.statistics.levels import LevelEstimate, fit_levels, levels_of_score, score_of_levels
from ludometer.arena.statistics.pair_counts import PairCounts, mean_score, pair_variance
from ludometer.arena.statistics.planning import pairs_for_interval
from ludometer.arena.statistics.ratings import HeadToHead
from ludometer.arena.work.execution import Execution, StartedExecution
from ludometer.core.errors import LudometerError
from ludometer.core.frames import data_frame
from ludometer.core.game import Game
from ludometer.core.random import stream
from ludometer.games import game as find_game

PRECISION = 0.3  # levels: half width of the interval of an agent's level against the scale
_SEARCHING_PAIRS = 16  # of a short match
_NEAR = 1.0  # levels: a short match within this range ends the search
_OPPONENTS = 3  # rungs in the planned part
_LEAST_PAIRS, _MOST_PAIRS = 32, 4096  # of a planned match
_LEAST_DISPERSION = 0.1


@dataclass(frozen=True)
class RatedAgent:
    """An agent on the scale of a game."""

    agent: str
    level: LevelEstimate
    equivalent: float | None  # iterations of the yardstick at the same level; None beyond its rungs
    against: tuple[tuple[str, PairCounts], ...]  # opponents and the counts of the agent
    seconds_per_move: float | None = None

    @property
    def games(self) -> int:
        return sum(counts.games for _, counts in self.against)

    def document(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "agent": self.agent,
            "level": self.level.level,
            "interval": bounds(self.level),
            "equivalent": self.equivalent,
            "games": self.games,
            "seconds_per_move": self.seconds_per_move,
            "matches": [
                {"opponent": opponent, "pairs": list(counts.table), "score": counts.score, "games": counts.games}
                for opponent, counts in self.against
            ],
        }


@dataclass(frozen=True)
class RatingResult:
    """Several agents on the scale of a game."""

    scale: GameScale
    agents: tuple[RatedAgent, ...]
    source: str  # where the scale comes from
    run: int | None = None

    def document(self) -> list[dict[str, Any]]:
        """For JSON: a list of agents."""
        top = self.scale.depth
        common = {
            "game": self.scale.game,
            "scale": {"depth": top.level, "interval": bounds(top), "open": self.scale.is_open, "from": self.source},
        }
        return [{**one.document(), **common} for one in self.agents]

    def __str__(self) -> str:
        from ludometer.view.results.levels import rating_text

        return rating_text(self)

    def _repr_html_(self) -> str:
        from ludometer.view.results.levels import rating_html

        return rating_html(self)

    def plot(self, path: str | None = None) -> Any:
        """The agents beside the scale; a matplotlib figure, written to `path` if given."""
        from ludometer.view.results.levels import rating_plot

        return rating_plot(self, path)

    def to_frame(self) -> Any:
        """A pandas data frame with a row for each agent."""
        return data_frame(
            {
                "game": self.scale.game,
                "agent": one.agent,
                "level": one.level.level,
                "low": one.level.low,
                "high": one.level.high,
                "equivalent": one.equivalent,
                "games": one.games,
            }
            for one in self.agents
        )


def rate(
    game: Game | str,
    *agents: AgentLike,
    precision: float = PRECISION,
    scale: GameScale | None = None,
    seed: int = 0,
    execution: Execution | None = None,
) -> RatingResult:
    """The level of each agent on the scale of a game, with its interval and the yardstick's budget of equal strength.

        game        a game or its spec
        agents      agents or their specs
        precision   half width in levels that the agent's own games are planned for
        scale       default: the reference scale of a built-in game; other games are measured first, within two minutes
        seed        decides all chance
        execution   workers, store, progress and stop; default: all cores, and nothing is kept

    Raises LudometerError.

    >>> scale = lm.depth("tictactoe", precision=2, rungs=6, perfect=False, seed=1).games[0]
    >>> found = lm.rate("tictactoe", "random", precision=2, scale=scale, seed=1)
    >>> found.agents[0].level.low < 0 < found.agents[0].level.high
    True
    """
    chosen = find_game(game)
    if not agents:
        raise LudometerError("rate needs an agent")
    if not 0.05 <= precision <= 2:
        raise LudometerError(f"a precision is a number of levels from 0.05 to 2, not {precision:g}")
    with (execution or Execution()).started() as work:
        names = [enter(chosen, agent) for agent in agents]
        if len(set(names)) < len(names):
            raise LudometerError("an agent is named twice")
        source = "given"
        if scale is None:
            scale = reference_scale(chosen)
            source = "reference" if scale is not None else "measured now"
        if scale is None:
            scale = depth(chosen, seed=seed, execution=work).games[0]
        request = {"agents": names, "precision": precision, "seed": seed, "scale": scale.plan.digest, "game": chosen.spec}
        run = work.store.begin_run("rating", chosen.spec, tuple(names), request)
        began = time.perf_counter()
        rated = []
        for name in names:
            work.stop.check("rating")
            rated.append(_Placing(chosen, name, scale, precision, seed, work, run).place())
        result = RatingResult(scale, tuple(rated), source, work.run_number(run))
        work.store.note(run, time.perf_counter() - began, {"agents": result.document()})
        return result


class _Placing:
    """One agent's way to its level."""

    def __init__(self, game: Game, agent: str, scale: GameScale, precision: float, seed: int, work: StartedExecution, run: int) -> None:
        self._game, self._agent, self._scale = game, agent, scale
        self._precision, self._seed, self._work, self._run = precision, seed, work, run
        self._totals: dict[str, PairTotals] = {}
        result = scale.result
        levels = [result.fit.levels[result.place(player)] for player in (result.random, *result.rungs)]
        self._players = [result.random, *result.rungs]
        self._levels = [max(levels[: place + 1]) for place in range(len(levels))]  # non-decreasing, for searching only

    def place(self) -> RatedAgent:
        """Search, then measure."""
        near = self._search()
        opponents = self._around(near)
        dispersion = self._dispersion(opponents)
        goal = self._precision * _slope(near, [self._levels[self._players.index(one)] for one in opponents])
        pairs = pairs_for_interval(min(0.49, goal), dispersion=dispersion) / len(opponents)
        planned = min(_MOST_PAIRS, max(_LEAST_PAIRS, round(pairs + 0.5)))
        self._play([(opponent, max(planned, self._pairs(opponent))) for opponent in opponents], "measuring")
        return self._rated()

    def _search(self) -> float:
        """A level near the agent's, by short matches."""
        low, high = 0, len(self._players) - 1
        while True:
            middle = self._nearest((self._levels[low] + self._levels[high]) / 2, low, high)
            self._play([(self._players[middle], _SEARCHING_PAIRS)], "looking for its level")
            score = self._totals[self._players[middle]].counts.score
            away = levels_of_score(min(0.97, max(0.03, score)))
            here = self._levels[middle] + away
            if abs(away) <= _NEAR or low >= high:
                return here
            if away > 0:
                low = min(high, max(middle + 1, bisect_left(self._levels, self._levels[middle] + _NEAR / 2)))
            else:
                high = max(low, middle - 1)

    def _nearest(self, level: float, low: int, high: int) -> int:
        return min(range(low, high + 1), key=lambda place: abs(self._levels[place] - level))

    def _around(self, level: float) -> list[str]:
        """The rungs whose levels are nearest."""
        order = sorted(range(len(self._players)), key=lambda place: (abs(self._levels[place] - level), -place))
        return [self._players[place] for place in sorted(order[:_OPPONENTS])]

    def _dispersion(self, opponents: Sequence[str]) -> float:
        """Of pairs between neighbours on the scale there."""
        found = []
        for contest in self._scale.result.contests:
            if contest.a in opponents or contest.b in opponents:
                score = mean_score(contest.counts.pentanomial)
                if 0.1 < score < 0.9:
                    found.append(pair_variance(contest.counts.pentanomial) / (score * (1 - score)))
        return min(1.0, max(_LEAST_DISPERSION, max(found, default=0.5)))

    def _pairs(self, opponent: str) -> int:
        return self._totals[opponent].pairs if opponent in self._totals else 0

    def _play(self, wanted: Sequence[tuple[str, int]], what: str) -> None:
        """Play matches against rungs; raises Stopped once asked."""
        work, plan = self._work, self._scale.plan
        pairings = []
        for opponent, pairs in wanted:
            seed = int(stream(self._seed, "rating", self._agent, opponent)) >> 11
            pairing = Pairing.of(self._game, self._agent, opponent, seed, plan.opening_plies, plan.ply_limit)
            work.store.want(self._run, work.store.series(pairing.key(), pairing.document()), pairs)
            pairings.append((pairing, pairs))
        totals = play_pairings(pairings, work, text=f"{self._agent}: {what}")
        work.stop.check("rating")
        self._totals |= {opponent: total for (opponent, _), total in zip(wanted, totals)}

    def _rated(self) -> RatedAgent:
        result = self._scale.result
        number = len(result.players)
        own = [HeadToHead.of(number, result.place(opponent), total.counts) for opponent, total in self._totals.items()]
        fit = fit_levels([*result.fitted, *own], number + 1)
        level = fit.difference(number, 0)
        seconds = [total.thinking[0] for total in self._totals.values()]
        moves = sum(one.moves for one in seconds)
        return RatedAgent(
            agent=self._agent,
            level=level,
            equivalent=equivalent_budget(self._scale, level.level),
            against=tuple((opponent, total.counts) for opponent, total in self._totals.items()),
            seconds_per_move=sum(one.seconds for one in seconds) / moves if moves else None,
        )


def _slope(level: float, opponents: Sequence[float]) -> float:
    """How much of a score one level is worth against these opponents, on average."""
    step = 0.01
    gains = [score_of_levels(level + step - one) - score_of_levels(level - step - one) for one in opponents]
    return sum(gains) / (2 * step) / len(opponents)


def equivalent_budget(scale: GameScale, level: float) -> float | None:
    """Iterations at which the yardstick reaches a level; None below its first rung or above its last one."""
    result = scale.result
    levels = [result.fit.levels[result.place(player)] for player in result.rungs]
    rising = [max(levels[: place + 1]) for place in range(len(levels))]
    if not isfinite(level) or level > rising[-1] or level < min(0.0, rising[0]):
        return None
    place = bisect_left(rising, level)
    if place == 0:
        return 1.0
    below, above = rising[place - 1], rising[place]
    share = (level - below) / (above - below) if above > below else 1.0
    return float(2 ** (place - 1 + share))


def budget_text(budget: float | None) -> str:
    """An equivalent budget for people: two digits."""
    if budget is None:
        return "beyond the yardstick"
    digits = max(0, int(log2(max(1.0, budget)) / log2(10)) - 1)
    return f"uct:{round(budget / 10**digits) * 10**digits:,}"
