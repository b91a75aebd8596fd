"""A game's report card: what its rules give, how strength grows in it, how deep it is.

    report("my_game.py").save("my_game.html")

Every estimate comes from games of agents of several strengths against themselves, with a 95 % interval; the perfect result, the accuracy
of moves and exact counts are there where the game is solved.  What could not be measured is said, and why.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from ludometer import __version__
from ludometer.arena.experiments.depth import Depth, depth
from ludometer.arena.experiments.scale_documents import FORMAT
from ludometer.arena.measurements.accuracy import Judging, accuracy
from ludometer.arena.measurements.random_states import states_text
from ludometer.arena.measurements.selfplay import (
    SEARCH,
    ForcedWins,
    GameFacts,
    IntervalEstimate,
    SelfPlay,
    StateCount,
    facts,
    states_at_least,
)
from ludometer.arena.measurements.solutions import knows_distances, solution_of
from ludometer.arena.statistics.pair_counts import Interval
from ludometer.arena.work.execution import Execution, StartedExecution
from ludometer.arena.work.series import fill
from ludometer.core.errors import LudometerError
from ludometer.core.frames import data_frame
from ludometer.core.game import Game
from ludometer.core.record import Record
from ludometer.games import game as find_game

# Agents from weak to strong, and how many times the games each plays.  They are named in full: the games of the reference were theirs.
STRENGTHS = (("random", 10), ("mcts:64,study=textbook", 2), ("mcts:512,study=textbook", 1))
GAMES = 200  # of the strongest agent against itself
POSITIONS = 400  # at which moves are judged and forced wins looked for
DEPTH_SECONDS = 60.0  # for the depth of a game
DEPTH_PRECISION = 0.5  # levels
REFERENCE = "reference_games.json"
DRAGGING = 0.01  # a larger share of games without an end is worth a remark


@dataclass(frozen=True)
class GameCard:
    """What was measured of one game."""

    game: Game
    facts: tuple[GameFacts, ...]  # from the weakest agent to the strongest
    forced_wins: IntervalEstimate  # share of random positions in which the player to move can force a win
    forced_wins_how: str
    states: StateCount
    accuracy: tuple[dict[str, Any], ...] | None  # of each agent; None: not solved
    perfect: dict[str, Any] | None  # value (and distance or margin) of the start with perfect play
    depth: Depth
    sample: Record  # a game of the strongest agent against itself
    missing: tuple[str, ...]  # what could not be measured, and why
    notes: tuple[str, ...]
    seed: int

    @property
    def strongest(self) -> GameFacts:
        return self.facts[-1]

    def document(self) -> dict[str, Any]:
        """For JSON."""
        strong, measured = self.strongest, self.depth.games[0].document()
        by_agent = [fact.document() for fact in self.facts]

        def spread(name: str) -> dict[str, Any]:
            found: IntervalEstimate = getattr(strong, name)
            return {**found.document(), "agent": strong.agent, "by_agent": {one["agent"]: one[name] for one in by_agent}}

        return {
            "game": self.game.spec,
            "title": self.game.kind.title,
            "branching": spread("branching"),
            "length": {**spread("length"), "longest": strong.longest, "unfinished": strong.unfinished},
            "first_player_advantage": spread("first_player"),
            "draws": spread("draws"),
            "forced_wins": {**self.forced_wins.document(), "how": self.forced_wins_how},
            "complexity": {
                "states": {"value": self.states.count, "exact": self.states.is_exact, "how": self.states.how},
                "tree_log10": spread("tree"),
            },
            "ladder": measured["rungs"],
            "depth": measured,
            "accuracy": None if self.accuracy is None else list(self.accuracy),
            "perfect": self.perfect,
            "agents": by_agent,
            "sample": {"moves": list(self.sample.moves), "result": self.sample.result},
            "missing": list(self.missing),
            "notes": list(self.notes),
            "seed": self.seed,
            "version": __version__,
        }


@dataclass(frozen=True)
class Report:
    """Cards of one or more games, beside those of the built-in games."""

    cards: tuple[GameCard, ...]
    run: int | None = None

    def document(self) -> dict[str, Any]:
        """For JSON; of a single game the numbers stand at the top as well."""
        cards = [card.document() for card in self.cards]
        return {**(cards[0] if len(cards) == 1 else {}), "games": cards, "run": self.run}

    def save(self, file: str) -> Any:
        """Write the page (.html), the text (.md) or the data (.json), as the name of the file says; raises LudometerError."""
        from ludometer.view.results.reports import report_file

        return report_file(self, file)

    def __str__(self) -> str:
        from ludometer.view.results.reports import report_text

        return report_text(self)

    def _repr_html_(self) -> str:
        from ludometer.view.results.report_pages import report_html

        return report_html(self)

    def plot(self, path: str | None = None) -> Any:
        """The ladders of all games; see `Depth.plot`."""
        return self.depth.plot(path)

    @property
    def depth(self) -> Depth:
        """The scales of all games, compared."""
        return Depth.of([card.depth.games[0] for card in self.cards])

    def to_frame(self) -> Any:
        """A pandas data frame with a row for each game and agent."""
        return data_frame(
            {"game": card.game.spec, **{name: one["value"] if isinstance(one, dict) else one for name, one in fact.document().items()}}
            for card in self.cards
            for fact in card.facts
        )


@lru_cache(maxsize=1)
def reference_cards() -> tuple[dict[str, Any], ...]:
    """The documents of the built-in games' cards, as this program has measured them."""
    file = resources.files("ludometer.arena.experiments") / REFERENCE
    if not file.is_file():
        return ()
    return tuple(card for card in json.loads(file.read_text())["games"] if card["depth"].get("format") == FORMAT)


