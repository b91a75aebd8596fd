"""Solved games as documents: what is in a folder of tables, what can be solved, and lines of perfect play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ludometer import games
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.position import Position
from ludometer.core.stopping import Stop
from ludometer.core.text import short_spec
from ludometer.solvers import forecast, is_solvable, open_solution
from ludometer.solvers.files.table_folders import MANIFEST, read_manifest
from ludometer.solvers.longest_wins import longest_wins
from ludometer.solvers.solution import Solution
from ludometer.solvers.solvable import folder_for, tables_root
from ludometer.view.results import chart_data
from ludometer.view.results.solution_documents import analysis_document
from ludometer.view.results.solutions import forecast_text, start_text, value_text

LONGEST_LINE = 300  # moves


def solved_documents(root: Path | None = None) -> list[dict[str, Any]]:
    """Every finished folder of tables: {game, folder, bytes, kept, states, win, loss, draw}, and `error` where it cannot be used."""
    folder = root or tables_root()
    found = []
    for manifest in sorted(folder.glob(f"*/{MANIFEST}")) if folder.is_dir() else ():
        size = sum(file.stat().st_size for file in manifest.parent.iterdir() if file.is_file())
        row: dict[str, Any] = {"game": manifest.parent.name, "folder": manifest.parent.name, "bytes": size, "error": ""}
        try:
            content = read_manifest(manifest.parent)
        except LudometerError as error:
            found.append({**row, "error": str(error)})
            continue
        meta = content["meta"]
        row |= {"game": content["game"], "kept": meta.get("keep", "values" if "nodes" in meta else "distances")}
        found.append({**row, **{name: meta.get(name) for name in ("states", "win", "loss", "draw")}})
    return found


def solvable_documents(root: Path | None = None) -> list[dict[str, Any]]:
    """Every listed game that the exact solvers reach: {game, title, solved, forecast}."""
    found = []
    for kind in games.kinds().values():
        for game in kind.listed_games():
            if not is_solvable(kind, game.parameters):
                continue
            expected = forecast(game, tables=root or tables_root())
            found.append(
                {
                    "game": game.spec,
                    "title": kind.title,
                    "solved": (folder_for(game, root) / MANIFEST).is_file(),
                    "forecast": forecast_text(expected),
                    "seconds": expected.seconds,
                    "entries": expected.entries,
                    "bytes": expected.disk,
                }
            )
    return found


def analysis_of(game: Game, root: Path | None = None) -> dict[str, Any]:
    """Totals of a solution kept on disk, with charts; raises MissingTable if there is none."""
    solution = open_solution(game, root)
    summary = solution.summary()
    document: dict[str, Any] = {name: summary[name] for name in ("game", "states", "win", "loss", "draw", "start", "histogram")}
    document |= {"start_text": start_text(summary["start"]), "kept": solution.keep, "method": summary.get("method", "")}
    if summary["states"] is None:
        return {**document, "classes": [], "charts": []}
    counted = analysis_document(solution)
    drawn = [*chart_data.class_charts(counted["classes"]), chart_data.distance_chart(counted["histogram"])]
    return {**document, "classes": counted["classes"], "charts": [chart for chart in drawn if chart is not None]}


def lines_of(game: Game, count: int, root: Path | None = None, stop: Stop | None = None) -> dict[str, Any]:
    """Lines of perfect play: from the start, and from the positions that take the longest to win."""
    solution = open_solution(game, root)
    lines = [line_document(solution, game.start(), "Perfect play from the start", stop)]
    note = ""
    try:
        longest = longest_wins(solution, count, stop)
    except LudometerError as error:
        return {"game": game.spec, "lines": lines, "note": str(error), "longest": None}
    for number, position in enumerate(longest.positions, 1):
        lines.append(line_document(solution, position, f"Longest win {number}: {longest.distance} moves", stop))
    if not longest.complete:
        note = "longer wins exist: these are the longest among the first positions of the game"
    return {"game": game.spec, "lines": lines, "note": note, "longest": longest.distance}


def line_document(solution: Solution, position: Position, title: str, stop: Stop | None = None) -> dict[str, Any]:
    """Best play from a position to the end: {title, steps: [{position, move, value, turn}]}; `move` led to the position."""
    steps: list[dict[str, Any]] = []
    move = ""
    seen: set[Position] = set()
    while len(steps) <= LONGEST_LINE:
        value = solution.value(position, stop)
        step = {"position": str(position), "move": move, "value": value_text(value), "turn": position.turn, "result": position.result}
        steps.append(step)
        if position.is_over or position in seen:  # a draw may go round in circles
            break
        seen.add(position)
        best = solution.probe(position, stop).best[0]
        move, position = position.move_text(best), position.play(best)
    return {"title": title, "game": short_spec(solution.game.spec), "steps": steps}
