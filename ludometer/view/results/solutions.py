"""What was solved, in words: the texts beside the documents of `view.results.solution_documents`."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from ludometer.core.outcome import DRAW, WIN
from ludometer.core.position import Position
from ludometer.core.text import aligned, duration, in_columns, signed, size_at_least, size_text
from ludometer.solvers.forecasts import Forecast
from ludometer.solvers.solution import VALUE_NAMES, Probe, Solution, Value

_WORTH_A_WORD = 10**8  # bytes of memory that one may want to save
_FADING = 30  # moves to the end at which a value on the board is drawn half as strong


def forecast_text(expected: Forecast) -> str:
    """What solving will take, in one line."""
    if expected.counts_first:
        limit = f" in up to {size_text(expected.limit)} of memory" if expected.limit else ""
        entries = "" if expected.entries is None else f"about {expected.entries:,} table entries; "
        return f"{entries}positions are counted while they are found,{limit} on {expected.where}"
    parts = [f"{expected.states:,} positions"] if expected.states is not None else []
    if expected.entries not in (None, expected.states):
        parts.append(f"{'about ' if expected.states is None else ''}{expected.entries:,} table entries")
    whose = "the device's own memory" if expected.own_memory else "memory"
    parts.append(f"about {size_text(expected.memory)} of {whose}" if expected.memory else whose)
    if expected.all_memory - expected.least_memory > _WORTH_A_WORD:
        least, most = size_at_least(expected.least_memory), size_at_least(expected.all_memory)
        parts[-1] += f" (with {least}, the least, tables are read from elsewhere; from {most} on none is read twice)"
    parts.append(f"{size_text(expected.disk)} of disk" if expected.disk else "nothing written to disk")
    how_long = (
        "" if expected.seconds is None else "less than a second" if expected.seconds < 0.95 else f"about {duration(expected.seconds)}"
    )
    parts.append(f"{how_long} on {expected.where}" if how_long else expected.time_text)
    return ", ".join(parts)


def solve_text(document: dict[str, Any]) -> str:
    """A `solve_document`: totals, the value of the start, distances, where it is kept and whether it was found to be right."""
    start = document["start"]
    counted = "" if document["states"] is None else f"{document['states']:,} positions, "
    how = "found solved" if document.get("reused") else f"solved in {duration(document['seconds'])} on {document['device']}"
    lines = [f"{document['game']}: {counted}{how}"]
    for name in ("win", "loss", "draw"):
        if document[name] is not None:
            lines.append(f"  {name:<5}{document[name]:>20,}  {document[name] / max(1, document['states']):>7.2%}")
    lines.append(f"start: {start_text(start)}" + (f" ({document['method']})" if "method" in document else ""))
    lines += histogram_lines(document["histogram"])
    if "tables" in document:
        lines.append(f"kept in {document['tables']}")
    if "verification" in document:
        lines.append(verification_text(document["verification"]))
    return "\n".join(lines)


def analysis_text(document: dict[str, Any]) -> str:
    """An `analysis_document`: a line for each class, then for each distance."""
    heads = list(document["classes"][0])
    rows = [[f"{row[head]:,}" if row[head] is not None else "" for head in heads] for row in document["classes"]]
    first = f"{document['game']}: {document['states']:,} positions; start: {start_text(document['start'])}"
    return "\n".join([first, aligned([heads, *rows]), "", *histogram_lines(document["histogram"])])


def start_text(start: dict[str, Any]) -> str:
    """The value of the first position for the player who begins."""
    if start.get("margin") is not None:
        return f"{signed(start['margin'])} for the first player"
    if start.get("distance") is None:
        return str(start["value"])
    return f"{start['value']} in {start['distance']}"


def histogram_lines(histogram: dict[str, dict[int, int]]) -> list[str]:
    """How many positions are won and lost in how many moves, or how many points they are worth."""
    if "margin" in histogram:
        width = max(len(f"{count:,}") for count in histogram["margin"].values())
        counts = [f"{signed(margin):>14}  {count:>{max(width, 9)},}" for margin, count in sorted(histogram["margin"].items())]
        return [f"points to gain  {'positions':>{width}}", *counts]
    distances = sorted({int(distance) for counts in histogram.values() for distance in counts})
    if not distances:
        return []
    width = max(len(f"{count:,}") for counts in histogram.values() for count in counts.values())
    width = max(width, len("losses"))
    lines = [f"moves to the end  {'wins':>{width}}  {'losses':>{width}}"]
    for distance in distances:
        cells = [histogram.get(name, {}).get(distance, 0) for name in ("win", "loss")]
        lines.append(f"{distance:>16}  " + "  ".join(f"{count:>{width},}" if count else f"{'':>{width}}" for count in cells))
    return lines


def predecessors_text(found: Sequence[tuple[int, Position]]) -> str:
    """The positions before a position (see `solvers.predecessors`)."""
    if not found:
        return "no move leads here: this position is met at the start of a game or never"
    lines = [f"  {before}  {before.move_text(move)}" for move, before in found]
    return "\n".join([f"{len(found)} ways to come here, by position and move:", *lines])


def verification_text(report: dict[str, Any]) -> str:
    """What a verification found, one line for each error."""
    if report["ok"] and not report["checked"]:
        return "verified: totals agree with each other; no entries were kept that could be checked"
    if report["ok"]:
        return f"verified: {report['checked']:,} entries checked, no error"
    lines = [f"NOT in order: {report['checked']:,} entries checked, errors:", *(f"  {error}" for error in report["errors"])]
    return "\n".join(lines)


def value_text(value: Value) -> str:
    """A value as people say it: win in 3, draw, +2."""
    if value.margin is not None:
        return signed(value.margin)
    return VALUE_NAMES[value.outcome] if value.distance is None else f"{VALUE_NAMES[value.outcome]} in {value.distance}"


def sample_text(document: dict[str, Any]) -> str:
    """A `sample_document` in one line."""
    counts = ", ".join(f"{document[name]:,} {name}" for name in ("win", "draw", "loss"))
    drawn = f"{document['positions']:,} positions of {document['game']} drawn by {document['by']}"
    return f"{drawn} ({counts} for the player to move), written to {document['file']}"


def value_html(value: Value) -> str:
    """A value as a line of HTML."""
    return f"<p>for the player to move: <b>{value_text(value)}</b></p>"


def probe_html(found: Probe) -> str:
    """The position with the values of its moves, and a table of the moves, best first; moves that keep the value are bold."""
    position = found.position
    board = "" if position is None else position.svg(labels=move_labels(found), colours=move_colours(found))
    rows = "".join(
        f"<tr><td>{_bold(str(move), move in found.best)}</td><td>{_bold(value_text(value), move in found.keeping)}</td></tr>"
        for move, value in sorted(found.moves, key=lambda pair: pair[1].preference(), reverse=True)
    )
    table = f"<table><tr><th>move</th><th>value</th></tr>{rows}</table>" if rows else ""
    return f"{value_html(found.value)}{board}{table}"


def solution_html(solution: Solution) -> str:
    """Totals and the value of the start as a table."""
    summary = solution.summary()
    rows = {"start": start_text(summary["start"]), "kept": solution.keep}
    for name in ("states", "win", "loss", "draw"):
        if summary[name] is not None:
            rows["positions" if name == "states" else name] = f"{summary[name]:,}"
    cells = "".join(f"<tr><th>{name}</th><td>{text}</td></tr>" for name, text in rows.items())
    return f"<p><b>{escape(summary['game'])}</b></p><table>{cells}</table>"


def _bold(text: str, wanted: bool) -> str:
    return f"<b>{escape(text)}</b>" if wanted else escape(text)


def probe_text(position: Position, found: Probe) -> str:
    """The value of a position and its moves, grouped by what they are worth; the board is not part of it."""
    head = f"{position.game.spec}  {position}"
    if position.is_over:
        return f"{head}\nover: {position.result}"
    unit = " at the end" if found.value.margin is not None else ""
    lines = [head, f"{position.turn} to move: {value_text(found.value)}{unit}"]
    groups: dict[str, list[str]] = {}
    for move, value in sorted(found.moves, key=lambda pair: pair[1].preference(), reverse=True):
        groups.setdefault(value_text(value), []).append(position.move_text(move))
    for text, moves in groups.items():
        lines += ["", f"{text}:", in_columns(moves)]
    return "\n".join(lines)


def move_labels(found: Probe) -> dict[int, str]:
    """A short text for each move, to be laid over the board: W3, L8, D, or points."""

    def label(value: Value) -> str:
        if value.margin is not None:
            return value_text(value)
        letter = "D" if value.outcome == DRAW else "W" if value.outcome == WIN else "L"
        return letter if value.distance is None else f"{letter}{value.distance}"

    return {move: label(value) for move, value in found.moves}


def move_colours(found: Probe) -> dict[int, float]:
    """A number from −1 (lost at once) to 1 (won at once) for each move; points are compared with the largest."""
    largest = max((abs(value.margin) for _, value in found.moves if value.margin is not None), default=0) or 1

    def colour(value: Value) -> float:
        if value.margin is not None:
            return value.margin / largest
        return value.outcome * _FADING / (_FADING + (value.distance or 0))

    return {move: colour(value) for move, value in found.moves}
