"""Tournaments: several agents, every pairing or one against all, rated on one scale.

    result = tournament("quixo:4", ["random", "mcts:10", "mcts:100"], games=200)
    result.players[0].agent, result.players[0].rating

The pairs of a pairing depend on the tournament's seed and on the two agents alone, not on the other players or the order in which they are
named.  Each pairing has seeds of its own, because ratings take pairings as independent of each other.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from ludometer.agents import AgentLike
from ludometer.arena.measurements.pair_runs import begin_pair_run, note_unused_games
from ludometer.arena.measurements.pairings import play_pairings
from ludometer.arena.measurements.pairs import Pairing, pairs_of
from ludometer.arena.measurements.repetition import USUAL_OPENING, repetition
from ludometer.arena.measurements.totals import PairTotals
from ludometer.arena.play.compiled_games import SEED_BITS
from ludometer.arena.play.roster import enter
from ludometer.arena.statistics.pair_counts import Interval, PairCounts
from ludometer.arena.statistics.ratings import Cycle, HeadToHead, Ratings, non_transitive_triples, rate
from ludometer.arena.statistics.transitivity import Transitivity, transitivity
from ludometer.arena.work.execution import Execution, StartedExecution
from ludometer.core.errors import LudometerError, shorten
from ludometer.core.frames import data_frame
from ludometer.core.game import Game
from ludometer.core.random import stream
from ludometer.core.stopping import Stopped
from ludometer.games import game as find_game


@dataclass(frozen=True)
class TournamentPlayer:
    """How one agent did."""

    agent: str
    rating: float  # Elo, the anchor's being 0
    interval: Interval
    games: int
    score: float  # share of the points


@dataclass(frozen=True)
class TournamentPair:
    """Two agents and their games; `counts` are for a."""

    a: str
    b: str
    totals: PairTotals
    counts: PairCounts


@dataclass(frozen=True)
class TournamentResult:
    """Result of a tournament, finished or stopped; players are in the order of their ratings."""

    game: str
    anchor: str
    wanted: int  # games of all pairings
    players: tuple[TournamentPlayer, ...]
    pairs: tuple[TournamentPair, ...]
    superiority: tuple[tuple[float, ...], ...]  # [i][j]: probability that player i is stronger than j
    groups: tuple[tuple[str, ...], ...]  # between them points went one way only: rating differences have no upper bound
    cycles: tuple[Cycle, ...]  # three players of whom each beats the next; numbers are places in `players`
    transitivity: Transitivity
    ended: str = "games"  # or stopped
    run: int | None = None
    notes: tuple[str, ...] = field(default=())

    @property
    def games(self) -> int:
        return sum(pair.totals.games for pair in self.pairs)

    def between(self, a: str, b: str) -> PairCounts | None:
        """The games of two players, seen by the first; None if they have played none."""
        for pair in self.pairs:
            if (pair.a, pair.b) == (a, b):
                return pair.counts
            if (pair.a, pair.b) == (b, a):
                return pair.counts.swapped()
        return None

    def document(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "game": self.game,
            "anchor": self.anchor,
            "wanted": self.wanted,
            "games": self.games,
            "players": [
                {
                    "agent": player.agent,
                    "rating": player.rating,
                    "interval": player.interval.document(),
                    "games": player.games,
                    "score": player.score,
                }
                for player in self.players
            ],
            "pairs": [_pair_document(pair) for pair in self.pairs],
            "superiority": [list(row) for row in self.superiority],
            "groups": [list(group) for group in self.groups],
            "cycles": [
                {"agents": [self.players[place].agent for place in cycle.players], "scores": list(cycle.scores), "shown": cycle.shown}
                for cycle in self.cycles
            ],
            "transitivity": self.transitivity.value,
            "misfit_p_value": self.transitivity.misfit_p_value,
            "ended": self.ended,
            "run": self.run,
            "notes": list(self.notes),
        }

    def to_frame(self) -> Any:
        """The players as a pandas DataFrame, strongest first; needs pandas."""
        return data_frame(
            {
                "agent": player.agent,
                "rating": player.rating,
                "low": player.interval.low,
                "high": player.interval.high,
                "games": player.games,
                "score": player.score,
            }
            for player in self.players
        )

    def __str__(self) -> str:
        from ludometer.view.results.tournaments import tournament_text

        return tournament_text(self)

    def _repr_html_(self) -> str:
        from ludometer.view.results.tournaments import tournament_html

        return tournament_html(self)

    def plot(self, path: str | None = None) -> Any:
        """Ratings with intervals and the cross table; a matplotlib figure, written to `path` if one is given."""
        from ludometer.view.results.tournaments import tournament_plot

        return tournament_plot(self, path)


def _pair_document(pair: TournamentPair) -> dict[str, Any]:
    a, b = pair.totals.seconds_per_move
    return {
        "a": pair.a,
        "b": pair.b,
        "games": pair.counts.games,
        "wins": pair.counts.wins,
        "draws": pair.counts.draws,
        "losses": pair.counts.losses,
        "score": pair.counts.score,
        "pairs": pair.counts.pentanomial_document(),
        "length": pair.totals.lengths.mean,
        "seconds_per_move": {"a": a, "b": b},
    }


def tournament(
    game: Game | str,
    agents: Sequence[AgentLike],
    games: int = 100,
    *,
    gauntlet: AgentLike | None = None,
    anchor: AgentLike | None = None,
    seed: int = 0,
    opening_plies: int | None = None,
    ply_limit: int | None = None,
    execution: Execution | None = None,
) -> TournamentResult:
    """Play `games` games in every pairing of the agents, or of one agent against all others, and rate the agents.

        game            a game or its spec
        agents          agents or their specs, at least two
        games           games of each pairing, even
        gauntlet        the agent that plays against each of the others, who do not play among themselves
        anchor          the agent whose rating is 0; default: the agent of the gauntlet, or the first one
        seed            decides openings and all chance of the agents
        opening_plies   random moves before the agents take over; default: none, or USUAL_OPENING in all pairings if one of them needs it
        ply_limit       moves after which a game is drawn; default: the game's own limit
        execution       workers, store, progress and stop; default: all cores, and nothing is kept

    Raises LudometerError for specs that do not fit, and Stopped if there are too few games for ratings.

    >>> result = lm.tournament("tictactoe", ["random", "mcts:5", "alphabeta:1"], games=10, seed=1)
    >>> [player["agent"] for player in result.document()["players"]]
    ['alphabeta:1', 'mcts:5', 'random']
    """
    began = time.perf_counter()
    pairs = pairs_of(games)
    game = find_game(game)
    names = _distinct([enter(game, agent) for agent in agents])
    centre = None if gauntlet is None else enter(game, gauntlet)
    if centre is not None and centre not in names:
        names.insert(0, centre)
    if len(names) < 2:
        raise LudometerError("a tournament takes at least two agents")
    zero = enter(game, anchor) if anchor is not None else centre or names[0]
    if zero not in names:
        raise LudometerError(f"the anchor {shorten(zero)} does not take part; it is one of {', '.join(names)}")
    met = [(a, b) for a, b in combinations(names, 2) if centre is None or centre in (a, b)]
    with (execution or Execution()).started() as work:
        pairings = [_pairing(game, a, b, seed, ply_limit) for a, b in met]
        plies, notes = _openings(pairings, opening_plies, pairs, work)
        wants = [(replace(pairing, opening_plies=plies), pairs) for pairing in pairings]
        notes += note_unused_games(work.store, [pairing for pairing, _ in wants])
        run = begin_pair_run(work.store, "tournament", wants, {"agents": names, "gauntlet": centre, "seed": seed}, names)
        try:
            totals = play_pairings(wants, work, text=lambda found: finished_text(found, pairs))
        finally:
            work.store.note(run, time.perf_counter() - began)
        ended = "games" if all(total.pairs >= pairs for total in totals) else "stopped"
        found = [
            TournamentPair(a, b, total, total.counts if pairing.a == a else total.counts.swapped())
            for (a, b), pairing, total in zip(met, pairings, totals)
            if total.pairs
        ]
        result = rated(game.spec, names, zero, found, games * len(met), ended, work.run_number(run), notes)
        work.store.note(run, 0.0, result.document())
        return result


def finished_text(totals: Sequence[PairTotals], pairs: int) -> str:
    """How many pairings have all their pairs."""
    return f"{sum(total.pairs >= pairs for total in totals)} of {len(totals)} pairings finished"


def _distinct(names: list[str]) -> list[str]:
    for name in names:
        if names.count(name) > 1:
            raise LudometerError(f"{name} is named twice; a tournament takes each agent once")
    return names


def _pairing(game: Game, a: str, b: str, seed: int, ply_limit: int | None) -> Pairing:
    """Two agents, the one first in the alphabet as A, with a seed that depends on them and the tournament's seed alone."""
    low, high = sorted((a, b))
    own = int(stream(seed, "tournament", low, high)) >> 64 - SEED_BITS
    limit = game.kind.ply_limit if ply_limit is None else ply_limit
    return Pairing(game.reference, low, high, own, 0, limit)