def report(
    *rules: Game | str,
    games: int = GAMES,
    positions: int = POSITIONS,
    budget: float | str = DEPTH_SECONDS,
    precision: float = DEPTH_PRECISION,
    rungs: int | None = None,
    seed: int = 0,
    ply_limit: int | None = None,
    tables: str = "",
    execution: Execution | None = None,
) -> Report:
    """Measure branching, length, first-player advantage, draws, complexity and depth of one or more games.

        rules        games or their specs
        games        games of the strongest agent against itself; weaker agents play more
        positions    random positions at which moves are judged and forced wins are searched
        budget       time for the depth of each game, in seconds or as "5min"
        precision    of the depth, in levels
        rungs        of the scale, in place of a budget; see `depth`
        seed         decides all chance
        ply_limit    moves after which a game is drawn; default: the game's own limit
        tables       folder with solved tables; default: the user's
        execution    workers, store, progress and stop; with a store, a stopped report continues where it ended

    Raises LudometerError, and Stopped if it was stopped before everything was measured.

    >>> report = lm.report("tictactoe", games=20, positions=20, rungs=6, precision=2, seed=1)
    >>> report.document()["game"]
    'mnk:3,3,3'
    """
    if not rules:
        raise LudometerError("a report needs a game")
    if games < 4 or positions < 4:
        raise LudometerError(f"a report takes at least 4 games and 4 positions, not {games} and {positions}")
    chosen = [find_game(game) for game in rules]
    for game in chosen:
        if game.kind.simultaneous:
            raise LudometerError(f"{game.spec}: moves are made at the same time; `ludometer dynamics` is for such games")
    began = time.perf_counter()
    with (execution or Execution()).started() as work:
        kept = work.store
        request = {"games": [game.reference for game in chosen], "seed": seed, "unit_size": 1, "ply_limit": ply_limit}
        specs = ", ".join(game.spec for game in chosen)
        run = kept.begin_run("report", specs, tuple(agent for agent, _ in STRENGTHS), request)
        try:
            cards = []
            for game in chosen:
                measuring = _Measuring(game, seed, ply_limit, tables, run, work)
                played = measuring.games(games)
                judged = measuring.positions(positions)
                measured = depth(
                    game,
                    precision=precision,
                    budget=budget if rungs is None else None,
                    rungs=rungs,
                    seed=seed,
                    ply_limit=ply_limit,
                    tables=tables,
                    execution=work,
                )
                work.stop.check("the report")
                cards.append(measuring.card(played, judged, measured))
        finally:
            kept.note(run, time.perf_counter() - began)
        result = Report(tuple(cards), work.run_number(run))
        kept.note(run, 0.0, result.document())
        return result


