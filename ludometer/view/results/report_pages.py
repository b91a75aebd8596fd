"""The page of a report: one file that needs nothing else, with all pictures inside."""

from __future__ import annotations

import re
from html import escape
from io import BytesIO
from typing import Any

from ludometer import __version__
from ludometer.arena.experiments.report import GameCard, Report
from ludometer.core.text import short_spec
from ludometer.view.boards.theme import FIRST, INK, PAPER
from ludometer.view.results.reports import (
    COLUMNS,
    card_facts,
    comparison_rows,
    depth_in_words,
    depth_interval,
    own_notes,
    perfect_text,
    share,
    shares,
    states_text,
    summary,
)
from ludometer.view.results.scales import MEANINGS, comparison_text, depth_plot, endings, mastery_text

MOST_BOARDS = 24  # of a sample game that are drawn

_STYLE = f"""
body {{ margin: 0; background: {PAPER}; color: {INK}; font: 16px/1.5 system-ui, sans-serif; }}
main {{ max-width: 62rem; margin: 0 auto; padding: 1.5rem; }}
h1 {{ margin: 0 0 .2rem; font-size: 1.9rem; }} h2 {{ margin: 2.2rem 0 .6rem; font-size: 1.25rem; }}
.spec {{ color: #806c54; font-weight: 400; }}
.tiles {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .7rem; margin: 1.2rem 0; }}
.tile {{ background: #fff; border: 1px solid #e4d9c4; border-radius: .5rem; padding: .6rem .8rem; }}
.tile b {{ display: block; font-size: 1.35rem; }} .tile span {{ font-size: .82rem; color: #6b5a47; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-size: .88rem; background: #fff; width: 100%; }}
th, td {{ padding: .35rem .45rem; border-bottom: 1px solid #e9e0cf; text-align: right; white-space: nowrap; }}
th:first-child, td:first-child {{ text-align: left; }} td:first-child:has(small) {{ white-space: normal; min-width: 12rem; }}
th {{ font-weight: 600; background: #f3ead8; }}
tr.mine td {{ background-color: #fdf3d3; font-weight: 600; }}
small, .note {{ color: #6b5a47; font-size: .84rem; }}
.boards {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(8.2rem, 1fr)); gap: .6rem; }}
.boards figure {{ margin: 0; text-align: center; font-size: .78rem; }} .boards svg {{ width: 100%; height: auto; }}
.plot svg {{ width: 100%; height: auto; background: #fff; border: 1px solid #e4d9c4; border-radius: .5rem; }}
"""


def report_page(report: Report) -> str:
    """The whole page."""
    title = ", ".join(short_spec(card.game.spec) for card in report.cards)
    cards = "".join(_card(card) for card in report.cards)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Report card: {escape(title)}</title><style>{_STYLE}</style></head>\n"
        f"<body><main>{cards}{_beside(report)}{_deeper(report)}"
        f'<p class="note">Made by ludometer {__version__}. Intervals have 95 %.</p></main></body></html>\n'
    )


def report_html(report: Report) -> str:
    """For a notebook: the same without the page around it."""
    return f"<div><style>{_STYLE}</style><main>{''.join(_card(card) for card in report.cards)}{_beside(report)}</main></div>"


def _card(card: GameCard) -> str:
    document = card.document()
    name = f'{escape(document["title"])} <span class="spec">{escape(short_spec(document["game"]))}</span>'
    parts = [
        f"<h1>{name}</h1><p>{escape(summary(document))}</p>",
        _tiles(document),
        "<h2>Weak and strong players</h2>",
        _strengths(document),
        "<h2>How strength grows: the scale, and how deep it is</h2>",
        f'<div class="plot">{plot_svg(card)}</div>',
        _depth_table(document),
        _accuracy(document),
        f"<h2>A game of {escape(document['agents'][-1]['agent'])} against itself</h2>",
        _boards(card),
        _missing(card),
    ]
    return "".join(parts)


def _tile(value: str, name: str, small: str) -> str:
    return f'<div class="tile"><b>{escape(value)}</b>{escape(name)}<br><span>{escape(small)}</span></div>'


def _tiles(document: dict[str, Any]) -> str:
    facts = {fact.name: fact for fact in card_facts(document)}
    forced = document["forced_wins"]
    tree = facts["tree complexity"]
    tiles = [_tile(facts[name].values[-1], name, facts[name].intervals[-1]) for name in _TILES]
    tiles.append(_tile(f"10^{tree.values[-1]}", "tree complexity, games", f"exponent {tree.intervals[-1]}"))
    tiles += [
        _tile(share(forced["value"]), "positions with a forced win", shares(forced["interval"])),
        _tile(states_text(document), "states", "counted" if document["complexity"]["states"]["exact"] else "lower bound"),
        _tile(perfect_text(document), "perfect play", ""),
        _tile(depth_in_words(document), "levels of 75 %: its depth", depth_interval(document)),
    ]
    return f'<div class="tiles">{"".join(tiles)}</div>'


_TILES = ("choices per move", "moves per game", "first-player advantage", "draws")


def _table(rows: list[list[str]], attributes: list[str] | None = None) -> str:
    head, *lines = rows
    heads = "".join(f"<th>{cell}</th>" for cell in head)
    given = attributes or [""] * len(lines)
    body = "".join(f"<tr{extra}>" + "".join(f"<td>{cell}</td>" for cell in line) + "</tr>" for line, extra in zip(lines, given))
    return f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>'


