"""Scales and levels in words and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import isfinite
from typing import TYPE_CHECKING, Any

from ludometer.arena.experiments.scale_documents import GameScale
from ludometer.arena.experiments.scale_plan import LEAST_RUNGS, planned_games
from ludometer.arena.statistics.levels import LevelEstimate
from ludometer.arena.statistics.scale_results import BUDGETS, Comparison
from ludometer.core.text import aligned, duration, short_number, short_spec
from ludometer.view.boards.theme import INK, MARKERS, SERIES
from ludometer.view.results.ladders import error_curve
from ludometer.view.results.table_data import Table, table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ludometer.arena.experiments.depth import Depth, DepthPlan

HEAD = ["game", "depth", "95 %", *(f"at {budget:,}" for budget in BUDGETS), "last doubling", "c50", "c90", "draws", "rungs to", "games"]
MEANINGS = (
    ("level", "the step at which the better player scores 75 %; random play has level 0"),
    ("depth", "level of the best player; ≥ on an open scale, whose end was not reached"),
    ("at 1,000", "level reached with 1,000 positions per decision; comparable between open and closed scales"),
    ("last doubling", "levels gained by the last doubling of iterations"),
    ("c50, c90", "positions per decision at which 50 % and 90 % of the way from random to perfect play is covered; solved games only"),
    ("draws", "share of drawn games between the last two rungs"),
)


def level_text(found: LevelEstimate, sign: str = "") -> str:
    """A level and half the width of its interval: 6.8 ± 0.3."""
    if not isfinite(found.low) or not isfinite(found.high):
        side = "≥" if isfinite(found.low) else "≤"
        bound = found.low if isfinite(found.low) else found.high
        return f"{side} {bound:.1f}"
    return f"{sign}{found.level:.2f} ± {found.half_width:.2f}"


def depth_text(depth: Depth) -> str:
    """A table sorted by depth, what its columns mean, how games compare, how each scale ended."""
    parts = [aligned([HEAD, *map(_row, in_order(depth.games))], left=(0,))]
    parts.append(aligned([[f"{name}:", text] for name, text in MEANINGS], left=(0, 1)))
    parts.append("\n".join(endings(depth.games)))
    if depth.comparisons:
        parts.append("\n".join(comparison_text(one) for one in depth.comparisons))
    return "\n\n".join(parts)


def in_order(games: Sequence[GameScale]) -> list[GameScale]:
    """The deepest first."""
    return sorted(games, key=lambda game: -game.depth.level)


def _row(game: GameScale) -> list[str]:
    result = game.result
    top = result.depth
    within = [result.within(budget) for budget in BUDGETS]
    mastery = result.mastery()
    draws, _, _ = result.draws_and_first_move(len(result.rungs) - 1)
    return [
        short_spec(game.game),
        f"{'≥ ' if game.is_open else ''}{top.level:.2f}",
        f"{top.low:.2f} to {top.high:.2f}" if isfinite(top.high) else f"{top.low:.2f} or more",
        *("-" if one is None else f"{one.level:.2f}" for one in within),
        f"{result.growth.level:+.2f}",
        *(["-", "-"] if mastery is None else [_positions(one.positions) for one in mastery]),
        f"{draws:.0%}",
        f"{1 << (len(result.rungs) - 1):,}",
        f"{game.result.games:,}",
    ]


def _positions(number: float | None) -> str:
    return "not reached" if number is None else short_number(number)


def mastery_text(document: Mapping[str, Any]) -> str:
    """How many positions it takes to cover half and nine tenths of the way to perfect play."""
    found = [f"c{percent}: {_range(ends)}" for percent, ends in (document["mastery"] or {}).items()]
    return f"positions per decision to mastery: {', '.join(found)}"


def _range(ends: Sequence[float | None]) -> str:
    middle, low, high = ends
    if middle is None:
        return "not reached" if low is None else f"not reached, more than {low:,.0f}"
    return f"{middle:,.0f} ({'?' if low is None else f'{low:,.0f}'} to {'∞' if high is None else f'{high:,.0f}'})"


def scale_table(document: Mapping[str, Any]) -> Table:
    """A line for each game, from the document of a `Depth`."""
    games = [GameScale.from_document(game) for game in document["games"]]
    return table("Depth: levels of 75 % from random play", [HEAD, *map(_row, in_order(games))], (0,))


def endings(games: Sequence[GameScale]) -> list[str]:
    """How each scale ended, and what to beware of."""
    lines = []
    for game in games:
        name, result = short_spec(game.game), game.result
        if result.closed_by == "perfect play":
            lines.append(f"{name}: closed; perfect play is shown to add less than 0.1 level to {result.rungs[-1]}")
        elif result.closed_by:
            lines.append(f"{name}: closed; the last three doublings are each shown to add less than 0.1 level")
        else:
            how = {"rungs": "the last planned rung was reached", "stopped": "it was stopped", "going on": "it goes on"}[game.ended]
            lines.append(f"{name}: open ({how}); still {level_text(result.growth, '+')} levels a doubling")
        if result.perfect:
            lines.append(f"{name}: {result.best} stands at level {level_text(result.level(result.best))}")
        if not result.fits:
            lines.append(
                f"{name}: one scale does not fit all matches (χ²/df {result.fit.chi_square / result.fit.degrees:.1f}); "
                f"intervals are widened by {result.fit.inflation:.2f}"
            )
        lines += [f"{name}: a cycle: {' > '.join(result.players[player] for player in cycle.players)}" for cycle in result.cycles]
        draws, first, count = result.draws_and_first_move(len(result.rungs) - 1)
        if draws > 0.5:
            lines.append(f"{name}: {draws:.0%} draws at the top; draws compress the scale")
        if abs(first - 0.5) > 0.25:
            lines.append(f"{name}: the first player scores {first:.0%} at the top; such games compress the scale")
        lines += [f"{name}: {note}" for note in game.notes]
    if games:
        plan = games[0].plan
        lines.append(f"yardstick {plan.yardstick}; pairs of games begin with {plan.opening_plies} random plies; seed {plan.seed}")
        lines.append("the same numbers again: " + " && ".join(command(game) for game in games))
    return lines


def command(game: GameScale) -> str:
    """The command that measures this scale again by the same plan."""
    import shlex

    plan = game.plan
    words = ["ludometer", "depth", game.game, "--precision", f"{plan.precision:g}", "--rungs", str(plan.rungs)]
    if plan.seed:
        words += ["--seed", str(plan.seed)]
    if plan.opening_plies != 2:
        words += ["--opening-plies", str(plan.opening_plies)]
    if plan.ply_limit is not None:
        words += ["--limit", str(plan.ply_limit)]
    if plan.yardstick != "uct":
        words += ["--yardstick", plan.yardstick]
    if not plan.perfect:
        words.append("--no-perfect")
    return shlex.join(words)


def comparison_text(one: Comparison) -> str:
    """Whether one game is deeper than another, in a sentence."""
    a, b = short_spec(one.a), short_spec(one.b)
    difference, low, high = one.difference, one.interval.low, one.interval.high
    if difference < 0:
        a, b, difference, low, high = b, a, -difference, -high, -low
    what = {"depth": "", "at least": ""}.get(one.by, f" at {int(one.by):,} positions per decision" if one.by.isdigit() else "")
    least = "at least " if one.by == "at least" else ""
    if one.decided:
        ends = f"{low:.1f} to {high:.1f}, corrected for the number of comparisons"
        return f"{a} is {least}{difference:.1f} levels deeper than {b}{what} ({ends})"
    needed = f"; about {short_number(one.games_needed)} games would decide it" if isfinite(one.games_needed) else ""
    return f"{a} and {b}: not decided{what} ({difference:+.2f} levels, {low:.1f} to {high:.1f}){needed}"


def plan_text(plan: DepthPlan) -> str:
    """What would be played."""
    lines = [["game", "rungs", "to", "precision", "pairs of a match", "games", "time here, at most", "plan"]]
    for one in plan.scales:
        scale = one.plan
        lines.append(
            [
                short_spec(scale.game),
                str(scale.rungs),
                scale.player(scale.rungs - 1),
                f"± {scale.precision:g}",
                f"{scale.pairs[0]:,} … {scale.pairs[-1]:,}",
                f"{planned_games(scale):,}",
                "-" if one.seconds is None else duration(one.seconds),
                scale.digest,
            ]
        )
    return aligned(lines, left=(0,)) + f"\n\na scale that closes earlier, from rung {LEAST_RUNGS} on, takes less"


def depth_html(depth: Depth) -> str:
    """A table for a notebook."""
    heads = "".join(f"<th>{escape(cell)}</th>" for cell in HEAD)
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in _row(game)) + "</tr>" for game in in_order(depth.games))
    meanings = "".join(f"<li><b>{escape(name)}</b>: {escape(text)}</li>" for name, text in MEANINGS)
    said = "".join(f"<p>{escape(line)}</p>" for line in [*endings(depth.games), *map(comparison_text, depth.comparisons)])
    return f"<div><table><tr>{heads}</tr>{rows}</table><ul>{meanings}</ul>{said}</div>"


_LATEX = {"±": r"$\pm$", "≥": r"$\geq$", "≤": r"$\leq$", "%": r"\%", "_": r"\_", "&": r"\&", "#": r"\#", "χ²": r"$\chi^2$"}


def latex_table(head: Sequence[str], rows: Sequence[Sequence[str]], caption: str) -> str:
    """A LaTeX tabular with rules above, below and under the head; the first column is of words, the others of numbers."""

    def line(cells: Sequence[str]) -> str:
        return " & ".join("".join(_LATEX.get(letter, letter) for letter in cell.replace("χ²", r"$\chi^2$")) for cell in cells) + r" \\"

    body = "\n".join(map(line, rows))
    columns = "l" + "r" * (len(head) - 1)
    return (
        f"\\begin{{table}}\n\\caption{{{caption}}}\n\\begin{{tabular}}{{{columns}}}\n\\hline\n{line(head)}\n\\hline\n"
        f"{body}\n\\hline\n\\end{{tabular}}\n\\end{{table}}\n"
    )


def depth_latex(depth: Depth) -> str:
    """The table of scales."""
    return latex_table(HEAD, [_row(game) for game in in_order(depth.games)], "Scales of games in levels of 75\\,\\%; 95\\,\\% intervals.")


# ---- pictures ----


def depth_plot(depth: Depth, path: str | None = None) -> Figure:
    """Above, levels against positions per decision for every game; below, levels per doubling."""
    return scales_figure(depth.games, path)


def scales_figure(games: Sequence[GameScale], path: str | None = None) -> Figure:
    """The picture of several scales; open ends are drawn as arrows, perfect play as a dotted line."""
    from ludometer.view.figures import GRID, entitle, new_figure, save

    figure, (above, below) = new_figure(2, 1, 9.0, 8.2)
    for number, game in enumerate(in_order(games)):
        _curve(above, game, number)
        _growth(below, game, number)
    below.sharex(above)
    for axes in (above, below):
        axes.set_xscale("log")
        axes.grid(True, color=GRID, linewidth=0.7)
    above.set_ylabel("level (steps of 75 %, random play = 0)")
    below.set_ylabel("levels gained by a doubling")
    below.set_xlabel("positions visited per decision")
    below.axhline(0.0, color=INK, linewidth=0.8)
    below.axhline(0.1, color=INK, linewidth=0.8, linestyle=":")
    precision = " and ".join(sorted({f"± {game.plan.precision:g}" for game in games}))
    seeds = ", ".join(str(seed) for seed in sorted({game.plan.seed for game in games}))
    total = sum(game.result.games for game in games)
    above.set_title(
        f"pointwise 95 % intervals; planned for {precision} levels; {total:,} games, seed {seeds}; arrow: open; dotted: perfect play",
        fontsize=8.5,
        color=INK,
        loc="left",
    )
    below.set_title("below the dotted line three times in a row, and confirmed: the scale is closed", fontsize=8.5, color=INK, loc="left")
    above.legend(frameon=False, fontsize=9, loc="center left", bbox_to_anchor=(1.0, 0.5))
    names = [short_spec(game.game) for game in games]
    entitle(figure, f"Scale of {names[0]}" if len(names) == 1 else f"Scales of {len(names)} games")
    if path is not None:
        save(figure, path)
    return figure


def _style(number: int) -> dict[str, Any]:
    return {"color": SERIES[number % len(SERIES)], "linestyle": ("-", "--", ":")[number // len(SERIES) % 3]}


def _curve(axes: Axes, game: GameScale, number: int) -> None:
    result, style = game.result, _style(number)
    places = list(result.positions)
    found = [result.level(player) for player in result.rungs]
    rows = [(one.level, one.low, one.high) for one in found]
    label = f"{short_spec(game.game)}  {'≥ ' if game.is_open else ''}{result.depth.level:.1f}"
    error_curve(axes, places, rows, marker=MARKERS[number % len(MARKERS)], label=label, **style)
    if game.is_open:
        axes.annotate(
            "",
            xy=(places[-1] * 1.9, rows[-1][0] + max(0.0, result.growth.level)),
            xytext=(places[-1], rows[-1][0]),
            arrowprops={"arrowstyle": "->", "color": style["color"], "linewidth": 1.4},
        )
    if result.perfect:
        axes.hlines(result.level(result.best).level, places[0], places[-1], color=style["color"], linewidth=1.0, linestyle=":", alpha=0.7)


def _growth(axes: Axes, game: GameScale, number: int) -> None:
    result = game.result
    steps = [result.step(rung) for rung in range(1, len(result.rungs))]
    rows = [(one.level, one.low, one.high) for one in steps]
    error_curve(axes, list(result.positions[1:]), rows, marker=MARKERS[number % len(MARKERS)], **_style(number))


def figure_of_document(document: Mapping[str, Any]) -> Figure:
    """The picture of a stored result."""
    return scales_figure([GameScale.from_document(game) for game in document["games"]])
