"""Matches: two agents, many seat-swapped pairs of games, and what they say about who is better.

    result = match("quixo:4", "mcts:1000", "alphabeta:4", games=1000)
    result.score, result.score_interval, result.elo

Games go to a store chunk by chunk (by default one in memory), so that a match can be stopped at any moment and go on later.  What comes out
depends on the seed and the number of games alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ludometer.arena.confidence import ConfidenceSequence, StoppingRule
from ludometer.arena.pair_counts import Interval, PairCounts
from ludometer.arena.pairs import Pairing, PairResults, game_record, play_pairs
from ludometer.arena.sprt import Sprt
from ludometer.arena.statistics import MatchStatistics, match_statistics
from ludometer.arena.store import Store
from ludometer.arena.work import Gap, executor_for, work_off
from ludometer.core import hooks
from ludometer.core.agent import Agent
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.stopping import Stop
from ludometer.games import game as find_game

USUAL_OPENING = 4  # random plies before the agents take over, where both of them are deterministic
_TRIALS = 4  # pairs from which determinism is judged
_FAST = 2e-6  # seconds for a move, below which agents are not timed
_LOOKS_PER_DOUBLING = 64  # of the confidence sequence and the sequential test, between n and 2n pairs
_SECONDS_BETWEEN_REPORTS = 0.25


@dataclass(frozen=True)
class MatchResult:
    """A match, finished or as far as it has come; all numbers are for A."""

    pairing: Pairing
    wanted: int  # games that were asked for
    counts: PairCounts
    statistics: MatchStatistics
    anytime_interval: Interval  # valid at whatever moment one stops
    lengths: np.ndarray  # int64 [game]: moves after the opening
    margins: np.ndarray | None  # int64 [game]: for the first player, in games with scores
    seconds_per_move: tuple[float | None, float | None]  # of A and of B; None where nobody measured it
    sprt: Sprt | None = None
    sprt_decision: str | None = None
    sprt_llr: float | None = None
    ended: str = "games"  # why it ended: games, width, decided, sprt, stopped
    seconds: float = 0.0  # of work on one core, over all continuations
    run: int | None = None  # its number in the store
    notes: tuple[str, ...] = field(default=())

    @property
    def games(self) -> int:
        return self.counts.games

    @property
    def score(self) -> float:
        return self.statistics.score

    @property
    def score_interval(self) -> Interval:
        return self.statistics.score_interval

    @property
    def elo(self) -> float:
        return self.statistics.elo.elo

    @property
    def elo_interval(self) -> Interval:
        return self.statistics.elo.interval

    def document(self) -> dict[str, Any]:
        """For JSON."""
        return match_document(self)

    def __str__(self) -> str:
        return str(hooks.provided("match text")(self))

    def _repr_html_(self) -> str:
        return str(hooks.provided("match html")(self))

    def plot(self, path: str | None = None) -> Any:
        """The score with its intervals as it grew; a matplotlib figure, written to `path` if one is given."""
        return hooks.provided("match plot")(self, path)


def match_document(result: MatchResult) -> dict[str, Any]:
    """A match as JSON has it."""
    statistics, pairing, first = result.statistics, result.pairing, result.statistics.first_player
    document: dict[str, Any] = {
        "game": find_game(pairing.game).spec,
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
        "elo": statistics.elo.elo,
        "elo_interval": interval_list(statistics.elo.interval),
        "elo_open": [statistics.elo.open_low, statistics.elo.open_high],
        "p_value": statistics.p_value,
        "superiority": statistics.superiority,
        "pairs": dict(zip(("0", "0.5", "1", "1.5", "2"), result.counts.pentanomial)),
        "first_player": {
            "wins": first.wins,
            "draws": first.draws,
            "losses": first.losses,
            "score": first.score,
            "score_interval": interval_list(first.interval),
        },
        "length": {"mean": float(result.lengths.mean()), "longest": int(result.lengths.max())},
        "seconds_per_move": {"a": result.seconds_per_move[0], "b": result.seconds_per_move[1]},
        "ended": result.ended,
        "seconds": result.seconds,
        "run": result.run,
        "notes": list(result.notes),
    }
    if result.sprt is not None:
        document["sprt"] = {
            "elo0": result.sprt.elo0,
            "elo1": result.sprt.elo1,
            "llr": result.sprt_llr,
            "bounds": list(result.sprt.bounds),
            "decision": result.sprt_decision,
        }
    return document


def interval_list(interval: Interval) -> list[float]:
    """An interval as JSON has it."""
    return [interval.low, interval.high]


@dataclass(frozen=True)
class MatchProgress:
    """How far a match is."""

    wanted: int  # games
    done: int  # games, of all chunks
    score: float | None  # of the games in order so far
    interval: Interval  # that may be looked at any time
    rate: float  # games a second of this run
    seconds_left: float | None


OnMatchProgress = Callable[[MatchProgress], None]


class Sequential:
    """Pairs in the order of their numbers: counts, the confidence sequence, and the pair after which a rule ends the match.

    Somebody looks at fixed numbers of pairs, and nowhere else, so that the end does not depend on how the pairs were cut into chunks.
    """

    def __init__(self, pairs: int, rule: StoppingRule, sprt: Sprt | None = None) -> None:
        self.counts = PairCounts()
        self.sequence = ConfidenceSequence()
        self.ended: str | None = None
        self.sprt = sprt
        self.decision: str | None = None if sprt is None else "continue"
        self._wanted = pairs
        self._rule = rule
        self._unseen = PairCounts()  # since the latest look

    @property
    def pairs(self) -> int:
        return self.counts.pairs

    def add(self, results: np.ndarray) -> None:
        """More pairs, as results of single games; those after the one that ends the match are not counted."""
        begin = 0
        for end in looks(self.pairs, len(results) // 2, self._wanted):
            self._count(results[2 * begin : 2 * end])
            begin = end
            self._look()
            if self.ended is not None:
                return
        self._count(results[2 * begin :])

    def _count(self, results: np.ndarray) -> None:
        if len(results):
            block = PairCounts.from_results(results)
            self.counts += block
            self._unseen += block

    def _look(self) -> None:
        self.sequence = self.sequence.after(self._unseen.pentanomial)
        self._unseen = PairCounts()
        self.ended = self._rule.reason(self.sequence.interval)
        if self.sprt is not None:
            self.decision = self.sprt.decision(self.counts.pentanomial)
            if self.decision != "continue":
                self.ended = self.ended or "sprt"


def looks(before: int, count: int, last: int) -> list[int]:
    """After which of the next `count` pairs, `before` being there, somebody looks.

    After every pair at first, later 64 times between n and 2n pairs, and after the last pair of the match.
    """
    numbers = np.arange(before + 1, before + count + 1)
    step = np.maximum(1, (1 << np.floor(np.log2(numbers)).astype(np.int64)) // _LOOKS_PER_DOUBLING)
    return [int(number) - before for number in numbers[(numbers % step == 0) | (numbers == last)]]


@contextmanager
def _opened(store: Store | None) -> Iterator[Store]:
    """The given store, or one in memory for as long as the match lasts."""
    with Store.in_memory() if store is None else nullcontext(store) as opened:
        yield opened


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

    Raises LudometerError for specs that fit nothing and for pairs of agents that always play the same game.
    """
    if games < 2 or games % 2:
        raise LudometerError(f"games are played in pairs with seats swapped, so their number is even and at least 2, not {games}")
    test = None if sprt is None else Sprt(*sprt)
    rule = StoppingRule(until_width, until_decided)
    stop = stop or Stop()
    with _opened(store) as kept:
        pairing, notes = settle_openings(Pairing.of(game, a, b, seed, opening_plies or 0, ply_limit), opening_plies, games // 2)
        request = {"game": pairing.game, "a": pairing.a, "b": pairing.b, "pairing": pairing.key()}
        run = kept.begin_run("match", find_game(pairing.game).spec, (pairing.a, pairing.b), request)
        began = time.perf_counter()
        sequential = Sequential(games // 2, rule, test)
        series = kept.series(pairing.key())
        kept.want(run, series, games // 2)
        try:
            _play_to_the_end(kept, series, pairing, games // 2, sequential, workers, cluster, progress, stop)
            result = _result(kept, series, pairing, games, sequential, run if store is not None else None, notes, stop)
        finally:
            kept.note(run, time.perf_counter() - began)
        kept.note(run, 0.0, match_document(result))
        return result


def settle_openings(pairing: Pairing, asked: int | None, pairs: int) -> tuple[Pairing, tuple[str, ...]]:
    """The pairing with openings where it needs them, and what to tell the user; raises LudometerError for games that all are the same."""
    if asked or pairs == 1 or not repeats_itself(pairing):
        return pairing, ()
    if asked == 0:
        raise LudometerError(
            f"{pairing.a} and {pairing.b} play the same game again and again, so {2 * pairs} games would say no more than 2; "
            f"give them random openings with --opening-plies {USUAL_OPENING}"
        )
    note = f"both agents are deterministic: games begin with {USUAL_OPENING} random plies (--opening-plies sets another number)"
    return Pairing(pairing.game, pairing.a, pairing.b, pairing.seed, USUAL_OPENING, pairing.ply_limit), (note,)


def repeats_itself(pairing: Pairing) -> bool:
    """Whether the games of a pairing do not depend on chance: a few pairs with different seeds are the same, move for move."""
    for turned in (0, 1):
        moves = game_record(pairing, turned).moves
        for pair in range(1, _TRIALS):
            if game_record(pairing, 2 * pair + turned).moves != moves:
                return False
    return True


def _play_to_the_end(
    store: Store,
    series: int,
    pairing: Pairing,
    pairs: int,
    sequential: Sequential,
    workers: int | None,
    cluster: str | None,
    progress: OnMatchProgress | None,
    stop: Stop,
) -> None:
    """Play what is missing until all pairs are there, a rule ends the match, or somebody stops it."""
    reporter = _Reporter(2 * pairs, 2 * store.done(series, pairs), progress)

    def catch_up() -> None:
        """Count the chunks that follow those counted so far without a gap."""
        for first, count, _, arrays in store.chunks(series, sequential.pairs):
            if first != sequential.pairs or sequential.ended is not None or first >= pairs:
                return
            sequential.add(arrays["results"][: 2 * min(count, pairs - first)])

    catch_up()
    if sequential.ended is not None or not store.missing(series, pairs):
        reporter.report(sequential, 0)
        return
    scored = find_game(pairing.game).kind.scored
    timed = is_worth_timing(pairing)

    def keep(chunk: Gap[Any], result: PairResults) -> bool:
        store.add(series, chunk.first, chunk.count, result.seconds, result.arrays(scored))
        catch_up()
        reporter.report(sequential, 2 * chunk.count)
        return sequential.ended is None

    with executor_for(pairing.is_compiled, workers, cluster) as (executor, at_once):
        gaps = [Gap(pairing, first, count) for first, count in store.missing(series, pairs)]
        work_off(gaps, submitter(executor, timed, None if cluster or not pairing.is_compiled else stop), keep, at_once, stop)


def submitter(executor: Executor, timed: bool, stop: Stop | None) -> Callable[[Gap[Any]], Future[Any]]:
    """Starts a chunk of pairs; threads of this process look at `stop`, other processes cannot."""

    def submit(chunk: Gap[Any]) -> Future[Any]:
        return executor.submit(play_pairs, chunk.subject, chunk.first, chunk.count, timed, stop)

    return submit


def is_worth_timing(pairing: Pairing) -> bool:
    """Whether agents think long enough for the clock not to matter."""
    trial = play_pairs(pairing, 0, 1, timed=False)  # compiles too, before any time counts
    trial = play_pairs(pairing, 0, 1, timed=False)
    return trial.seconds / max(1, int(trial.lengths.sum())) > _FAST


class _Reporter:
    """Tells `progress` now and then."""

    def __init__(self, wanted: int, done: int, progress: OnMatchProgress | None) -> None:
        self._wanted = wanted
        self._done = done
        self._new = 0
        self._began = time.perf_counter()
        self._told = 0.0
        self._progress = progress

    def report(self, sequential: Sequential, games: int) -> None:
        self._done += games
        self._new += games
        now = time.perf_counter()
        if self._progress is None or (now - self._told < _SECONDS_BETWEEN_REPORTS and self._done < self._wanted):
            return
        self._told = now
        rate = self._new / max(now - self._began, 1e-9)
        left = (self._wanted - self._done) / rate if rate > 0 else None
        score = sequential.counts.score if sequential.pairs else None
        self._progress(MatchProgress(self._wanted, self._done, score, sequential.sequence.interval, rate, left))


def _result(
    store: Store, series: int, pairing: Pairing, games: int, sequential: Sequential, run: int | None, notes: tuple[str, ...], stop: Stop
) -> MatchResult:
    pairs = sequential.pairs
    if not pairs:
        stop.check("the match")
        raise LudometerError("no pair of games was finished")
    lengths, margins, thinking, seconds = [], [], np.zeros(4), 0.0
    for first, count, spent, arrays in store.chunks(series):
        if first >= pairs:
            break
        share = min(count, pairs - first)
        lengths.append(arrays["lengths"][: 2 * share].astype(np.int64))
        if "margins" in arrays:
            margins.append(arrays["margins"][: 2 * share].astype(np.int64))
        if "thinking" in arrays:
            thinking += arrays["thinking"][:share].sum(axis=0, dtype=np.float64)
        seconds += spent * share / count
    ended = sequential.ended or ("games" if 2 * pairs >= games else "stopped")
    per_move = [float(thinking[place] / thinking[place + 1]) if thinking[place + 1] else None for place in (0, 2)]
    sprt = sequential.sprt
    return MatchResult(
        pairing=pairing,
        wanted=games,
        counts=sequential.counts,
        statistics=match_statistics(sequential.counts),
        anytime_interval=sequential.sequence.interval,
        lengths=np.concatenate(lengths),
        margins=np.concatenate(margins) if margins else None,
        seconds_per_move=(per_move[0], per_move[1]),
        sprt=sprt,
        sprt_decision=sequential.decision,
        sprt_llr=None if sprt is None else sprt.llr(sequential.counts.pentanomial),
        ended=ended,
        seconds=seconds,
        run=run,
        notes=notes,
    )
