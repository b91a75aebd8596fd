"""Learning curves, and logit equilibria over the temperature."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.dynamics.fields import Array
from ludometer.dynamics.learners import LearnerRuns
from ludometer.dynamics.payoffs import names_of
from ludometer.view.boards.theme import EQUILIBRIUM, FIRST, GRID, INK, LINES, SECOND

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ludometer.dynamics.portrait import Portrait

ACTION_STYLES = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))
_GREEDY_POINTS, _POLICY_POINTS = 80, 200  # times at which runs are drawn


def _panels(rows: int, columns: int, width: float, height: float, ratios: list[float]) -> tuple[Figure, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, sharex="col", height_ratios=ratios)
    for one in axes.flat:
        one.set_axisbelow(True)
        one.yaxis.grid(True, color=GRID, linewidth=0.6)
        for side in ("top", "right"):
            one.spines[side].set_visible(False)
    return figure, axes


def curves_figure(runs: LearnerRuns) -> Figure:
    """Probabilities of both players' actions over the episodes: of one pair of learners, and on average, with ε or T below."""
    scheduled = runs.settings.kind == "greedy" or (runs.settings.kind == "boltzmann")
    ratios = [1.0, 1.0, 0.4] if scheduled else [1.0, 1.0]
    figure, axes = _panels(len(ratios), 2, 10.0, 7.0 if scheduled else 6.0, ratios)
    times, states = smoothed(runs)
    episodes = times / runs.clock
    what = "share of choices" if runs.settings.kind == "greedy" else "probability"
    begin = 0
    for player, names in enumerate(names_of(runs.game)):
        for panel, kept, who in ((0, states[0], "one pair"), (1, states.mean(axis=0), f"mean of {runs.runs:,} pairs")):
            for action, name in enumerate(names):
                axes[panel, player].plot(
                    episodes,
                    kept[:, begin + action],
                    color=LINES[action % len(LINES)],
                    linestyle=ACTION_STYLES[action % 4],
                    linewidth=1.8,
                    label=name,
                )
            axes[panel, player].set_ylim(-0.03, 1.03)
            axes[panel, player].set_ylabel(f"{what}\n({who})", fontsize=10)
        axes[0, player].set_title(("row player", "column player")[player], fontsize=12, color=INK)
        axes[0, player].legend(title="action", frameon=False, fontsize=10, loc="center left", bbox_to_anchor=(1.0, 0.5))
        if scheduled:
            _schedule(axes[2, player], runs)
        axes[-1, player].set_xlabel("episode")
        begin += len(names)
    title = runs.game.title or "payoffs " + runs.game.to_text()[:40]
    figure.suptitle(f"{title}: {runs.settings.title}", color=INK, fontsize=13, fontweight="bold")
    return figure


def smoothed(runs: LearnerRuns) -> tuple[Array, Array]:
    """Times and states of all runs as they are drawn: policies at some hundred times, or, of ε-greedy learners, shares of choices between.

    Means over neighbouring marks, so that a picture shows where learners go and not each of their steps.
    """
    greedy = runs.settings.kind == "greedy"
    kept, times = (runs.frequency[:, 1:], runs.times[1:]) if greedy else (runs.policy, runs.times)
    block = max(1, len(times) // (_GREEDY_POINTS if greedy else _POLICY_POINTS))
    count = len(times) // block
    if block == 1:
        return times, kept.astype(float)
    states = kept[:, len(times) - count * block :].reshape(len(kept), count, block, -1).mean(axis=2, dtype=np.float64)
    middle = times[len(times) - count * block :].reshape(count, block).mean(axis=1)
    if greedy:
        return middle, states
    return np.append(times[:1], middle), np.concatenate([kept[:, :1].astype(float), states], axis=1)


def _schedule(axes: Axes, runs: LearnerRuns) -> None:
    """How exploration falls."""
    steps = np.linspace(0, runs.episodes, 401)
    if runs.settings.kind == "greedy":
        first, last, growth = runs.settings.epsilon
        axes.plot(steps, np.minimum(1, last + (first - last) * np.exp(growth * steps)), color=INK)
        axes.set_ylim(0, 1.05)
        axes.set_ylabel("ε", fontsize=11)
    else:
        first, last, fall = runs.settings.temperature
        axes.plot(steps, np.maximum(last, first - fall * steps), color=INK)
        axes.set_ylim(bottom=0)
        axes.set_ylabel("T", fontsize=11)


def bifurcation_figure(portrait: Portrait) -> Figure:
    """Logit equilibria over the temperature τ: all of them where a player has two actions, else the principal branch."""
    from matplotlib.figure import Figure

    field = portrait.field
    figure = Figure(figsize=(8.0, 5.6), layout="constrained")
    axes = figure.subplots()
    axes.set_axisbelow(True)
    axes.yaxis.grid(True, color=GRID, linewidth=0.6)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    low, high = min(row["tau"] for row in portrait.logit), 5 * field.spread
    names = names_of(portrait.game)
    if field.sizes[0] == 2:
        _all_points(axes, portrait.logit)
        axes.set_ylabel(f"row player: probability of {names[0][0]}", fontsize=11)
    else:
        taus = [row["tau"] for row in portrait.logit]
        for action, name in enumerate(names[0]):
            colour, style = LINES[action % len(LINES)], ACTION_STYLES[action % 4]
            shares = [row["state"][action] for row in portrait.logit]
            axes.plot(taus, shares, color=colour, linestyle=style, linewidth=2, label=f"probability of {name}")
        axes.set_ylabel("row player: probability", fontsize=11)
    for number, one in enumerate(portrait.equilibria):
        for share in one.row if field.sizes[0] > 2 else one.row[:1]:
            label = "Nash equilibria (τ → 0)" if number == 0 and share == one.row[0] else None
            axes.plot(
                [low], [float(share)], "*", color=EQUILIBRIUM, markeredgecolor=INK, markersize=16, clip_on=False, zorder=5, label=label
            )
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    axes.set_ylim(-0.03, 1.03)
    axes.set_xlabel("temperature τ", fontsize=11)
    axes.legend(frameon=False, fontsize=10, loc="best")
    what = "all logit equilibria" if field.sizes[0] == 2 else "the principal branch of logit equilibria"
    leniency = f", κ = {field.kappa}" if field.kappa > 1 else ""
    figure.suptitle(
        f"{portrait.game.title or 'payoffs ' + portrait.game.to_text()[:40]}: {what}{leniency}", color=INK, fontsize=13, fontweight="bold"
    )
    return figure


def _all_points(axes: Axes, rows: list[dict[str, Any]]) -> None:
    styles: tuple[tuple[bool, str, dict[str, Any]], ...] = (
        (True, "stable (sink)", {"color": FIRST, "marker": "o", "markersize": 4}),
        (False, "not stable", {"color": "white", "markeredgecolor": SECOND, "marker": "s", "markersize": 4}),
    )
    for stable, label, style in styles:
        chosen = [row for row in rows if (row["kind"] == "sink") == stable]
        if chosen:
            axes.plot([row["tau"] for row in chosen], [row["state"][0] for row in chosen], linestyle="", label=label, **style)
