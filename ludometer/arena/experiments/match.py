"""Matches: two agents, many seat-swapped pairs of games, and what they say about who is better.

    result = match("quixo:4", "mcts:1000", "alphabeta:4", games=1000)
    result.score, result.score_interval, result.elo

Games go to a store chunk by chunk (by default one in memory), so that a match can be stopped at any moment and go on later.  What comes out
depends on the seed and the number of games alone.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ludometer.agents import AgentLike
from ludometer.arena.measurements.pair_runs import begin_pair_run, note_unused_games
from ludometer.arena.measurements.pairings import play_pairings
from ludometer.arena.measurements.pairs import Pairing, pairs_of
from ludometer.arena.measurements.repetition import settle_openings
from ludometer.arena.measurements.totals import PairTotals, Spread
from ludometer.arena.statistics.confidence_sequence import StoppingRule
from ludometer.arena.statistics.match_statistics import MatchStatistics, match_statistics
from ludometer.arena.statistics.pair_counts import Interval, PairCounts
from ludometer.arena.statistics.sequential import MatchSnapshot, Sequential
from ludometer.arena.statistics.sprt import Sprt
from ludometer.arena.work.execution import Execution
from ludometer.core.frames import data_frame
from ludometer.core.game import Game
from ludometer.games import game as find_game


@dataclass(frozen=True)
class SprtResult:
    """How a sequential test stands."""

    test: Sprt
    llr: float
    decision: str  # elo0, elo1 or continue

    def document(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "elo0": self.test.elo0,
            "elo1": self.test.elo1,
            "llr": self.llr,
            "bounds": list(self.test.bounds),
            "decision": self.decision,
        }


@dataclass(frozen=True)
class MatchResult:
    """Result of a match, finished or stopped; all numbers are for A."""

    pairing: Pairing
    wanted: int  # games that were asked for
    totals: PairTotals
    statistics: MatchStatistics
    anytime_interval: Interval  # valid at whatever moment one stops
    history: Sequence[MatchSnapshot] = field(default=(), repr=False)  # what was known on the way
    sprt: SprtResult | None = None
    ended: str = "games"  # why it ended: games, width, decided, sprt, stopped
    run: int | None = None  # its number in the store
    notes: tuple[str, ...] = field(default=())

    @property
    def game(self) -> str:
        """The spec of the game."""
        return find_game(self.pairing.game).spec

    @property
    def games(self) -> int:
        return self.totals.games

    @property
    def counts(self) -> PairCounts:
        return self.totals.counts

    @property
    def score(self) -> float:
        return self.statistics.score

    @property
    def score_interval(self) -> Interval:
        """For a number of games that was fixed beforehand."""
        return self.statistics.score_interval

    @property
    def elo(self) -> float:
        return self.statistics.elo.elo

    @property
    def elo_interval(self) -> Interval:
        return self.statistics.elo.interval

    @property
    def lengths(self) -> Spread:
        return self.totals.lengths

    @property
    def seconds_per_move(self) -> tuple[float | None, float | None]:
        return self.totals.seconds_per_move

    def document(self) -> dict[str, Any]:
        """For JSON."""
        statistics, pairing, totals, first = self.statistics, self.pairing, self.totals, self.statistics.first_player
        elo = statistics.elo
        document: dict[str, Any] = {
            "game": self.game,
            "a": pairing.a,
            "b": pairing.b,
            "seed": pairing.seed,
            "opening_plies": pairing.opening_plies,
            "ply_limit": pairing.ply_limit,
            "wanted": self.wanted,
            "games": self.games,
            "wins": statistics.wins,
            "draws": statistics.draws,
            "losses": statistics.losses,
            "score": statistics.score,
            "score_interval": statistics.score_interval.document(),
            "anytime_interval": self.anytime_interval.document(),
            "elo": elo.elo,
            "elo_interval": elo.interval.document(),
            "elo_open": [elo.open_low, elo.open_high],
            "elo_one_sided": elo.one_sided,
            "p_value": statistics.p_value,
            "pair_p_value": statistics.pair_p_value,
            "superiority": statistics.superiority,
            "pairs": totals.counts.pentanomial_document(),
            "first_player": {
                "wins": first.wins,
                "draws": first.draws,
                "losses": first.losses,
                "score": first.score,
                "score_interval": first.interval.document(),
            },
            "length": spread_document(totals.lengths),
            "margin": None if totals.margins is None else spread_document(totals.margins),
            "seconds_per_move": dict(zip("ab", totals.seconds_per_move)),
            "ended": self.ended,
            "seconds": totals.seconds,
            "run": self.run,
            "notes": list(self.notes),
        }
        if self.sprt is not None:
            document["sprt"] = self.sprt.document()
        return document

    def to_frame(self) -> Any:
        """The match as it grew, a pandas DataFrame with one row for each look; needs pandas."""
        return data_frame(
            {
                "games": look.counts.games,
                "wins": look.counts.wins,
                "draws": look.counts.draws,
                "losses": look.counts.losses,
                "score": look.counts.score,
                "anytime_low": look.anytime_interval.low,
                "anytime_high": look.anytime_interval.high,
            }
            for look in self.history
        )

    def __str__(self) -> str:
        from ludometer.view.results.matches import match_text

        return match_text(self)

    def _repr_html_(self) -> str:
        from ludometer.view.results.matches import match_html

        return match_html(self)

    def plot(self, path: str | None = None) -> Any:
        """The score with its intervals as it grew; a matplotlib figure, written to `path` if one is given."""
        from ludometer.view.results.matches import match_plot

        return match_plot(self, path)


def spread_document(spread: Spread) -> dict[str, Any]:
    """Lengths or margins as JSON has them."""
    return {
        "mean": spread.mean,
        "deviation": spread.deviation,
        "median": spread.quantile(0.5),
        "lowest": spread.lowest,
        "highest": spread.highest,
    }


def match(
    game: Game | str,
    a: AgentLike,
    b: AgentLike,
    games: int = 100,
    *,
    seed: int = 0,
    opening_plies: int | None = None,
    ply_limit: int | None = None,
    sprt: tuple[float, float] | None = None,
    until_width: float | None = None,
    until_decided: bool = False,
    execution: Execution | None = None,
) -> MatchResult:
    """Play `games` games between A and B and estimate which is stronger.

    Games come in pairs with the same opening and the seats swapped.

        game            a game or its spec
        a, b            agents or their specs
        games           number of games, even
        seed            decides openings and all chance of the agents
        opening_plies   random moves before the agents take over, the same in both games of a pair; default: none, or USUAL_OPENING if both
                        agents are deterministic, since they would repeat one game
        ply_limit       moves after which a game is drawn; default: the game's own limit
        sprt            (elo0, elo1): end as soon as a sequential probability ratio test decides between these
        until_width     end as soon as the anytime-valid interval is at most this wide
        until_decided   end as soon as the anytime-valid interval excludes ½
        execution       workers, store, progress and stop; default: all cores, and nothing is kept

    Raises LudometerError for specs that do not fit and for agents that always play the same game, and Stopped if no pair was finished.

    >>> result = lm.match("tictactoe", "alphabeta:2", "random", games=20, seed=1)
    >>> result.counts.wins, result.counts.draws, result.counts.losses, result.score
    (20, 0, 0, 1.0)
    """
    pairs = pairs_of(games)
    test = None if sprt is None else Sprt(*sprt)
    rule = StoppingRule(until_width, until_decided)
    began = time.perf_counter()
    with (execution or Execution()).started() as work:
        pairing, notes = settle_openings(Pairing.of(game, a, b, seed, 0, ply_limit), opening_plies, pairs, work)
        notes += note_unused_games(work.store, [pairing])
        run = begin_pair_run(work.store, "match", [(pairing, pairs)], {"a": pairing.a, "b": pairing.b})
        sequential = Sequential(pairs, rule, test)

        def progress_text(_: Sequence[PairTotals]) -> str:
            from ludometer.view.results.matches import match_progress_text

            return match_progress_text(sequential.counts, sequential.sequence.interval)

        try:
            (totals,) = play_pairings([(pairing, pairs)], work, watchers=[sequential], text=progress_text)
        finally:
            work.store.note(run, time.perf_counter() - began)
        if not totals.pairs:
            work.stop.check("the match")
        result = MatchResult(
            pairing=pairing,
            wanted=games,
            totals=totals,
            statistics=match_statistics(totals.counts),
            anytime_interval=sequential.sequence.interval,
            history=sequential.history,
            sprt=None if test is None else SprtResult(test, test.llr(totals.counts.pentanomial), str(sequential.decision)),
            ended=sequential.ended or ("games" if totals.pairs >= pairs else "stopped"),
            run=work.run_number(run),
            notes=notes,
        )
        work.store.note(run, 0.0, result.document())
        return result
