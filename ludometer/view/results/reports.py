"""Report cards in words: the numbers of a card as rows, as text and as Markdown.  The page is made in `report_pages`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import log10
from pathlib import Path
from typing import Any

from ludometer.arena.experiments.report import GameCard, Report, reference_cards
from ludometer.core.errors import LudometerError, shorten
from ludometer.core.files import check_outputs, write_text
from ludometer.core.text import aligned, short_spec, signed
from ludometer.view.results.scales import depth_text

FORMATS = (".html", ".md", ".json")


@dataclass(frozen=True)
class Fact:
    """One line of a card: a number for each agent, from weak to strong."""

    name: str
    meaning: str
    values: tuple[str, ...]
    intervals: tuple[str, ...]


def check_report_file(file: str) -> None:
    """Raise LudometerError unless a report can be written there."""
    if Path(file).suffix.lower() not in FORMATS:
        raise LudometerError(f"a report is written as {', '.join(FORMATS)}; {shorten(file)} ends otherwise")
    check_outputs(file)


def report_file(report: Report, file: str) -> Path:
    """Write a report in the format its name says; raises LudometerError."""
    check_report_file(file)
    suffix = Path(file).suffix.lower()
    if suffix == ".json":
        return write_text(file, json.dumps(report.document(), indent=1, ensure_ascii=False) + "\n")
    if suffix == ".md":
        return write_text(file, report_markdown(report))
    from ludometer.view.results.report_pages import report_page

    return write_text(file, report_page(report))


# ---- the numbers ----


def share(value: float) -> str:
    return f"{100 * value:.1f} %"


def shares(interval: list[float]) -> str:
    """An interval of a share: no more than from nothing to all, whatever an approximation says."""
    return f"{100 * max(0.0, interval[0]):.1f} to {100 * min(1.0, interval[1]):.1f} %"


def points(value: float) -> str:
    """A share above or below a half, in percent points."""
    text = f"{100 * value:+.1f}"
    return text.replace("-", "−")


def power(value: float) -> str:
    """A number, from 10⁷ on as a power of ten."""
    return f"10^{log10(value):.1f}" if value >= 1e7 else f"{value:,.0f}"


def card_facts(document: Mapping[str, Any]) -> list[Fact]:
    """Rows of the numbers that each agent gives."""
    rows = (
        ("branching", "choices per move", "legal moves, mean over all moves", "{:.1f}".format, _plain),
        ("single", "moves without a choice", "share of moves with one legal move only", share, shares),
        ("length", "moves per game", "of both players together", "{:.1f}".format, _plain),
        ("first_player", "first-player advantage", "score of who moves first, in percent points above one half", points, _points),
        ("draws", "draws", "share of games", share, shares),
        (
            "tree",
            "tree complexity",
            "decimal logarithm of the number of games: the logarithms of all choices",
            "{:.1f}".format,
            _plain,
        ),
    )
    agents = document["agents"]
    return [
        Fact(name, meaning, tuple(value(one[key]["value"]) for one in agents), tuple(interval(one[key]["interval"]) for one in agents))
        for key, name, meaning, value, interval in rows
    ]


def _plain(interval: list[float]) -> str:
    return f"{interval[0]:.1f} to {interval[1]:.1f}"


def _points(interval: list[float]) -> str:
    return f"{points(interval[0])} to {points(interval[1])}"


def perfect_text(document: Mapping[str, Any]) -> str:
    """The result of perfect play."""
    start = document["perfect"]
    if start is None:
        return "not known"
    if "margin" in start:
        margin = int(start["margin"])
        return "a draw" if margin == 0 else f"the {'first' if margin > 0 else 'second'} player wins by {signed(abs(margin))[1:]}"
    value = {"win": "the first player wins", "loss": "the second player wins", "draw": "a draw"}[start["value"]]
    return f"{value} in {start['distance']} moves" if start.get("distance") is not None and start["value"] != "draw" else value


def states_text(document: Mapping[str, Any]) -> str:
    """Number of states, with ≥ for a lower bound."""
    states = document["complexity"]["states"]
    return f"{'' if states['exact'] else '≥ '}{power(states['value'])}"


def summary(document: Mapping[str, Any]) -> str:
    """A card in three sentences, with the numbers of the strongest agent."""
    length, branching = document["length"], document["branching"]
    first = document["first_player_advantage"]
    low, high = first["interval"]
    fair = (
        f"moving first is worth {points(first['value'])} points of a hundred"
        if low > 0
        else f"moving second is worth {points(-first['value'])} points of a hundred"
        if high < 0
        else "neither side is shown to have an advantage"
    )
    return (
        f"A game takes {length['value']:.0f} moves with {branching['value']:.0f} choices each; {fair}, "
        f"and {share(document['draws']['value'])} of the games are drawn (all between players "
        f"like {length['agent']}). With perfect play: {perfect_text(document)}. "
        f"From random play to the best player there are {depth_in_words(document)} levels of 75 %."
    )


def depth_in_words(document: Mapping[str, Any]) -> str:
    """The depth of a card: 5.3, or "at least 5.3" of an open scale."""
    return f"{'at least ' if document['depth']['open'] else ''}{document['depth']['depth']:.1f}"


def depth_interval(document: Mapping[str, Any]) -> str:
    """The interval of the depth of a card."""
    low, high = document["depth"]["interval"]
    return f"{low:.1f} or more" if high is None else f"{low:.1f} to {high:.1f}"


COLUMNS = ("game", "choices", "moves", "first player", "draws", "forced wins", "states", "tree", "depth", "at 1,000", "at 10,000")


def comparison_rows(report: Report) -> list[tuple[bool, list[str], list[float | None]]]:
    """(whether it is a game of this report, cells, numbers for bars) of these games and the built-in ones."""
    mine = [card.document() for card in report.cards]
    specs = {one["game"] for one in mine}
    return [(True, *_row(one)) for one in mine] + [(False, *_row(one)) for one in reference_cards() if one["game"] not in specs]


def _row(document: Mapping[str, Any]) -> tuple[list[str], list[float | None]]:
    depth = document["depth"]
    within = [depth["within"][budget] for budget in ("1000", "10000")]
    first = document["first_player_advantage"]["value"]
    states = document["complexity"]["states"]["value"]
    numbers: list[float | None] = [
        document["branching"]["value"],
        document["length"]["value"],
        abs(first),
        document["draws"]["value"],
        document["forced_wins"]["value"],
        log10(states) if states > 0 else None,
        document["complexity"]["tree_log10"]["value"],
        depth["depth"],
        *(None if one is None else one[0] for one in within),
    ]
    cells = [
        short_spec(document["game"]),
        f"{numbers[0]:.1f}",
        f"{numbers[1]:.1f}",
        points(first),
        share(document["draws"]["value"]),
        share(document["forced_wins"]["value"]),
        states_text(document),
        f"10^{document['complexity']['tree_log10']['value']:.1f}",
        f"{'≥ ' if depth['open'] else ''}{depth['depth']:.1f}",
        *("-" if one is None else f"{one[0]:.1f}" for one in within),
    ]
    return cells, [None, *numbers]


# ---- text ----


def report_text(report: Report) -> str:
    """All cards for a terminal, then the games beside each other."""
    parts = [card_text(card) for card in report.cards]
    rows = [list(COLUMNS), *(cells for _, cells, _ in comparison_rows(report))]
    parts.append("beside other games\n" + aligned(rows, left=(0,)))
    return "\n\n\n".join(parts)


def card_text(card: GameCard) -> str:
    """One card."""
    document = card.document()
    agents = [one["agent"] for one in document["agents"]]
    table = [["", *(cell for agent in agents for cell in (agent, "95 %"))]]
    for fact in card_facts(document):
        table.append([fact.name, *(cell for pair in zip(fact.values, fact.intervals) for cell in pair)])
    forced = document["forced_wins"]
    lines = [
        f"{short_spec(document['game'])} ({document['title']})",
        summary(document),
        "",
        aligned(table, left=(0,)),
        f"forced wins: {share(forced['value'])} ({shares(forced['interval'])}) of positions; {forced['how']}",
        f"states: {states_text(document)}; {document['complexity']['states']['how']}",
        f"perfect play: {perfect_text(document)}",
        *(_accuracy_lines(document)),
        "",
        depth_text(card.depth),
        "",
        f"a game of {agents[-1]} against itself: {card.sample.result} after {len(card.sample.moves)} moves: {' '.join(card.sample.moves)}",
        *(f"not measured: {one}" for one in card.missing),
        *(f"note: {note}" for note in own_notes(card)),
    ]
    return "\n".join(lines)


def own_notes(card: GameCard) -> list[str]:
    """The notes on a card that the text about its depth has not said."""
    return [note for note in card.notes if note not in card.depth.games[0].notes]


def _accuracy_lines(document: Mapping[str, Any]) -> list[str]:
    if document["accuracy"] is None:
        return []
    found = [f"{one['agent']} {share(one['lenient'])} ({shares(one['lenient_interval'])})" for one in document["accuracy"]]
    return [f"moves that keep the value of a random position: {', '.join(found)}"]


def report_markdown(report: Report) -> str:
    """All cards as Markdown."""
    parts = []
    for card in report.cards:
        document = card.document()
        agents = [one["agent"] for one in document["agents"]]
        rows = [[fact.name, *(f"{value} ({ends})" for value, ends in zip(fact.values, fact.intervals))] for fact in card_facts(document)]
        forced = document["forced_wins"]
        parts += [
            f"# {document['title']} ({short_spec(document['game'])})",
            summary(document),
            _markdown_table([["", *agents], *rows]),
            "\n".join(
                [
                    f"* forced wins: {share(forced['value'])} ({shares(forced['interval'])}) of positions; {forced['how']}",
                    f"* states: {states_text(document)}; {document['complexity']['states']['how']}",
                    f"* perfect play: {perfect_text(document)}",
                    *(f"* {line}" for line in _accuracy_lines(document)),
                ]
            ),
            f"## Depth\n\n```\n{depth_text(card.depth)}\n```",
            f"## A game of {agents[-1]} against itself\n\n{card.sample.result} after {len(card.sample.moves)} moves: "
            f"{' '.join(card.sample.moves)}\n\n```\n{card.sample.final.board()}\n```",
        ]
        if card.missing or own_notes(card):
            parts.append("## Not measured, and notes\n\n" + "\n".join(f"* {line}" for line in (*card.missing, *own_notes(card))))
    table = [list(COLUMNS), *([f"**{cells[0]}**" if mine else cells[0], *cells[1:]] for mine, cells, _ in comparison_rows(report))]
    parts.append("## Beside other games\n\n" + _markdown_table(table))
    return "\n\n".join(parts) + "\n"


def _markdown_table(rows: list[list[str]]) -> str:
    head, *lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join([head, "|" + "---|" * len(rows[0]), *lines])
