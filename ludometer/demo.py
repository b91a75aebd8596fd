"""`python -m ludometer.demo`: the main job at a small size; pictures, records and data go to ./demo-output.

Quixo on 3×3 and 4×4 boards is solved completely, and perfect players show the shortest win from the empty board.  Then the scales of
both games are measured, one game is said to be deeper than the other, and an agent is placed on a scale.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from ludometer.agents.optimal import OptimalAgent
from ludometer.arena.experiments.depth import Depth, depth
from ludometer.arena.experiments.rating import RatingResult, budget_text, rate
from ludometer.arena.experiments.scale_documents import GameScale
from ludometer.arena.play.playing import play_game
from ludometer.arena.work.execution import Execution
from ludometer.commands.progress import shown_progress
from ludometer.core.errors import LudometerError
from ludometer.core.files import write_text
from ludometer.core.record import Record
from ludometer.core.text import short_spec
from ludometer.games import game
from ludometer.solvers import solve
from ludometer.solvers.solution import Solution
from ludometer.view import figures
from ludometer.view.boards.gallery import gallery
from ludometer.view.boards.terminal import position_text, wants_colour
from ludometer.view.results import solution_plots
from ludometer.view.results.scales import comparison_text, level_text
from ludometer.view.results.solutions import histogram_lines, start_text

FOLDER = Path("demo-output")
SEED = 1
SOLVED = ("quixo:3", "quixo:4")
PRECISION = 0.6  # levels
RUNGS = 13
RATED = "alphabeta:3"
BOARDS_IN_A_ROW = 5

NEXT = (
    (".venv/bin/ludometer play quixo:4 --first human --second mcts:1000", "play against tree search"),
    (".venv/bin/ludometer depth quixo:4 mnk:5,5,4 ultimate --budget 5min", "compare other games"),
    (".venv/bin/ludometer rate quixo:4 mcts:200 alphabeta:4", "place other agents"),
    (".venv/bin/ludometer report examples/connect_three.py --out card.html", "the card of a game of your own"),
)

# Caption, game, position and the move that follows: boards in the middle of a game.
GALLERY = (
    ("Quixo", "quixo:5", "OX.XO/O...O/X..../....X/XX.OX x", "A3>top"),
    (
        "Ultimate Tic-Tac-Toe",
        "ultimate",
        "X.OO..X../.X.XXX.O./..XO...XO/O.OX.O.../.X..XO.X./..X...O../XX..O.X../O...X...O/.OO.X.... o B2",
        "B2/A3",
    ),
    ("m,n,k", "mnk:7,7,5", "......./..O..../.XXO.../.OXXO../..O.X../...X.O./....... x", "B2"),
    (
        "Dots-and-Boxes",
        "dots:5x5",
        "--.--/|a|b|_|a|_./--.-./._._|_|a|_./-..-./|b|_._|_._|/-.---/._._|b|a|b|/.----/._|b|b|b|a|/----- b",
        "E3-E4",
    ),
)


def draw_gallery() -> str:
    """The picture of several games side by side."""
    boards = [(caption, game(spec).position(position).play(move)) for caption, spec, position, move in GALLERY]
    return gallery(boards, title="Boards of " + ", ".join(caption for caption, _ in boards))


def solve_and_draw(spec: str) -> Solution:
    """Solve a game in memory, print what there is to count and draw it."""
    with shown_progress(f"solving {spec}", "entries") as progress:
        solution = solve(spec, progress=progress)
    summary = solution.summary()
    parts = ", ".join(f"{name} {summary[name]:,}" for name in ("win", "loss", "draw"))
    print(f"{summary['states']:,} positions in {summary['seconds']:.1f} s: {parts}")
    print(f"the player who begins: {start_text(summary['start'])} moves")
    print("\n".join(histogram_lines(summary["histogram"])))
    name = spec.replace(":", "-")
    drawn = [
        figures.save(solution_plots.class_figure(spec, solution.classes()), FOLDER / f"{name}-classes.png"),
        figures.save(solution_plots.distance_figure(spec, summary["histogram"]), FOLDER / f"{name}-distances.png"),
    ]
    print(f"see {' and '.join(map(str, drawn))}")
    return solution


def show_shortest_win(spec: str, solution: Solution) -> Record:
    """Perfect play by both sides from the first position: one side wins as fast, the other loses as slowly as can be."""
    perfect = OptimalAgent(game(spec), "optimal:steps", steps=True, blunder=0.0, tables="", solution=solution)
    record = play_game(spec, perfect, perfect, seed=SEED)
    colour = wants_colour(sys.stdout)
    for begin in range(0, len(record.positions), BOARDS_IN_A_ROW):
        row = record.positions[begin : begin + BOARDS_IN_A_ROW]
        print()
        print(_side_by_side([position_text(position, colour) for position in row], [position_text(position) for position in row]))
    print(f"{record.result} after {len(record.moves)} moves: {' '.join(record.moves)}")
    record.save(FOLDER / f"{spec.replace(':', '-')}-shortest-win.txt")
    return record


def _side_by_side(boards: list[str], plain: list[str]) -> str:
    """Boards beside each other; `plain` are the same ones without colours, which take no room."""
    widths = [max(map(len, board.splitlines())) for board in plain]
    lines = zip(*(zip(board.splitlines(), bare.splitlines()) for board, bare in zip(boards, plain)))
    return "\n".join("   ".join(text + " " * (width - len(bare)) for (text, bare), width in zip(line, widths)).rstrip() for line in lines)


def measure_depth() -> Depth:
    """The scales of both games, from random play to perfect play."""
    with shown_progress("playing", "games") as progress:
        found = depth(*SOLVED, precision=PRECISION, rungs=RUNGS, seed=SEED, execution=Execution(progress=progress))
    print(found)
    found.plot(str(FOLDER / "depth.png"))
    _write_json("depth.json", found.document())
    print(f"see {FOLDER / 'depth.png'}, and {FOLDER / 'depth.json'} for the data")
    return found


def rate_agent(scale: GameScale) -> RatingResult:
    """Where an agent stands on the scale of the larger game."""
    with shown_progress("playing", "games") as progress:
        found = rate(scale.game, RATED, scale=scale, seed=SEED, execution=Execution(progress=progress))
    print(found)
    found.plot(str(FOLDER / "levels.png"))
    return found


def conclusions(found: Depth, rated: RatingResult) -> list[str]:
    """What was found, in sentences."""
    one = rated.agents[0]
    strength = "above all rungs measured" if one.equivalent is None else f"as strong as {budget_text(one.equivalent)}"
    return [
        *(comparison_text(comparison) for comparison in found.comparisons),
        f"{one.agent} plays {short_spec(rated.scale.game)} at level {level_text(one.level)}, {strength}",
    ]


def _write_json(name: str, document: dict[str, Any]) -> None:
    write_text(FOLDER / name, json.dumps(document, indent=1) + "\n")


def main() -> None:
    """Solve, measure, print and draw."""
    since = time.perf_counter()
    FOLDER.mkdir(exist_ok=True)
    number = 0

    def announce(what: str) -> None:
        nonlocal number
        number += 1
        print(f"\n[{number}/{2 * len(SOLVED) + 2}] {what}", flush=True)

    for spec in SOLVED:
        announce(f"{spec}: every position, solved exactly")
        solution = solve_and_draw(spec)
        announce(f"{spec}: perfect play from the empty board")
        show_shortest_win(spec, solution)
    announce("depth: how many levels are there from random play to perfect play?")
    found = measure_depth()
    announce(f"{SOLVED[-1]}: where does {RATED} stand on its scale?")
    rated = rate_agent(next(one for one in found.games if one.game == SOLVED[-1]))
    print("\n" + "\n".join(conclusions(found, rated)))
    print(f"\ndone in {time.perf_counter() - since:.1f} s; try next")
    for command, what in NEXT:
        print(f"  {command:<{max(len(one) for one, _ in NEXT)}}  {what}")


if __name__ == "__main__":
    try:
        main()
    except LudometerError as error:
        sys.exit(f"ludometer: {error}")
