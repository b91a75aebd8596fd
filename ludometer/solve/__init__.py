"""Exact answers: counts, values and distances.

    solution = solve("quixo:4")                    # in memory
    solution = solve("quixo:4", tables=folder)     # kept on disk, resumed after a kill
    solution.probe(position).best
    forecast("quixo:5").memory                     # what it will take

Which solver answers depends on the game: `tiles` for games of tiles that can go round in circles, `acyclic` for games that never come
back to a position.  What both share stands here:

    solving, opening, forecasts, reach, before     what the functions below do; no compiler is loaded for importing them
    solution                               what every solution can be asked
    table_files, table_folders, locking    tables on disk
    verification                           checking tables again
    tasks, watching                        work in the right order, and work that can be stopped
    perft                                  counting move sequences

`lm.solve` is the function; this package is what `from ludometer.solve import …` reads.
"""

from ludometer.solve.before import predecessors
from ludometer.solve.forecasts import Forecast, check_room, forecast
from ludometer.solve.memory import physical_memory
from ludometer.solve.opening import open_solution, solution_for
from ludometer.solve.reach import is_solvable
from ludometer.solve.solving import solve

__all__ = ["Forecast", "check_room", "forecast", "is_solvable", "open_solution", "physical_memory", "predecessors", "solution_for", "solve"]
