"""Matches as text, HTML and plots."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ludometer.arena.experiments.match import MatchResult
from ludometer.arena.measurements.totals import Spread
from ludometer.arena.statistics.match_statistics import elo_of_score
from ludometer.arena.statistics.pair_bounds import lower_bounds
from ludometer.arena.statistics.pair_counts import Interval, PairCounts
from ludometer.core.text import aligned, duration, short_number, short_spec
from ludometer.view.boards.theme import AREAS, FIRST, INK
from ludometer.view.results.estimates import digits_for, elo_texts, interval_text, p_value_text, percent_text, signed_text, time_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ENDS = {
    "games": "all games that were asked for are played",
    "width": "the anytime interval is as narrow as was asked for",
    "decided": "the anytime interval leaves out 50 %: the better player is known",
    "sprt": "the sequential test has decided",
    "stopped": "it was stopped; the same command goes on from here",
}
_ALMOST = 1 - 1e-12  # probabilities that are never 0 or 1, but may be rounded to it
_MANY = 1000  # games from which on a plot of how a match grew has a logarithmic axis

Line = tuple[str, str, str]  # what, how much, and what that means


def match_text(result: MatchResult) -> str:
    """Text of a match: headline, results, statistics and notes."""
    lines = [
        headline(result),
        "",
        aligned(results_cells(result), left=(0,)),
        "",
        aligned([list(line) for line in match_lines(result)], left=(0, 1, 2)),
    ]
    return "\n".join([*lines, *(f"note: {note}" for note in result.notes)])


def headline(result: MatchResult) -> str:
    """Game, agents, number of games and opening of a match."""
    pairing = result.pairing
    opening = f" after {pairing.opening_plies} random plies" if pairing.opening_plies else ""
    players = f"{short_spec(pairing.a)} (A) against {short_spec(pairing.b)} (B)"
    return f"{result.game}: {players}, {result.games:,} games in pairs with seats swapped{opening}"


def match_progress_text(counts: PairCounts, interval: Interval) -> str:
    """What is known while a match runs; the interval is the one that may be looked at at any moment."""
    if not counts.pairs:
        return ""
    ends = [elo_of_score(min(1 - 1e-9, max(1e-9, score))) for score in (interval.low, counts.score, interval.high)]
    low, elo, high = (signed_text(end) if abs(end) < 1000 else "…" for end in ends)
    return f"score {percent_text(counts.score)} ({interval_text(interval, 1)}), Elo {elo} ({low} to {high})"


def results_cells(result: MatchResult) -> list[list[str]]:
    """Wins, draws and losses of A, also by seat."""
    counts = result.counts
    rows = [("A", (counts.wins, counts.draws, counts.losses))]
    rows += list(zip(("A moving first", "A moving second"), counts.seats))
    cells = [["", "wins", "draws", "losses", "score"]]
    for name, (wins, draws, losses) in rows:
        cells.append(
            [name, *(f"{number:,}" for number in (wins, draws, losses)), percent_text((wins + draws / 2) / (wins + draws + losses))]
        )
    return cells


def match_lines(result: MatchResult) -> list[Line]:
    """Statistics of the match, one in each line."""
    statistics, first = result.statistics, result.statistics.first_player
    digits = digits_for(statistics.score_interval)
    fixed, beforehand = "95 % interval for a number of games fixed beforehand", ""
    if result.ended != "games":
        fixed += "; this match ended otherwise: use the one below"
        beforehand = "; for a number of games fixed beforehand"
    elo, elo_interval = elo_texts(statistics.elo)
    side = "an advantage" if first.interval.low > 0.5 else "a disadvantage" if first.interval.high < 0.5 else "not shown to matter"
    lines = [
        ("score", percent_text(statistics.score, digits), f"{interval_text(statistics.score_interval, digits)}: {fixed}"),
        ("", "", f"{interval_text(result.anytime_interval, digits)}: valid at whatever moment one stops"),
        ("Elo", elo, elo_interval + beforehand),
        ("p-value", p_value_text(statistics.pair_p_value), f"of equal strength, over pairs as the intervals are{beforehand}"),
        ("", p_value_text(statistics.p_value), "over games as if they were independent: the exact binomial test"),
        ("superiority", percent_text(min(max(statistics.superiority, 1 - _ALMOST), _ALMOST), 2), "probability that A is the stronger one"),
        ("first player", percent_text(first.score, digits_for(first.interval)), f"{interval_text(first.interval)}: moving first is {side}"),
        ("length", f"{result.lengths.mean:.1f} moves", _spread_text(result.lengths)),
    ]
    if result.totals.margins is not None:
        lines.append(
            ("margin", f"{result.totals.margins.mean:+.2f} points", f"for the first player; {_spread_text(result.totals.margins)}")
        )
    lines.append(_time_line(result))
    if result.sprt is not None:
        test, bounds = result.sprt.test, result.sprt.test.bounds
        verdict = {"elo0": f"Elo {test.elo0:g} is accepted", "elo1": f"Elo {test.elo1:g} is accepted", "continue": "undecided"}
        meaning = f"log-likelihood ratio; decides at {bounds[0]:.2f} and {bounds[1]:.2f}: {verdict[result.sprt.decision]}"
        lines.append(("SPRT", f"{result.sprt.llr:.2f}", meaning))
    lines.append(("ended", f"{result.games:,} games", _ENDS[result.ended]))
    return lines


def _time_line(result: MatchResult) -> Line:
    a, b = result.seconds_per_move
    seconds = result.totals.seconds
    moves = "" if a is None and b is None else f"; a move takes A {time_text(a)}, B {time_text(b)}"
    return "speed", f"{short_number(result.games / max(seconds, 1e-9))} games/s", f"on one core, {duration(seconds)} of work{moves}"


def _spread_text(spread: Spread) -> str:
    return f"{spread.lowest} to {spread.highest}, half of the games at most {spread.quantile(0.5)}"


def match_html(result: MatchResult) -> str:
    """A match for a notebook."""
    counts = result.counts
    left = " style='text-align:left'"
    rows = "".join(
        f"<tr><th{left}>{escape(what)}</th><td>{escape(value)}</td><td{left}>{escape(meaning)}</td></tr>"
        for what, value, meaning in match_lines(result)
    )
    notes = "".join(f"<p>{escape(note)}</p>" for note in result.notes)
    title = f"<b>{escape(headline(result))}</b>: {counts.wins:,} wins, {counts.draws:,} draws, {counts.losses:,} losses"
    return f"<div>{title}<table>{rows}</table>{notes}</div>"


def match_plot(result: MatchResult, path: str | None = None) -> Figure:
    """Score and both intervals as they grew; written to `path` if one is given."""
    from ludometer.view.figures import GRID, entitle, new_figure, percent, save

    looks = [look for look in result.history if look.counts.pairs]
    games = [look.counts.games for look in looks]
    pentanomials = [look.counts.pentanomial for look in looks]
    low = lower_bounds(pentanomials, 0.025)
    high = 1 - lower_bounds([counts[::-1] for counts in pentanomials], 0.025)
    figure, (axes,) = new_figure(1, 1, 8.0, 4.6)
    axes.axhline(0.5, color=INK, linewidth=0.8, linestyle=":")
    anytime = [look.anytime_interval for look in looks]
    axes.fill_between(
        games,
        [ends.low for ends in anytime],
        [ends.high for ends in anytime],
        color=AREAS[1],
        linewidth=0,
        zorder=0.2,  # below the grid
        label="anytime interval (95 %)",
    )
    axes.fill_between(games, low, high, color=AREAS[0], linewidth=0, zorder=0.3, label="interval for a fixed number of games (95 %)")
    axes.plot(games, [look.counts.score for look in looks], color=FIRST, linewidth=1.8, label=f"score of {short_spec(result.pairing.a)}")
    if games[-1] >= _MANY:
        axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_ylim(0, 1)
    axes.set_xlim(games[0], max(games[-1], games[0] + 1))
    axes.yaxis.set_major_formatter(percent)
    axes.yaxis.grid(True, color=GRID, linewidth=0.8)
    axes.set_xlabel("games")
    axes.set_ylabel("score")
    axes.legend(frameon=False, loc="best", fontsize=9)
    entitle(figure, f"{result.game}: {short_spec(result.pairing.a)} against {short_spec(result.pairing.b)}")
    if path is not None:
        save(figure, path)
    return figure
