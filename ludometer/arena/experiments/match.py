"""Matches: two agents, many seat-swapped pairs of games, and what they say about who is better.

    result = match("quixo:4", "mcts:1000", "alphabeta:4", games=1000)
    result.score, result.score_interval, result.elo

Games go to a store chunk by chunk (by default one in memory), so that a match can be stopped at any moment and go on later.  What comes out
depends on the seed and the number of games alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludometer.arena.measurements.pairings import PlayProgress, opened, play_pairings
from ludometer.arena.measurements.pairs import Pairing
from ludometer.arena.measurements.repetition import settle_openings
from ludometer.arena.measurements.totals import PairTotals, Spread
from ludometer.arena.statistics.confidence_sequence import StoppingRule
from ludometer.arena.statistics.match_statistics import MatchStatistics, match_statistics
from ludometer.arena.statistics.pair_counts import Interval, PairCounts
from ludometer.arena.statistics.sequential import Look, Sequential
from ludometer.arena.statistics.sprt import Sprt
from ludometer.arena.work.store import Store
from ludometer.core.agent import Agent
from ludometer.core.errors import LudometerError
from ludometer.core.frames import data_frame
from ludometer.core.game import Game
from ludometer.core.stopping import Stop
from ludometer.games import game as find_game

_ORIGIN = ("rules", "knowledge", "decisions", "version")  # what of a key may differ between results of one request


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
    """A match, finished or as far as it has come; all numbers are for A."""

    pairing: Pairing
    wanted: int  # games that were asked for
    totals: PairTotals
    statistics: MatchStatistics
    anytime_interval: Interval  # valid at whatever moment one stops
    history: Sequence[Look] = field(default=(), repr=False)  # what was known on the way
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
        return match_document(self)

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


def match_document(result: MatchResult) -> dict[str, Any]:
    """A match as JSON has it."""
    statistics, pairing, totals, first = result.statistics, result.pairing, result.totals, result.statistics.first_player
    elo = statistics.elo
    document: dict[str, Any] = {
        "game": result.game,
        "a": pairing.a,
        "b": pairing.b,
        "seed": pairing.seed,
        "opening_plies": pairing.opening_plies,
        "ply_limit": pairing.ply_limit,
        "wanted": result.wanted,
        "games": result.games,
        "wins": statistics.wins,
        "draws": statistics.draws,
        "losses": statistics.losses,
        "score": statistics.score,
        "score_interval": interval_list(statistics.score_interval),
        "anytime_interval": interval_list(result.anytime_interval),
        "elo": elo.elo,
        "elo_interval": interval_list(elo.interval),
        "elo_open": [elo.open_low, elo.open_high],
        "elo_one_sided": elo.one_sided,
        "p_value": statistics.p_value,
        "pair_p_value": statistics.pair_p_value,
        "superiority": statistics.superiority,
        "pairs": dict(zip(("0", "0.5", "1", "1.5", "2"), totals.counts.pentanomial)),
        "first_player": {
            "wins": first.wins,
            "draws": first.draws,
            "losses": first.losses,
            "score": first.score,
            "score_interval": interval_list(first.interval),
        },
        "length": spread_document(totals.lengths),
        "margin": None if totals.margins is None else spread_document(totals.margins),
        "seconds_per_move": dict(zip("ab", totals.seconds_per_move)),
        "ended": result.ended,
        "seconds": totals.seconds,
        "run": result.run,
        "notes": list(result.notes),
    }
    if result.sprt is not None:
        document["sprt"] = result.sprt.document()
    return document


def interval_list(interval: Interval) -> list[float]:
    """An interval as JSON has it."""
    return [interval.low, interval.high]


def spread_document(spread: Spread) -> dict[str, Any]:
    """Lengths or margins as JSON has them."""
    return {
        "mean": spread.mean,
        "deviation": spread.deviation,
        "median": spread.quantile(0.5),
        "lowest": spread.lowest,
        "highest": spread.highest,
    }


@dataclass(frozen=True)
class MatchProgress:
    """How far a match is."""

    wanted: int  # games
    done: int  # games that are played
    counts: PairCounts  # of the games in order so far
    interval: Interval  # that may be looked at any time
    rate: float  # games a second of this run
    seconds_left: float | None


OnMatchProgress = Callable[[MatchProgress], None]


def match(
    game: Game | str,
    a: Agent | str,
    b: Agent | str,
    games: int = 100,
    *,
    seed: int = 0,
    opening_plies: int | None = None,
    ply_limit: int | None = None,
    sprt: tuple[float, float] | None = None,
    until_width: float | None = None,
    until_decided: bool = False,
    store: Store | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    progress: OnMatchProgress | None = None,
    stop: Stop | None = None,
) -> MatchResult:
    """Play `games` games between A and B in pairs with seats swapped, and say what they show.

    opening_plies   random moves before the agents take over, the same in both games of a pair; default: none, or USUAL_OPENING where
                    both agents are deterministic, since they would otherwise repeat one game
    ply_limit       moves after which a game is drawn; default: the game's own
    sprt            (elo0, elo1): end as soon as a sequential test decides between these
    until_width     end as soon as the anytime-valid interval is so narrow
    until_decided   end as soon as ½ lies outside of it
    store           keeps the games, and gives those it has; default: nothing is kept
    workers         threads or processes; default: one for each core
    cluster         the address of a dask scheduler, whose workers play instead
    progress        is told several times a second
    stop            once asked, the match ends with the games there are; raises Stopped where there are none

    Raises LudometerError for specs that fit nothing and for agents that always play the same game.
    """
    pairs = checked_pairs(games)
    test = None if sprt is None else Sprt(*sprt)
    rule = StoppingRule(until_width, until_decided)
    stop = stop or Stop()
    began = time.perf_counter()
    with opened(store) as kept:
        pairing, notes = settle_openings(Pairing.of(game, a, b, seed, 0, ply_limit), opening_plies, pairs, store, stop)
        notes += unused(kept, [pairing])
        run = begin_run(kept, "match", [(pairing, pairs)], {"a": pairing.a, "b": pairing.b})
        sequential = Sequential(pairs, rule, test)

        def tell(at: PlayProgress) -> None:
            if progress is not None:
                progress(MatchProgress(at.wanted, at.done, sequential.counts, sequential.sequence.interval, at.rate, at.seconds_left))

        try:
            (totals,) = play_pairings(
                kept, [(pairing, pairs)], workers=workers, cluster=cluster, watchers=[sequential], progress=tell, stop=stop
            )
        finally:
            kept.note(run, time.perf_counter() - began)
        if not totals.pairs:
            stop.check("the match")
        result = MatchResult(
            pairing=pairing,
            wanted=games,
            totals=totals,
            statistics=match_statistics(totals.counts),
            anytime_interval=sequential.sequence.interval,
            history=sequential.history,
            sprt=None if test is None else SprtResult(test, test.llr(totals.counts.pentanomial), str(sequential.decision)),
            ended=sequential.ended or ("games" if totals.pairs >= pairs else "stopped"),
            run=None if store is None else run,
            notes=notes,
        )
        kept.note(run, 0.0, match_document(result))
        return result


def checked_pairs(games: int) -> int:
    """The number of pairs that so many games are; raises LudometerError for half a pair."""
    if games < 2 or games % 2:
        raise LudometerError(f"games are played in pairs with seats swapped, so their number is even and at least 2, not {games}")
    return games // 2


def begin_run(
    store: Store, kind: str, wants: Sequence[tuple[Pairing, int]], request: dict[str, Any], players: Sequence[str] | None = None
) -> int:
    """Enter what somebody asked for into the store; the same request is the same run, also where it asks for more games.

    `players` are those that lists of runs show, by default all of the pairings.
    """
    keys = [pairing.key() for pairing, _ in wants]
    names = players or list(dict.fromkeys(name for pairing, _ in wants for name in (pairing.a, pairing.b)))
    run = store.begin_run(kind, keys[0]["game"], tuple(names), {**request, "pairings": keys})
    for (pairing, pairs), key in zip(wants, keys):
        store.want(run, store.series(key, pairing.document()), pairs)
    return run


def unused(store: Store, pairings: Sequence[Pairing]) -> tuple[str, ...]:
    """A note if the store has games of these pairings that do not count, because they were played with other rules or decisions."""
    others = [found for pairing in pairings for found in store.otherwise(pairing.key(), _ORIGIN)]
    if not others:
        return ()
    own = pairings[0].key()
    games = 2 * sum(units for _, units in others)
    versions = sorted({str(key["version"]) for key, _ in others if "version" in key})
    changed = [key for key, _ in others if "version" not in key and key["rules"] == own["rules"]]
    if versions:
        why = f"by version {', '.join(versions)}"
    elif changed:
        why = "by agents that decide otherwise" if changed[0]["knowledge"] == own["knowledge"] else "with another evaluation of the game"
    else:
        why = "with other rules of the game"
    return (f"{games:,} games that the store has of the same request are not used: they were played {why}",)
