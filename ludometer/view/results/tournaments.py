"""Tournaments in words and pictures."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ludometer.arena.experiments.tournament import TournamentResult
from ludometer.core.text import aligned, short_spec
from ludometer.view.boards.theme import FIRST, INK, diverging, ink_on
from ludometer.view.results.estimates import p_value_text, percent_text, signed_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NOBODY = "·"


def tournament_text(result: TournamentResult) -> str:
    """Ratings, cross table, who is stronger than whom, and whether one scale describes it all."""
    size = f"{len(result.players)} agents, {len(result.pairs)} pairings, {result.games:,} games"
    parts = [
        f"{result.game}: {size}; {result.anchor} is 0 by definition",
        _indented(aligned(rating_cells(result), left=(1,))),
        "score of the row against the column (%)\n" + _indented(aligned(cross_cells(result), left=(1,))),
        "probability that the row is stronger than the column (%)\n" + _indented(aligned(superiority_cells(result), left=(1,))),
        "\n".join(verdicts(result)),
    ]
    return "\n\n".join(parts)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.splitlines())


def rating_cells(result: TournamentResult) -> list[list[str]]:
    """A line for each player, strongest first."""
    cells = [["", "agent", "Elo", "95 % interval", "score", "games"]]
    for place, player in enumerate(result.players, 1):
        interval = "" if player.agent == result.anchor else f"{signed_text(player.interval.low)} to {signed_text(player.interval.high)}"
        cells.append(
            [str(place), short_spec(player.agent), signed_text(player.rating), interval, percent_text(player.score), f"{player.games:,}"]
        )
    return cells


def cross_cells(result: TournamentResult) -> list[list[str]]:
    """Everybody's score against everybody."""
    cells = [["", "", *(str(place) for place in range(1, len(result.players) + 1))]]
    for place, player in enumerate(result.players, 1):
        met = [result.between(player.agent, other.agent) for other in result.players]
        cells.append(
            [str(place), short_spec(player.agent), *(_NOBODY if counts is None else f"{100 * counts.score:.1f}" for counts in met)]
        )
    return cells


def superiority_cells(result: TournamentResult) -> list[list[str]]:
    """The probability that one is stronger than the other, by the ratings."""
    cells = [["", "", *(str(place) for place in range(1, len(result.players) + 1))]]
    for place, (player, row) in enumerate(zip(result.players, result.superiority), 1):
        texts = (percent_text(share).removesuffix(" %") for share in row)
        cells.append([str(place), short_spec(player.agent), *(_NOBODY if other == place else text for other, text in enumerate(texts, 1))])
    return cells


def verdicts(result: TournamentResult) -> list[str]:
    """Transitivity, circles, groups without a bound between them, why it ended, notes."""
    lines = [_transitivity_line(result)]
    for cycle in result.cycles:
        names = [short_spec(result.players[place].agent) for place in cycle.players]
        steps = ", ".join(
            f"{names[step]} scores {percent_text(score)} against {names[(step + 1) % 3]}" for step, score in enumerate(cycle.scores)
        )
        lines.append(f"non-transitive: {steps} ({'beyond chance' if cycle.shown else 'within chance'})")
    if len(result.groups) > 1:
        groups = " over ".join(", ".join(group) for group in result.groups)
        lines.append(f"every point went one way between {groups}: their distance is at least what the ratings say")
    lines.append(
        "ended: all games that were asked for are played"
        if result.ended == "games"
        else f"ended: stopped after {result.games:,} of {result.wanted:,} games"
    )
    return lines + [f"note: {note}" for note in result.notes]


def _transitivity_line(result: TournamentResult) -> str:
    found = result.transitivity
    if found.value is None:
        return "transitivity: all scores are 50 %, there is nothing to put on a scale"
    line = f"transitivity {found.value:.3f} (1: one rating scale describes all results, 0: none does)"
    if found.misfit_p_value is not None:
        line += f"; deviations {'within' if found.within_chance else 'beyond'} chance (p = {p_value_text(found.misfit_p_value)})"
    if found.warning:
        line += "; below 0.8: " + ("more games would tell" if found.within_chance else "do not trust the ratings")
    return line


def tournament_html(result: TournamentResult) -> str:
    """A tournament for a notebook."""
    tables = "".join(
        f"<p><b>{escape(title)}</b></p>{_table(cells)}"
        for title, cells in (
            (f"{result.game}: {result.games:,} games", rating_cells(result)),
            ("score of the row against the column (%)", cross_cells(result)),
        )
    )
    return f"<div>{tables}{''.join(f'<p>{escape(line)}</p>' for line in verdicts(result))}</div>"


def _table(cells: list[list[str]]) -> str:
    head, *rows = cells
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{top}</tr>{body}</table>"


def tournament_plot(result: TournamentResult, path: str | None = None) -> Figure:
    """Ratings with their intervals, and the cross table beside them; written to `path` if one is given."""
    from ludometer.view.figures import GRID, entitle, new_figure, save

    count = len(result.players)
    names = [short_spec(player.agent) for player in result.players]
    figure, (ratings, cross) = new_figure(1, 2, 11.0, 1.8 + 0.5 * count)
    places = range(count)
    for place, player in enumerate(result.players):
        ratings.plot([player.interval.low, player.interval.high], [place, place], color=FIRST, linewidth=2.4, alpha=0.5)
        ratings.plot([player.rating], [place], "o", color=FIRST, markersize=7)
    ratings.set_yticks(places, names)
    ratings.set_ylim(count - 0.5, -0.5)
    ratings.xaxis.grid(True, color=GRID, linewidth=0.8)
    ratings.set_xlabel(f"Elo over {result.anchor}, with 95 % intervals")
    for row, player in enumerate(result.players):
        for column, other in enumerate(result.players):
            counts = result.between(player.agent, other.agent)
            if counts is not None:
                colour = diverging(2 * counts.score - 1)
                cross.fill_between([column - 0.5, column + 0.5], row - 0.5, row + 0.5, color=colour, linewidth=0)
                cross.text(column, row, f"{100 * counts.score:.0f}", ha="center", va="center", color=ink_on(colour), fontsize=9)
    cross.set_xticks(places, [str(place + 1) for place in places])
    cross.set_yticks(places, [f"{place + 1} {name}" for place, name in enumerate(names)])
    cross.set_ylim(count - 0.5, -0.5)
    cross.set_xlim(-0.5, count - 0.5)
    cross.set_title("score of the row against the column (%)", fontsize=10, color=INK)
    entitle(figure, f"{result.game}: {result.games:,} games")
    if path is not None:
        save(figure, path)
    return figure
