"""Players on the scale of a game, in words and pictures."""

from __future__ import annotations

from html import escape
from math import isfinite
from typing import TYPE_CHECKING

from ludometer.arena.experiments.rating import RatedAgent, RatingResult, budget_text
from ludometer.core.text import aligned, short_spec
from ludometer.view.boards.theme import INK, SERIES
from ludometer.view.results.scales import level_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEAD = ["agent", "level", "as strong as", "games", "ms a move"]
_MOST_ROWS = 40  # that a picture shows


def rating_text(rating: RatingResult) -> str:
    """A table of the agents, the strongest first, and the scale that they stand on."""
    return aligned([HEAD, *map(_row, _in_order(rating))], left=(0, 2)) + "\n\n" + _scale_line(rating)


def _in_order(rating: RatingResult) -> list[RatedAgent]:
    return sorted(rating.agents, key=lambda one: -one.level.level)


def _row(one: RatedAgent) -> list[str]:
    seconds = one.seconds_per_move
    return [
        short_spec(one.agent),
        level_text(one.level),
        budget_text(one.equivalent),
        f"{one.games:,}",
        "-" if seconds is None else f"{1000 * seconds:.3g}",
    ]


def _scale_line(rating: RatingResult) -> str:
    top, name = rating.scale.depth, short_spec(rating.scale.game)
    reach = f"at least {top.level:.1f}" if rating.scale.is_open else f"{top.level:.1f} ± {top.half_width:.1f}"
    source = {"reference": "the reference scale", "measured now": "measured just now", "given": "as given"}[rating.source]
    return f"scale of {name} ({source}): {reach} levels of 75 % above random play; 95 % intervals, the scale's uncertainty included"


def rating_html(rating: RatingResult) -> str:
    """A table for a notebook."""
    heads = "".join(f"<th>{escape(cell)}</th>" for cell in HEAD)
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in _row(one)) + "</tr>" for one in _in_order(rating))
    return f"<div><table><tr>{heads}</tr>{rows}</table><p>{escape(_scale_line(rating))}</p></div>"


def rating_plot(rating: RatingResult, path: str | None = None) -> Figure:
    """Intervals of the agents; the rungs of the scale as lines behind them."""
    from ludometer.view.figures import GRID, entitle, new_figure, save

    agents = _in_order(rating)[:_MOST_ROWS]
    figure, (axes,) = new_figure(1, 1, 9.0, 1.9 + 0.36 * len(agents))
    result = rating.scale.result
    for player in result.rungs:
        axes.axvline(result.fit.levels[result.place(player)], color=GRID, linewidth=0.8)
    top = axes.secondary_xaxis("top")
    shown = [rung for rung in range(len(result.rungs)) if rung % 2 == 0 or len(result.rungs) < 8]
    top.set_xticks([result.fit.levels[rung + 1] for rung in shown], [f"{1 << rung:,}" for rung in shown], fontsize=7.5, rotation=45)
    top.set_xlabel(f"iterations of {rating.scale.plan.yardstick}", fontsize=8.5, color=INK)
    for row, one in enumerate(agents):
        low, high = one.level.low, one.level.high
        left = one.level.level - low if isfinite(low) else 0.0
        right = high - one.level.level if isfinite(high) else 0.0
        axes.errorbar([one.level.level], [row], xerr=[[left], [right]], color=SERIES[0], marker="o", capsize=3, linewidth=1.6)
    axes.set_yticks(range(len(agents)), [short_spec(one.agent) for one in agents])
    axes.set_ylim(len(agents) - 0.4, -0.6)
    depth = rating.scale.depth
    axes.axvline(depth.level, color=INK, linewidth=1.0, linestyle=":")
    axes.set_xlabel(f"level (steps of 75 %); dotted: {'the scale so far, open' if rating.scale.is_open else 'depth of the game'}")
    entitle(figure, f"Levels at {short_spec(rating.scale.game)}, 95 % intervals")
    if path is not None:
        save(figure, path)
    return figure
