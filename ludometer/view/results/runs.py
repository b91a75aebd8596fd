"""Runs of a store as text."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ludometer.arena.experiments.runs import MatchComparison, StoredGame
from ludometer.arena.work.store import Run
from ludometer.core.text import aligned, duration, short_spec
from ludometer.view.results.estimates import digits_for, interval_text, percent_text

_MOST_PLAYERS = 60  # characters


def runs_text(runs: Sequence[Run]) -> str:
    """A line for each run."""
    if not runs:
        return "no runs yet; `ludometer match` makes one"
    cells = [["run", "kind", "game", "players", "done", "asked for", "started (UTC)", "time", "version"]]
    for run in runs:
        document = run.document()
        cells.append(
            [
                str(run.id),
                run.kind,
                run.game,
                _players(run),
                f"{document['done']:,}",
                f"{document['games']:,}",
                run.started[:16].replace("T", " "),
                duration(run.seconds),
                run.version,
            ]
        )
    return aligned(cells, left=(1, 2, 3, 6))


def _players(run: Run) -> str:
    text = ", ".join(map(short_spec, run.players))
    return text if len(text) <= _MOST_PLAYERS else f"{text[: _MOST_PLAYERS - 1]}…"


def run_text(run: Run, result: object | None) -> str:
    """Text of one run with its result."""
    document = run.document()
    lines = [
        f"run {run.id}: {run.kind} at {run.game}, {document['done']:,} of {document['games']:,} games",
        f"begun {run.started.replace('T', ' ')}, {duration(run.seconds)} in all, by version {run.version}",
        "",
    ]
    if result is not None:
        return "\n".join([*lines, str(result)])
    return "\n".join([*lines, "no result yet" if run.result is None else json.dumps(run.result, indent=2)])


def games_text(games: Sequence[StoredGame], more: int) -> str:
    """A line for each game."""
    cells = [["game", "first", "second", "result", "moves", "seed"]]
    cells += [[str(game.game), game.first, game.second, game.result, str(game.length), str(game.seed)] for game in games]
    text = aligned(cells, left=(1, 2))
    return f"{text}\n… {more:,} more; --count shows more of them, `runs export` writes all" if more else text


def comparison_text(found: MatchComparison) -> str:
    """Two matches side by side."""
    cells = [["run", "game", "A", "B", "games", "score", "95 % interval"]]
    for run, result in zip(found.runs, found.results):
        digits = digits_for(result.score_interval)
        cells.append(
            [
                str(run),
                result.game,
                short_spec(result.pairing.a),
                short_spec(result.pairing.b),
                f"{result.games:,}",
                percent_text(result.score, digits),
                interval_text(result.score_interval, digits),
            ]
        )
    digits = digits_for(found.interval)
    ends = f"{100 * found.interval.low:+.{digits}f} to {100 * found.interval.high:+.{digits}f}"
    shown = "a difference is not shown" if found.interval.contains(0) else "the scores differ"
    lines = [
        aligned(cells, left=(1, 2, 3)),
        "",
        f"difference of the scores: {100 * found.difference:+.{digits}f} points, 95 % interval {ends}: {shown}",
    ]
    lines += [f"differs: {name}: {values[0]} and {values[1]}" for name, values in found.settings.items()]
    return "\n".join(lines)
