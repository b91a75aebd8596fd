"""`ludometer perft`: count move sequences."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from ludometer.commands.output import GameSpec, Json, ending_on_interrupt, find_game, print_json

DEEPEST = 1000


def perft(
    game: GameSpec,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", help="length of the sequences", min=0, max=DEEPEST)],
    position: Annotated[str, typer.Option(metavar="POSITION", help="where they begin")] = "start",
    divide: Annotated[bool, typer.Option("--divide", help="also count separately for each first move")] = False,
    json: Json = False,
) -> None:
    """Count the move sequences of exactly DEPTH moves."""
    chosen = find_game(game)
    from ludometer.solvers.perft import perft as count

    begin = chosen.position(position)
    since = time.perf_counter()
    with ending_on_interrupt():
        parts = {move: count(after, depth - 1) for move, after in begin.children()} if divide and depth else {}
        nodes = sum(parts.values()) if divide and depth else count(begin, depth)
    seconds = time.perf_counter() - since
    if json:
        answer = {"game": chosen.spec, "position": str(begin), "depth": depth, "nodes": nodes, "seconds": seconds}
        print_json({**answer, "divide": parts} if divide else answer)
        return
    for move, number in parts.items():
        print(f"{move}: {number:,}")
    print(f"{chosen.spec} depth {depth}: {nodes:,} sequences in {seconds:.2f} s")