def _openings(pairings: Sequence[Pairing], asked: int | None, pairs: int, work: StartedExecution) -> tuple[int, tuple[str, ...]]:
    """How many random plies all games begin with, and what to tell the user; see `settle_openings`."""
    if asked or pairs == 1:
        return asked or 0, ()
    repeating = next((pairing for pairing in pairings if repetition(pairing, work)), None)
    if repeating is None:
        return 0, ()
    if asked == 0:
        raise LudometerError(
            f"{repeating.a} and {repeating.b} play the same game again and again, so {2 * pairs} games would say no more than 2; "
            f"give them random openings, such as {USUAL_OPENING} opening plies"
        )
    why = f"{repeating.a} and {repeating.b} are deterministic"
    return USUAL_OPENING, (f"{why}: all games begin with {USUAL_OPENING} random plies",)


def rated(
    game: str,
    names: list[str],
    anchor: str,
    pairs: list[TournamentPair],
    wanted: int,
    ended: str,
    run: int | None,
    notes: tuple[str, ...],
) -> TournamentResult:
    """Result of a tournament from its games; raises Stopped if a player has played none."""
    if ended == "stopped" and {name for pair in pairs for name in (pair.a, pair.b)} != set(names):
        raise Stopped("the tournament was stopped before everybody had played; the same command goes on with what is done")
    heads = [HeadToHead.of(names.index(pair.a), names.index(pair.b), pair.counts) for pair in pairs]
    ratings: Ratings = rate(heads, len(names), names.index(anchor))
    order = sorted(range(len(names)), key=lambda place: -ratings.elo[place])
    place_of = {old: new for new, old in enumerate(order)}
    return TournamentResult(
        game=game,
        anchor=anchor,
        wanted=wanted,
        players=tuple(_player(names[old], ratings.elo[old], ratings.intervals[old], pairs) for old in order),
        pairs=tuple(pairs),
        superiority=tuple(tuple(ratings.superiority[i][j] for j in order) for i in order),
        groups=tuple(tuple(names[member] for member in group) for group in ratings.groups),
        cycles=tuple(
            Cycle((place_of[c.players[0]], place_of[c.players[1]], place_of[c.players[2]]), c.scores, c.shown)
            for c in non_transitive_triples(heads)
        ),
        transitivity=transitivity(heads, len(names)),
        ended=ended,
        run=run,
        notes=notes,
    )


def _player(name: str, rating: float, interval: Interval, pairs: Sequence[TournamentPair]) -> TournamentPlayer:
    own = [pair.counts if pair.a == name else pair.counts.swapped() for pair in pairs if name in (pair.a, pair.b)]
    games = sum(counts.games for counts in own)
    points = sum(counts.wins + counts.draws / 2 for counts in own)
    return TournamentPlayer(name, rating, interval, games, points / games)
