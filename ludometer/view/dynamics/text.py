"""Results as text for people."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ludometer.dynamics.payoffs import names_of
from ludometer.games.matrix.bimatrix import Bimatrix, format_payoff

if TYPE_CHECKING:
    from ludometer.dynamics.dominance import Reduction
    from ludometer.dynamics.equilibria import Equilibria, Equilibrium
    from ludometer.dynamics.learners import End, LearnerRuns
    from ludometer.dynamics.portrait import Portrait
    from ludometer.dynamics.rest_points import RestPoint

_MOST_LISTED = 40  # equilibria, rest points or sets; JSON has them all


def as_html(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>"


def heading(game: Bimatrix, spec: str) -> str:
    """The game and its payoff table, which is shown before anything is computed."""
    title = f"{game.title} ({spec})" if game.title else spec
    return f"{title}\n\n{table_text(game)}\n"


def table_text(game: Bimatrix) -> str:
    """The payoff table for people: row,column payoffs in every cell."""
    rows, columns = names_of(game)
    cells = [[f"{format_payoff(a)},{format_payoff(b)}" for a, b in zip(*pair)] for pair in zip(game.row_payoffs, game.column_payoffs)]
    left = max(map(len, rows))
    width = 2 + max(len(text) for text in columns + [cell for row in cells for cell in row])
    lines = [" " * left + "".join(f"{name:>{width}}" for name in columns)]
    lines += [f"{name:>{left}}" + "".join(f"{cell:>{width}}" for cell in row) for name, row in zip(rows, cells)]
    return "\n".join(lines)


def portrait_text(portrait: Portrait) -> str:
    """Everything below the payoff table."""
    parts = [equilibria_text(portrait.equilibria), dominance_text(portrait), rest_points_text(portrait)]
    if portrait.fictitious is not None:
        parts.append(fictitious_text(portrait))
    if portrait.runs is not None:
        parts.append(learners_text(portrait.runs, portrait.ends))
    return "\n\n".join(parts)


def equilibria_text(found: Equilibria) -> str:
    rows, columns = names_of(found.game)
    left = [mixture_text(one.row, rows) for one in found.found]
    right = [mixture_text(one.column, columns) for one in found.found]
    widths = max(map(len, left)), max(map(len, right))
    isolated = sum(component.isolated for component in found.components)
    lines = [f"Nash equilibria: {_count_text(len(found), isolated, len(found.components) - isolated)}"]
    for number, one in enumerate(found.found[:_MOST_LISTED]):
        paid = ", ".join(map(str, one.payoffs))
        said = "; ".join(remarks(one))
        lines.append(f"{number + 1:>4}  {left[number]:<{widths[0]}}  |  {right[number]:<{widths[1]}}   pays {paid}   {said}".rstrip())
    lines += _left_out(len(found))
    for place, component in enumerate(found.components):
        if not component.isolated:
            lines += _component_lines(found, place)
    if found.value is not None and found.total is not None:
        kind = "zero-sum" if found.total == 0 else f"constant-sum ({format_payoff(found.total)})"
        lines.append(f"{kind}: the value for the row player is {format_payoff(found.value)}, by linear programme too")
    if found.degenerate:
        lines.append("degenerate: some mixture has more best replies than actions in use")
    return "\n".join(lines)


def _count_text(extreme: int, isolated: int, sets: int) -> str:
    if not sets:
        return f"{extreme}, isolated" if extreme == 1 else f"{extreme}, all isolated"
    alone = f"{isolated} isolated and " if isolated else ""
    return f"infinitely many: {alone}{sets} connected set{'s' if sets > 1 else ''}, with {extreme} extreme points in all"


def _left_out(count: int) -> list[str]:
    return [f"      … and {count - _MOST_LISTED} more; --json lists all"] if count > _MOST_LISTED else []


def remarks(one: Equilibrium, name: Callable[[int], str] = lambda number: str(number + 1)) -> list[str]:
    """Whether an equilibrium is efficient and stable; `name` says how others are called, by default by their numbers from 1."""
    said = []
    if one.pareto_lotteries:
        said.append("Pareto-optimal")
    elif one.pareto:
        said.append("Pareto-optimal among cells, not among lotteries")
    else:
        said.append("not Pareto-optimal")
    if one.dominated_by:
        said.append(
            "worse than " + ", ".join(name(number) for number in one.dominated_by[:8]) + (", …" if len(one.dominated_by) > 8 else "")
        )
    if one.stable is not None:
        said.append("evolutionarily stable" if one.stable else "not evolutionarily stable")
    return said


def _component_lines(found: Equilibria, place: int) -> list[str]:
    component = found.components[place]
    rows, columns = names_of(found.game)
    members = ", ".join(str(number + 1) for number in component.members[:12]) + (", …" if len(component.members) > 12 else "")
    lines = [f"      equilibria {members} hang together:"]
    for part in component.sets[:_MOST_LISTED]:
        sides = [" ~ ".join(mixture_text(point, names) for point in side) for side, names in ((part.rows, rows), (part.columns, columns))]
        lines.append(f"        every mixture of  {sides[0]}  against every mixture of  {sides[1]}")
    return lines + (_left_out(len(component.sets)) or ([] if component.complete else ["        … and more sets than are listed"]))


def mixture_text(strategy: Sequence[Fraction], names: Sequence[str]) -> str:
    """`O`, or `3/5 O + 2/5 M`; actions without names are `#1`, `#2`, …"""
    used = [(share, f"#{name}" if name.isdigit() else name) for share, name in zip(strategy, names) if share]
    return used[0][1] if len(used) == 1 else " + ".join(f"{share} {name}" for share, name in used)


def dominance_text(portrait: Portrait) -> str:
    """The elimination of dominated strategies."""
    reduction = portrait.reduction
    adverb = {"strict": "strictly", "weak": "weakly"}[reduction.kind]
    if not reduction.steps:
        return f"No strategy is {adverb} dominated."
    lines = reduction_text(reduction).splitlines()
    return f"Elimination of {adverb} dominated strategies:\n" + "\n".join(f"  {line}" for line in lines)


def reduction_text(reduction: Reduction) -> str:
    """The eliminated strategies, one in a line, and what is left."""
    names = names_of(reduction.game)
    verb = "earns less than" if reduction.kind == "strict" else "never earns more than, and somewhere less than,"
    lines = [
        f"{number}. the {('row', 'column')[step.player]} player's {names[step.player][step.action]} {verb} "
        f"{mixture_text(step.by, names[step.player])}"
        for number, step in enumerate(reduction.steps, 1)
    ]
    left = [" ".join(side[action] for action in kept) for side, kept in zip(names, (reduction.rows, reduction.columns))]
    return "\n".join([*lines, f"left: {left[0]} against {left[1]}"])


def rest_points_text(portrait: Portrait) -> str:
    field = portrait.field
    names = names_of(portrait.game)
    kind = "lenient " * (field.kappa > 1) + {"boltzmann": "Boltzmann"}.get(field.kind, field.kind)
    settings = [f"τ = {field.tau:g}"] * (field.kind == "boltzmann") + [f"κ = {field.kappa}"] * (field.kappa > 1)
    settings.append("one population" if field.populations == 1 else "two populations")
    lines = [f"Rest points of {kind} dynamics, {', '.join(settings)}:"]
    cells = [
        (
            point_text(point, 0, names[0]),
            point_text(point, 1, names[1]),
            point.kind,
            " ".join(map(eigenvalue_text, point.eigenvalues)),
            "Nash" if point.nash else f"not Nash: a best reply gains {point.gain:.4g}",
        )
        for point in portrait.rest_points[:_MOST_LISTED]
    ]
    widths = [max((len(cell[column]) for cell in cells), default=0) for column in range(4)]
    for cell in cells:
        lines.append("  " + "   ".join(text.ljust(width) for text, width in zip(cell, widths)) + "   " + cell[4])
    lines += _left_out(len(portrait.rest_points))
    if not portrait.rest_points_complete:
        lines.append(
            "  (those found by a search; there may be more)"
            if field.kind != "replicator" or field.kappa > 1
            else "  (pure profiles and equilibria only)"
        )
    if portrait.rest_sets:
        lines.append(f"  and {len(portrait.rest_sets)} sets of rest points that do not stand alone; --json lists their corners")
    return "\n".join(lines)


def point_text(point: RestPoint, side: int, names: Sequence[str]) -> str:
    if point.exact is not None:
        return mixture_text(point.exact[-side], names)
    part = point.row if side == 0 else point.column
    return " + ".join(f"{share:.4f} {name}" for share, name in zip(part, names) if share > 0)


def eigenvalue_text(value: complex) -> str:
    if value.imag == 0:
        return f"{value.real:.4g}"
    real = f"{value.real:.4g}" if value.real else ""
    return f"{real}{value.imag:+.4g}i"


def fictitious_text(portrait: Portrait) -> str:
    """How often each action has been chosen in fictitious play."""
    from ludometer.dynamics.equilibria import nash_conv

    assert portrait.fictitious is not None
    last = portrait.fictitious.states[-1]
    size = len(portrait.game.row_labels)
    names = names_of(portrait.game)
    sides = [
        " + ".join(f"{share:.4f} {name}" for share, name in zip(part, side) if share)
        for part, side in zip((last[:size], last[size:]), names)
    ]
    gain = sum(nash_conv(portrait.game, last[:size].tolist(), last[size:].tolist()))
    head = f"Fictitious play from ({names[0][0]},{names[1][0]}), frequencies after {portrait.rounds:,} rounds (NashConv {gain:.4g}):"
    return f"{head}\n  {sides[0]}   |   {sides[1]}"


def learners_text(runs: LearnerRuns, ends: Sequence[End]) -> str:
    settings = runs.settings
    shown: list[Any] = [f"α = {settings.alpha:g}"]
    if settings.kind == "faq":
        shown.append(f"β = {settings.beta:g}")
    if settings.kind != "cross":
        shown.append(f"γ = {settings.gamma:g}")
    if settings.kind == "greedy":
        first, last, growth = settings.epsilon
        shown.append(f"ε = {first:g}" if not growth else f"ε = {last:g} + {first - last:g}·e^({growth:g}k)")
    if settings.kind in ("faq", "boltzmann"):
        first, last, fall = settings.temperature
        shown.append(f"τ = {first:g}" if not fall else f"T from {first:g} by {fall:g} to {last:g}")
    if settings.printed:
        shown.append("formulas as printed")
    clock = "" if settings.kind == "greedy" else f" (to time {runs.clock * runs.episodes:.4g})"
    played = f"{runs.episodes:,} episodes{clock}, seed {runs.seed}"
    head = f"{runs.runs:,} pairs of learners, {settings.title}, {', '.join(shown)}, {played}, end at"
    width = max(len(end.label) for end in ends)
    lines = [head]
    for end in ends:
        gain = "" if end.gains is None else f"   NashConv {sum(end.gains):.4g}"
        low, high = end.interval
        lines.append(f"  {end.label:<{width}}  {end.share:7.1%}   95 % interval {low:.1%} to {high:.1%}{gain}")
    row, column = runs.earned.mean(axis=0)
    lines.append(f"  mean payoffs over the last tenth: row {row:.4g}, column {column:.4g}")
    return "\n".join(lines)


def gains_text(game: Bimatrix, profile: tuple[Sequence[Any], Sequence[Any]]) -> str:
    """What both players could gain at a profile."""
    from ludometer.dynamics.equilibria import nash_conv

    rows, columns = names_of(game)
    mine, theirs = nash_conv(game, *profile)
    where = f"{mixture_text(profile[0], rows)} | {mixture_text(profile[1], columns)}"
    verdict = "a Nash equilibrium" if not mine + theirs else "not a Nash equilibrium"
    return f"at {where}: a best reply gains the row player {mine}, the column player {theirs}; NashConv {mine + theirs}: {verdict}"