def _strengths(document: dict[str, Any]) -> str:
    agents = document["agents"]
    rows = [["each against itself", *(f"{escape(one['agent'])}<br><small>{one['games']:,} games</small>" for one in agents)]]
    for fact in card_facts(document):
        cells = [f"{escape(value)}<br><small>{escape(ends)}</small>" for value, ends in zip(fact.values, fact.intervals)]
        rows.append([f"{escape(fact.name)}<br><small>{escape(fact.meaning)}</small>", *cells])
    return _table(rows)


def _depth_table(document: dict[str, Any]) -> str:
    depth = document["depth"]
    rows = [["player", "positions", "level", "95 %", "draws", "first player"]]
    for rung in depth["rungs"]:
        low, high = rung["interval"]
        rows.append(
            [
                escape(rung["player"]),
                f"{rung['positions']:,.0f}",
                f"{rung['level']:.2f}",
                f"{low:.2f} to {'∞' if high is None else f'{high:.2f}'}",
                share(rung["draws"]),
                share(rung["first_move_score"]),
            ]
        )
    if depth["perfect"] is not None:
        low, high = depth["perfect"]["interval"]
        ends = f"{low:.2f} to {'∞' if high is None else f'{high:.2f}'}"
        rows.append([f"perfect play ({escape(depth['perfect']['player'])})", "", f"{depth['perfect']['level']:.2f}", ends, "", ""])
    mastered = f'<p class="note">{escape(mastery_text(depth))}</p>' if depth["mastery"] is not None else ""
    meanings = "".join(f"<li><b>{escape(name)}</b>: {escape(text)}</li>" for name, text in MEANINGS)
    return f'{_table(rows)}{mastered}<ul class="note">{meanings}</ul>'


def _accuracy(document: dict[str, Any]) -> str:
    if document["accuracy"] is None:
        return ""
    rows = [["moves at random positions", "keep the value", "also as fast as can be", "points lost a move"]]
    for one in document["accuracy"]:
        strict = "-" if one["strict"] is None else f"{share(one['strict'])}<br><small>{shares(one['strict_interval'])}</small>"
        lost = f"{one['lost']:.3f}<br><small>{one['lost_interval'][0]:.3f} to {one['lost_interval'][1]:.3f}</small>"
        rows.append([escape(one["agent"]), f"{share(one['lenient'])}<br><small>{shares(one['lenient_interval'])}</small>", strict, lost])
    return f"<h2>Accuracy, by the exact solution</h2>{_table(rows)}"


def _boards(card: GameCard) -> str:
    positions = card.sample.positions
    count = len(positions)
    shown = (
        range(count) if count <= MOST_BOARDS else sorted({round(place * (count - 1) / (MOST_BOARDS - 1)) for place in range(MOST_BOARDS)})
    )
    figures = []
    for ply in shown:
        move = "start" if ply == 0 else f"{ply}. {card.sample.moves[ply - 1]}"
        drawing = re.sub(r"^<\?xml.*?\?>\s*", "", positions[ply].svg())
        figures.append(f"<figure>{drawing}<figcaption>{escape(move)}</figcaption></figure>")
    left_out = f" ({len(figures)} of {count} positions)" if len(figures) < count else ""
    return f'<p>{escape(str(card.sample.result))} after {count - 1} moves{left_out}</p><div class="boards">{"".join(figures)}</div>'


def _missing(card: GameCard) -> str:
    parts = ""
    if card.missing:
        parts += "<h2>What could not be measured</h2><ul>" + "".join(f"<li>{escape(one)}</li>" for one in card.missing) + "</ul>"
    document = card.document()
    how = [
        f"seed {card.seed}; positions with a forced win: {document['forced_wins']['how']}",
        f"states: {document['complexity']['states']['how']}",
        *endings(card.depth.games),
        *own_notes(card),
    ]
    return parts + "<h2>How it was measured</h2><ul>" + "".join(f"<li>{escape(one)}</li>" for one in how) + "</ul>"


def _beside(report: Report) -> str:
    rows = comparison_rows(report)
    most = [max((abs(numbers[place] or 0.0) for _, _, numbers in rows), default=0.0) for place in range(len(COLUMNS))]
    lines, attributes = [list(map(escape, COLUMNS))], []
    for mine, cells, numbers in rows:
        lines.append([_barred(cell, number, top) for cell, number, top in zip(cells, numbers, most)])
        attributes.append(' class="mine"' if mine else "")
    explained = "Bars show how large a number is in its column; states and tree by their logarithms."
    return f'<h2>Beside other games</h2>{_table(lines, attributes)}<p class="note">{explained}</p>'


def _barred(cell: str, number: float | None, top: float) -> str:
    """A cell with a bar under its text."""
    if number is None or top <= 0:
        return escape(cell)
    width = 100 * min(1.0, abs(number) / top)
    bar = f"display:block;height:3px;width:{width:.0f}%;background:{FIRST};margin-left:auto;border-radius:2px"
    return f'{escape(cell)}<i style="{bar}"></i>'


def _deeper(report: Report) -> str:
    if len(report.cards) < 2:
        return ""
    lines = map(comparison_text, report.depth.comparisons)
    return "<h2>Which is deeper</h2>" + "".join(f"<p>{escape(line)}</p>" for line in lines)


def plot_svg(card: GameCard) -> str:
    """The ladder as SVG that stands inside a page: letters stay letters, and names of its parts are its own."""
    import matplotlib

    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": card.game.spec, "font.family": "sans-serif"}):
        buffer = BytesIO()
        depth_plot(card.depth).savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue().decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    prefix = re.sub(r"\W+", "-", card.game.spec)
    text = re.sub(r'\bid="', f'id="{prefix}-', text)
    return re.sub(r'(url\(#|xlink:href="#)', rf"\g<1>{prefix}-", text)
