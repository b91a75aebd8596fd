"""Exact answers: counts, values and distances.

    solution = solve("quixo:4")                    # in memory
    solution = solve("quixo:4", tables=folder)     # kept on disk, resumed after a kill
    solution.probe(position).best
    forecast("quixo:5").memory                     # what it will take

Which solver answers depends on the game: `tiles` for games of tiles that can repeat, `acyclic` for games that cannot.  Shared modules:

    routing, solver                        which solver answers, and what a solver is; a further one joins `routing.SOLVERS`
    options                                what solving and verifying can be asked for, and what each solver supports
    solving, solution_cache, forecasts     the functions below; importing them loads no compiler
    solvable                               which games can be solved, and where their tables lie
    solution                               what every solution can be asked
    files/                                 tables on disk
    verification                           checking tables again
    task_graph, background                 work in the order of its dependencies, and work that can be stopped
    perft                                  counting move sequences
"""

from ludometer.solvers.forecasts import Forecast, check_room, forecast
from ludometer.solvers.memory import physical_memory
from ludometer.solvers.options import OptionError, SolveOptions
from ludometer.solvers.routing import predecessors
from ludometer.solvers.solution_cache import open_solution, solution_for
from ludometer.solvers.solvable import is_solvable
from ludometer.solvers.solving import solve

__all__ = [
    "Forecast",
    "OptionError",
    "SolveOptions",
    "check_room",
    "forecast",
    "is_solvable",
    "open_solution",
    "physical_memory",
    "predecessors",
    "solution_for",
    "solve",
]
