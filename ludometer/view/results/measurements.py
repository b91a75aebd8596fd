"""Accuracy of moves and self-play as text and as HTML tables."""

from __future__ import annotations

from html import escape

from ludometer.arena.measurements.accuracy import Accuracy
from ludometer.arena.measurements.selfplay import GameFacts
from ludometer.arena.statistics.pair_counts import Interval
from ludometer.core.text import aligned
from ludometer.view.results.estimates import interval_text, percent_text, time_text

Rows = list[list[str]]  # name, value, 95 % interval


def accuracy_text(found: Accuracy) -> str:
    """Accuracy, one measure in each line."""
    return _text(_accuracy_title(found), _accuracy_rows(found))


def accuracy_html(found: Accuracy) -> str:
    """Accuracy as a table for a notebook."""
    return _html(_accuracy_title(found), _accuracy_rows(found))


def self_play_text(facts: GameFacts) -> str:
    """Statistics of self-play, one estimate in each line."""
    return _text(_self_play_title(facts), _self_play_rows(facts))


def self_play_html(facts: GameFacts) -> str:
    """Statistics of self-play as a table for a notebook."""
    return _html(_self_play_title(facts), _self_play_rows(facts))


def _accuracy_title(found: Accuracy) -> str:
    return f"moves judged at {found.positions:,} positions"


def _accuracy_rows(found: Accuracy) -> Rows:
    rows = [["moves that keep the value", percent_text(found.lenient), interval_text(found.lenient_interval)]]
    if found.strict is not None and found.strict_interval is not None:
        rows.append(["moves that are also fastest", percent_text(found.strict), interval_text(found.strict_interval)])
    rows.append(["points lost per move", f"{found.lost:.4f}", _ends(found.lost_interval, 4)])
    if found.margin_lost is not None and found.margin_lost_interval is not None:
        rows.append(["margin lost per move", f"{found.margin_lost:.3f}", _ends(found.margin_lost_interval, 3)])
    rows.append(["time per move", time_text(found.seconds_per_move), ""])
    if found.positions_per_move is not None:
        rows.append(["positions per move", f"{found.positions_per_move:,.0f}", ""])
    return rows


def _self_play_title(facts: GameFacts) -> str:
    return f"{facts.agent} against itself, {facts.games:,} games of at most {facts.longest:,} moves"


def _self_play_rows(facts: GameFacts) -> Rows:
    return [
        ["choices per move", f"{facts.branching.value:.2f}", _ends(facts.branching.interval, 2)],
        ["moves without a choice", percent_text(facts.single.value), interval_text(facts.single.interval)],
        ["moves per game", f"{facts.length.value:.1f}", _ends(facts.length.interval, 1)],
        ["first player's score − 50 %", f"{100 * facts.first_player.value:+.1f} %", interval_text(facts.first_player.interval)],
        ["draws", percent_text(facts.draws.value), interval_text(facts.draws.interval)],
        ["games drawn at the ply limit", percent_text(facts.unfinished), ""],
        ["log10 of the size of the game tree", f"{facts.tree.value:.1f}", _ends(facts.tree.interval, 1)],
    ]


def _ends(interval: Interval, digits: int) -> str:
    return f"{interval.low:.{digits}f} to {interval.high:.{digits}f}"


def _text(title: str, rows: Rows) -> str:
    return f"{title}\n" + aligned([["", "value", "95 % interval"], *rows], left=(0, 2))


def _html(title: str, rows: Rows) -> str:
    cells = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td><td>{escape(ends)}</td></tr>" for name, value, ends in rows)
    return f"<div><b>{escape(title)}</b><table><tr><th></th><th>value</th><th>95 % interval</th></tr>{cells}</table></div>"
