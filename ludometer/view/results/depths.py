"""Depth in words and pictures."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from html import escape
from itertools import groupby
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from ludometer.arena.experiments.climbing import OPENING_PLIES, Plan
from ludometer.arena.experiments.depth import Comparison, Depth, FamilyDepth, GameDepth, tables_of
from ludometer.arena.statistics.match_statistics import EloEstimate
from ludometer.core.text import aligned, short_spec
from ludometer.view.boards.theme import INK, MARKERS, SERIES
from ludometer.view.results.ladders import error_curve, scale_resources

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDS = {
    "plateau": "plateau: the last four rungs are equivalent (90 % intervals within ±25 Elo)",
    "used": "a larger budget is not used any more: the search sees all there is",
    "rungs": "no plateau shown up to the last rung that was allowed",
    "budget": "no plateau shown: the time was used up",
    "stages": "no plateau shown: as many stages as were asked for",
    "stopped": "no plateau shown: it was stopped; the same command goes on from here",
    "going on": "no plateau shown so far: the measuring goes on, or was ended by force",
}
HEAD = ["game", "climbed by", "N(0.5)", "N(0.6)", "N(0.75)", "c50", "c90", "range in Elo", "T", "rungs to", "games"]
MEANINGS = {
    "N(p)": "rungs of which each scores at least p against the one before; bounds that hold together with 95 %, whatever the model",
    "c50, c90": "positions visited per decision at which half, nine tenths of the skill there is are reached; 95 % bootstrap interval",
    "range": "Elo from random to the best player, by ratings; ≥ where the better side won every point",
    "T": "how well one rating scale describes all results, from 0 to 1; below 0.8 do not trust c and range",
}
WHAT = {
    "rungs 0.6": "distinguishable rungs N(0.6)",
    "rungs 0.75": "distinguishable rungs N(0.75)",
    "mastery 50": "positions to half of the skill, c50",
    "mastery 90": "positions to nine tenths of the skill, c90",
    "range": "skill range in Elo",
}


def depth_text(depth: Depth) -> str:
    """A table with a line for each game and family, what the columns mean, how games compare, and how to get the same again."""
    lines = [HEAD, *(_row(game, family) for game in depth.games for family in game.families)]
    parts = [aligned(lines, left=(0, 1)), aligned([[f"{name}:", text] for name, text in MEANINGS.items()], left=(0, 1))]
    parts += [verdicts for verdicts in (comparison_text(depth),) if verdicts]
    parts.append("\n".join(endings(depth)))
    return "\n\n".join(parts)


def _row(game: GameDepth, family: FamilyDepth) -> list[str]:
    counts = [f"{one.low}" if one.low == one.high else f"{one.low} to {one.high}" for one in family.rungs]
    return [
        short_spec(game.game),
        family.plan.family,
        *counts,
        *(mastery_text(family, f"mastery {one.percent:g}") for one in family.curve.mastery),
        range_text(family.range.bradley_terry),
        _transitivity(family),
        f"{family.budgets[-1]:,}",
        f"{family.games:,}",
    ]


def mastery_text(family: FamilyDepth, what: str) -> str:
    """A resource to mastery with its interval."""
    point = next(one for one in family.curve.mastery if f"mastery {one.percent:g}" == what)
    if point.status == "flat" or point.low is None:
        return "no skill shown"
    if point.status == "censored" or point.estimate is None:
        return f"> {point.low:,.0f}"
    high = "∞" if point.high is None else f"{point.high:,.0f}"
    return f"{'≤ ' if point.status == 'first' else ''}{point.estimate:,.0f} ({point.low:,.0f} to {high})"


def range_text(estimate: EloEstimate) -> str:
    """A skill range with its interval, or what holds at least."""
    if estimate.open_high:
        return f"≥ {estimate.low:,.0f}"
    return f"{estimate.elo:,.0f} ({estimate.low:,.0f} to {estimate.high:,.0f})"


def _transitivity(family: FamilyDepth) -> str:
    found = family.transitivity
    if found.value is None:
        return "-"
    sign = "" if not found.warning else "?" if found.within_chance else "!"
    return f"{found.value:.2f}{sign}"


def comparison_text(depth: Depth) -> str:
    """Which game is deeper, in sentences."""
    sentences = []
    for (one_game, other_game), group in groupby(depth.comparisons, key=lambda one: (one.first, one.second)):
        comparisons, first, second = list(group), short_spec(one_game), short_spec(other_game)
        for verdict, deep, shallow in (("first", first, second), ("second", second, first)):
            agreeing = [WHAT[one.what] for one in comparisons if one.verdict == verdict]
            if agreeing:
                sentences.append(f"{deep} is deeper than {shallow} by {', '.join(agreeing)} (disjoint intervals in every family)")
        unclear = [_unclear(one) for one in comparisons if one.verdict == "unclear"]
        if unclear:
            sentences.append(f"{first} and {second}, not decided by {'; '.join(unclear)}")
    return "\n".join(sentences)


def _unclear(comparison: Comparison) -> str:
    names = {"first": short_spec(comparison.first), "second": short_spec(comparison.second)}
    said = [f"{family} says {names[verdict]}" for family, verdict in comparison.families.items() if verdict in names]
    return WHAT[comparison.what] + (f" ({', '.join(said)})" if said else "")


def endings(depth: Depth) -> list[str]:
    """How each ladder ended, what to beware of, and how to measure all of it again."""
    lines = []
    for game in depth.games:
        name = short_spec(game.game)
        for family in game.families:
            plan = family.plan
            state = "the plan is done" if family.is_done else "the plan goes on"
            lines.append(f"{name}, {plan.family}: {ENDS[family.ended]}; stage {family.stage}, {state}; seed {plan.seed}")
            if family.transitivity.warning:
                chance = "too few games to tell" if family.transitivity.within_chance else "beyond chance"
                lines.append(f"{name}, {plan.family}: T is below 0.8 ({chance}): one rating scale does not describe this ladder")
            if not family.counts_positions:
                lines.append(f"{name}, {plan.family}: its agents do not say what they visit; c50 and c90 are budgets")
        lines += [f"{name}: {note}" for note in game.notes]
    if depth.games:
        plies = depth.games[0].usual.plan.opening_plies
        lines.append(f"every pair of games begins with {plies} random plies; {_again(depth)}")
    return lines


def _again(depth: Depth) -> str:
    """The command that measures this again: all of it if every plan is done, otherwise one ladder up to its last stage."""
    families = [[family.plan.family for family in game.families] for game in depth.games]
    if all(family.is_done for game in depth.games for family in game.families):
        climbing = families[0] if all(one == families[0] for one in families) else []  # games that differ have the usual ones
        return f"the same numbers again: {_command([game.game for game in depth.games], climbing, depth.games[0].usual.plan)}"
    first = depth.games[0]
    command = _command([first.game], [first.usual.plan.family], first.usual.plan)
    return f"the same numbers for one ladder: {command} --stages {first.usual.stage}"


def _command(games: list[str], families: list[str], plan: Plan) -> str:
    """The command that climbs these ladders by this plan, as a shell takes it."""
    words = ["ludometer", "depth", *games, *(word for family in families for word in ("--family", family))]
    words += ["--rungs", str(plan.most_rungs), "--games", str(2 * plan.most_pairs), "--seed", str(plan.seed)]
    if plan.opening_plies != OPENING_PLIES:
        words += ["--opening-plies", str(plan.opening_plies)]
    if plan.ply_limit is not None:
        words += ["--limit", str(plan.ply_limit)]
    if plan.perfect is None:
        words.append("--no-perfect")  # also where the game has been solved meanwhile
    elif tables := tables_of(plan.perfect):
        words += ["--tables", tables]
    return shlex.join(words)


def depth_html(depth: Depth) -> str:
    """A table for a notebook."""
    heads = "".join(f"<th>{escape(cell)}</th>" for cell in HEAD)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in _row(game, family)) + "</tr>"
        for game in depth.games
        for family in game.families
    )
    meanings = "".join(f"<li><b>{escape(name)}</b>: {escape(text)}</li>" for name, text in MEANINGS.items())
    said = "".join(f"<p>{escape(line)}</p>" for line in [*comparison_text(depth).splitlines(), *endings(depth)])
    return f"<div><table><tr>{heads}</tr>{rows}</table><ul>{meanings}</ul>{said}</div>"


# ---- pictures ----


def depth_plot(depth: Depth, path: str | None = None) -> Figure:
    """Above, strength against positions visited for every game and family; below, the numbers that games are compared by."""
    from matplotlib.figure import Figure

    from ludometer.view.figures import GRID, entitle, plain, save

    ladders = [(game, family) for game in depth.games for family in game.families]
    figure = Figure(figsize=(9.0, 5.6 + 0.28 * len(ladders)), layout="constrained")
    above, below = figure.subfigures(2, 1, squeeze=False, height_ratios=(4.2, 1.2 + 0.28 * len(ladders)))[:, 0]
    axes = above.subplots()
    plain(axes)
    _curves(axes, depth)
    axes.grid(True, color=GRID, linewidth=0.7)
    panels = below.subplots(1, 3, sharey=True)
    for place, (panel, what) in enumerate(zip(panels, ("rungs 0.6", "mastery 90", "range"))):
        plain(panel)
        _forest(panel, ladders, what)
        panel.xaxis.grid(True, color=GRID, linewidth=0.7)
        if place == 0:
            panel.set_yticks(
                range(len(ladders)), [f"{short_spec(game.game)}, {family.plan.family}" for game, family in ladders], fontsize=8.5
            )
            panel.invert_yaxis()
        else:
            panel.tick_params(labelleft=False)
    entitle(figure, f"Depth of {', '.join(short_spec(game.game) for game in depth.games)}")
    if path is not None:
        save(figure, path)
    return figure


def _curves(axes: Axes, depth: Depth) -> None:
    places: list[float] = []
    for number, game in enumerate(depth.games):
        colour = SERIES[number % len(SERIES)]
        for style, family in enumerate(game.families):
            xs = [0.0, *family.positions]
            rows = [(elo, one.low, one.high) for elo, one in zip(family.curve.elo, family.curve.intervals)]
            face: dict[str, Any] = {"markerfacecolor": "white"} if style else {}
            label = f"{short_spec(game.game)}, {family.plan.family}"
            error_curve(
                axes,
                xs,
                rows,
                color=colour,
                marker=MARKERS[number % len(MARKERS)],
                linestyle=("-", "--", ":")[style % 3],
                label=label,
                **face,
            )
            places += xs
            if family.plan.perfect:
                axes.axhline(family.curve.asymptote, color=colour, linewidth=1.0, linestyle=("-", "--", ":")[style % 3], alpha=0.45)
    scale_resources(axes, places)
    axes.set_xlabel("positions visited per decision")
    axes.set_ylabel("strength in Elo, random = 0")
    seeds = sorted({family.plan.seed for game in depth.games for family in game.families})
    said = f"95 % bootstrap intervals; seed {', '.join(map(str, seeds))}"
    if any(family.plan.perfect for game in depth.games for family in game.families):
        said += "; horizontal lines: perfect play"
    axes.set_title(said, fontsize=8.5, color=INK, loc="left")
    axes.legend(frameon=False, fontsize=9, loc="lower right")


def curves_figure(document: Mapping[str, Any]) -> Figure:
    """Strength against positions visited, of the document of a `Depth` (a store keeps nothing else of it)."""
    from ludometer.view.figures import GRID, entitle, new_figure

    figure, (axes,) = new_figure(1, 1, 9.0, 5.2)
    places: list[float] = []
    for number, game in enumerate(document["games"]):
        for style, family in enumerate(game["families"]):
            xs = [row["positions"] for row in family["curve"]]
            rows = [(row["elo"], row["interval"][0], row["interval"][1]) for row in family["curve"]]
            options: dict[str, Any] = {"color": SERIES[number % len(SERIES)], "marker": MARKERS[number % len(MARKERS)]}
            options |= {"linestyle": ("-", "--", ":")[style % 3]} | ({"markerfacecolor": "white"} if style else {})
            error_curve(axes, xs, rows, label=f"{short_spec(game['game'])}, {family['family']}", **options)
            places += xs
    scale_resources(axes, places)
    axes.set_xlabel("positions visited per decision")
    axes.set_ylabel("strength in Elo, random = 0")
    axes.grid(True, color=GRID, linewidth=0.7)
    axes.legend(frameon=False, fontsize=9, loc="lower right")
    entitle(figure, f"Depth of {', '.join(short_spec(game['game']) for game in document['games'])}")
    return figure


def _forest(panel: Axes, ladders: list[tuple[GameDepth, FamilyDepth]], what: str) -> None:
    """An interval for each ladder; an arrow where it is open."""
    names = list(dict.fromkeys(game.game for game, _ in ladders))
    found = [family.interval(what) for _, family in ladders]
    highest = max(
        [one.high for one in found if one is not None and isfinite(one.high)] + [one.low for one in found if one is not None], default=1.0
    )
    far = 1.25 * highest if what != "mastery 90" else 4 * highest
    for place, ((game, _), interval) in enumerate(zip(ladders, found)):
        colour = SERIES[names.index(game.game) % len(SERIES)]
        if interval is None:
            panel.text(0.5, place, "none shown", transform=panel.get_yaxis_transform(), ha="center", va="center", fontsize=8, color=colour)
            continue
        low = max(interval.low, 0.5) if what == "mastery 90" else interval.low
        panel.plot([low, min(interval.high, far)], [place, place], color=colour, linewidth=4, solid_capstyle="butt", alpha=0.85)
        panel.plot(
            [low] if interval.high == inf else [low, interval.high],
            [place] if interval.high == inf else [place, place],
            "|",
            color=colour,
            markersize=10,
        )
        if interval.high == inf:
            panel.plot([far], [place], marker=">", color=colour, markersize=7)
    if what == "mastery 90":
        from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

        panel.set_xscale("log")
        is_short = far < 100 * min([max(one.low, 0.5) for one in found if one is not None], default=1.0)
        panel.xaxis.set_major_locator(LogLocator(subs=(1.0, 3.0) if is_short else (1.0,), numticks=5))
        panel.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        panel.xaxis.set_minor_formatter(NullFormatter())
    panel.set_xlabel({"rungs 0.6": "N(0.6), rungs", "mastery 90": "c90, positions per decision", "range": "range, Elo"}[what], fontsize=9)
    panel.tick_params(labelsize=8.5)
    panel.set_ylim(len(ladders) - 0.5, -0.5)
