"""A run as it grows: what a page needs to show it, read from the store while it is measured.

    with GrowingRun(3) as growing:
        growing.document()["tables"]

The words are those of the command line; `charts` are plots as data (see `chart_data`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ludometer.arena.experiments.ladder import Ladder
from ludometer.arena.experiments.match import MatchResult
from ludometer.arena.experiments.runs import stored_result
from ludometer.arena.experiments.scale_documents import FORMAT
from ludometer.arena.experiments.tournament import TournamentResult
from ludometer.arena.measurements.pairings import Tallies
from ludometer.arena.work.store import Run, Store
from ludometer.core.errors import LudometerError
from ludometer.core.text import short_spec
from ludometer.view.figures import figure_bytes
from ludometer.view.results import chart_data
from ludometer.view.results.ladders import curve_title
from ludometer.view.results.ladders import table_cells as ladder_cells
from ludometer.view.results.matches import headline, match_lines, results_cells
from ludometer.view.results.reports import card_facts, summary
from ludometer.view.results.scales import figure_of_document, scale_table
from ludometer.view.results.table_data import Table, table
from ludometer.view.results.tournaments import cross_cells, rating_cells, verdicts

FIGURES = ("svg", "png")

Result = MatchResult | TournamentResult | Ladder


class GrowingRun:
    """One run of a store that another process may be writing to; each question sees what is there by then."""

    def __init__(self, run: int, store: str | Path | None = None) -> None:
        self.run = run
        self._store = Store(store, read_only=True)
        self._tallies = Tallies(self._store)

    def close(self) -> None:
        self._store.close()

    def __enter__(self) -> GrowingRun:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def stamp(self) -> tuple[Any, ...]:
        """A cheap value that changes when there is more to show."""
        found = self._store.run(self.run)
        return found.done, found.wanted, found.seconds, found.result is not None and len(str(found.result))

    def result(self) -> Result | None:
        return stored_result(self._store, self.run, self._tallies)

    def document(self) -> dict[str, Any]:
        """All there is to show; raises LudometerError if the run cannot be read, such as when a game file is gone."""
        run = self._store.run(self.run)
        return {**run.document(), **shown(run, self.result())}

    def figure(self, form: str) -> bytes:
        """The plot of what is known, as a file in this format; raises LudometerError if there is none yet."""
        if form not in FIGURES:
            raise LudometerError(f"a plot is drawn as {', '.join(FIGURES)}, not {form}")
        run, result = self._store.run(self.run), self.result()
        if result is not None:
            return figure_bytes(result.plot(), form)
        document = depth_document(run)
        if document is None:
            raise LudometerError(f"there is nothing to draw of run {self.run} yet")
        return figure_bytes(figure_of_document(document), form)


def shown(run: Run, result: Result | None) -> dict[str, Any]:
    """{headline, tables, charts, notes, text} of a run."""
    if isinstance(result, MatchResult):
        lines = [["", "", ""], *(list(line) for line in match_lines(result))]
        return {
            "headline": headline(result),
            "tables": [table("Results", results_cells(result)), table("What they say", lines, (0, 1, 2))],
            "charts": [chart_data.match_chart(result)],
            "notes": list(result.notes),
            "text": str(result),
        }
    if isinstance(result, TournamentResult):
        return {
            "headline": f"{result.game}: {len(result.players)} agents, {result.games:,} games; {result.anchor} is 0 by definition",
            "tables": [
                table("Ratings", rating_cells(result), (1,)),
                table("Score of the row against the column (%)", cross_cells(result), (1,)),
            ],
            "charts": [chart_data.tournament_chart(result)],
            "notes": verdicts(result),
            "text": str(result),
        }
    if isinstance(result, Ladder):
        return {
            "headline": _ladder_headline(run),
            "tables": [table(curve_title(points[0]), ladder_cells(points)) for points in result.curves().values()],
            "charts": [chart_data.ladder_chart(result)],
            "notes": [f"seed {result.seed}; intervals have 95 %", *result.notes],
            "text": str(result),
        }
    document = depth_document(run)
    if document is None:
        return {"headline": f"{run.kind} at {short_spec(run.game)}", "tables": [], "charts": [], "notes": [], "text": ""}
    cards = run.result["games"] if run.kind == "report" and run.result is not None else []
    return {
        "headline": f"{'Report card' if cards else 'Depth'} of {short_spec(run.game)}",
        "tables": [*map(_card_table, cards), scale_table(document)],
        "charts": [chart_data.depth_chart(document)],
        "notes": [*map(summary, cards), *(note for game in document["games"] for note in game["notes"])],
        "text": "",
    }


def _ladder_headline(run: Run) -> str:
    families = ", ".join(dict.fromkeys(curve[1] for curve in run.key["curves"]))
    return f"Strategy ladder of {families} at {short_spec(run.game)}"


def depth_document(run: Run) -> dict[str, Any] | None:
    """The document of a depth that a run keeps, also within the cards of a report; None if it has none that this version reads."""
    if run.result is None or run.kind not in ("depth", "report"):
        return None
    games = run.result["games"] if run.kind == "depth" else [card["depth"] for card in run.result["games"]]
    readable = [game for game in games if game.get("format") == FORMAT]
    return {"games": readable} if readable else None


def _card_table(card: dict[str, Any]) -> Table:
    agents = [agent["agent"] for agent in card["agents"]]
    rows = [
        [fact.name, *(f"{value} ({ends})" for value, ends in zip(fact.values, fact.intervals)), fact.meaning] for fact in card_facts(card)
    ]
    return table(f"{short_spec(card['game'])}: games of agents against themselves", [["", *agents, "meaning"], *rows], (0, len(agents) + 1))
