"""`ludometer analyze`: what a solution says about a game as a whole."""

from __future__ import annotations

from typing import Annotated

import typer

from ludometer.commands.output import GameSpec, Json, ending_on_interrupt, find_game, print_json, say
from ludometer.commands.progress import shown_progress
from ludometer.commands.solve import Tables


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
    from ludometer.solvers import solution_for
    from ludometer.view import figures
    from ludometer.view.results import solution_plots
    from ludometer.view.results.solution_documents import analysis_document
    from ludometer.view.results.solutions import analysis_text

    check_outputs(plot, distances)
    for file in (plot, distances):
        if file is not None:
            figures.check_format(file)
    with shown_progress("solving", "entries") as progress, ending_on_interrupt():
        solution = solution_for(chosen, tables or None, need_values=False, progress=progress)
    document = analysis_document(solution)
    if plot is not None:
        figures.save(solution_plots.class_figure(chosen.spec, document["classes"]), plot)
    if distances is not None:
        figures.save(solution_plots.distance_figure(chosen.spec, document["histogram"]), distances)
    if json:
        print_json(document)
        return
    print(analysis_text(document))
    for file in (plot, distances):
        if file is not None:
            say(f"drawn in {file}")