@dataclass(frozen=True)
class _Judged:
    """What is known of random positions."""

    forced: IntervalEstimate
    forced_how: str
    accuracy: tuple[dict[str, Any], ...] | None
    perfect: dict[str, Any] | None
    states: StateCount
    missing: tuple[str, ...]


@dataclass(frozen=True)
class _Measuring:
    """How one game is measured."""

    game: Game
    seed: int
    ply_limit: int | None
    tables: str
    run: int
    execution: StartedExecution

    def _fill(self, wants: list[tuple[Any, int]], what: str) -> list[dict[str, Any]]:
        found = fill(wants, self.execution, run=self.run, text=f"{self.game.spec}: {what}")
        self.execution.stop.check("the report")
        return found

    def subjects(self) -> list[SelfPlay]:
        return [SelfPlay.of(self.game, agent, self.seed, self.ply_limit) for agent, _ in STRENGTHS]

    def games(self, number: int) -> tuple[GameFacts, ...]:
        """Games of agents against themselves, from weak to strong."""
        subjects = self.subjects()
        wants = [(subject, times * number) for subject, (_, times) in zip(subjects, STRENGTHS)]
        return tuple(facts(subject, units) for subject, units in zip(subjects, self._fill(wants, "games of agents against themselves")))

    def positions(self, number: int) -> _Judged:
        """Forced wins, accuracy and the number of states, exact where the game is solved."""
        from ludometer.arena.statistics.match_statistics import clopper_pearson

        missing = []
        try:
            solution = solution_of(self.game.reference, self.tables)
        except LudometerError as error:
            solution = None
            missing.append(f"perfect result and accuracy of moves: {error}")
        forced = ForcedWins(self.game.reference, self.seed, None if solution is None else self.tables)
        (units,) = self._fill([(forced, number)], "forced wins")
        won = int(units["won"].sum())
        share = IntervalEstimate(won / number, clopper_pearson(won, number))
        drawn = states_text(self.game)
        if solution is None:
            how = f"found by {SEARCH} at {number:,} positions ({drawn}): a lower bound"
            return _Judged(share, how, None, None, states_at_least(self.game, self.seed), tuple(missing))
        summary = solution.summary()
        states = summary.get("states")
        counted = StateCount(float(states), True, "counted by the solver") if states else states_at_least(self.game, self.seed)
        start = {name: value for name, value in summary["start"].items() if value is not None}
        how = f"by the exact solution at {number:,} positions ({drawn})"
        return _Judged(share, how, self._accuracy(number, solution), start, counted, tuple(missing))

    def _accuracy(self, number: int, solution: Any) -> tuple[dict[str, Any], ...]:
        subjects = [Judging.of(self.game, agent, self.seed, self.tables) for agent, _ in STRENGTHS]
        rows = []
        for subject, units in zip(subjects, self._fill([(subject, number) for subject in subjects], "accuracy of moves")):
            found = accuracy(units, self.game.kind.scored, knows_distances(solution))
            row: dict[str, Any] = {"agent": subject.agent, "positions": found.positions}
            for name in ("lenient", "strict", "lost"):
                interval: Interval | None = getattr(found, f"{name}_interval")
                row |= {name: getattr(found, name), f"{name}_interval": None if interval is None else [interval.low, interval.high]}
            rows.append(row)
        return tuple(rows)

    def card(self, played: tuple[GameFacts, ...], judged: _Judged, measured: Depth) -> GameCard:
        missing = list(judged.missing)
        if not judged.states.is_exact:
            missing.append("the exact number of states: only a lower bound is known")
        first = measured.games[0]
        if first.is_open:
            missing.append(f"the end of its scale: {first.result.rungs[-1]} is not shown to be near it, so the depth is a lower bound")
        notes = [] if played[-1].unfinished <= DRAGGING else [_dragging(played[-1])]
        return GameCard(
            game=self.game,
            facts=played,
            forced_wins=judged.forced,
            forced_wins_how=judged.forced_how,
            states=judged.states,
            accuracy=judged.accuracy,
            perfect=judged.perfect,
            depth=measured,
            sample=self.subjects()[-1].record(0),
            missing=tuple(missing),
            notes=(*notes, *first.notes),
            seed=self.seed,
        )


def _dragging(strong: GameFacts) -> str:
    return f"{strong.unfinished:.0%} of the games of {strong.agent} were drawn for their length: they had no end of their own"
