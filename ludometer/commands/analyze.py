"""`ludometer analyze`: what a solution says about a game as a whole."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ludometer.commands.output import GameSpec, Json, ending_on_interrupt, find_game, print_json, say
from ludometer.commands.solve import Tables, print_histogram, start_text


def analyze(
    game: GameSpec,
    plot: Annotated[str | None, typer.Option(metavar="FILE", help="draw wins, losses and draws by class (png, svg or pdf)")] = None,
    distances: Annotated[str | None, typer.Option(metavar="FILE", help="draw how long wins and losses take (png, svg or pdf)")] = None,
    tables: Tables = "",
    json: Json = False,
) -> None:
    """Count wins, losses and draws in each class of positions, and by the number of moves they take."""
    chosen = find_game(game)
    from ludometer.core.files import check_outputs
    from ludometer.solve import classes as count_classes
    from ludometer.solve import solution_for
    from ludometer.view import plots

    check_outputs(plot, distances)
    for file in (plot, distances):
        if file is not None:
            plots.check_format(file)
    with ending_on_interrupt():
        solution = solution_for(chosen, tables or None)
    summary = solution.summary()
    classes = count_classes(solution)
    histogram = summary["histogram"]
    if plot is not None:
        plots.save(plots.class_figure(chosen.spec, classes), plot)
    if distances is not None:
        plots.save(plots.distance_figure(chosen.spec, histogram), distances)
    if json:
        totals = {key: summary[key] for key in ("game", "states", "win", "loss", "draw", "start", "histogram")}
        print_json({**totals, "classes": classes})
        return
    print(f"{chosen.spec}: {summary['states']:,} positions; start: {start_text(summary['start'])}")
    _print_classes(classes)
    print()
    print_histogram(histogram)
    for file in (plot, distances):
        if file is not None:
            say(f"drawn in {file}")


def _print_classes(classes: list[dict[str, Any]]) -> None:
    """One line for each class."""
    heads = list(classes[0])
    cells = [heads, *([f"{row[head]:,}" if row[head] is not None else "" for head in heads] for row in classes)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(heads))]
    for line in cells:
        print("  ".join(text.rjust(width) for text, width in zip(line, widths)))
