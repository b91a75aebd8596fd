"""Depth-first search: positions per second of processor time, what an evaluation costs, and how late timed moves come.

    python benchmarks/search.py

How late a move comes says something about the agents only on a machine with a processor to spare; the last rows show the longest pause
that the machine itself put in meanwhile as `peer`.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from ludometer.agents import agent
from ludometer.core import protocol
from ludometer.core.compiling.compilation import kernel
from ludometer.core.outcome import ONGOING
from ludometer.core.position import Position
from ludometer.core.protocol import searching
from ludometer.core.random import draw, stream
from ludometer.games import game
from ludometer.games.ultimate.evaluation import EVALUATIONS

ROUNDS = 5  # the fastest of these counts
LIMIT = 0.02  # seconds for a timed move
PLAYED = 300_000  # moves of random games, for the cost of an evaluation
MOVES = 12  # timed moves of each agent

# game, moves made before, agent
SEARCHES = (
    ("ultimate", ("B2/B2",), "alphabeta:9,shuffle=no"),
    ("quixo:5", (), "alphabeta:5,shuffle=no"),
    ("mnk:4,4,4", (), "alphabeta:16,shuffle=no"),
    ("mnk:5,5,4", (), "minimax:5,shuffle=no"),
    ("dots:3x3", (), "minimax:6,shuffle=no"),
    ("tictactoe", (), "minimax:9,shuffle=no"),
    ("dots:3x3", (), "alphabeta:9,shuffle=no,order=history"),
    ("quixo:4", (), "expectimax:5,cache=exact,symmetry=canonical,shuffle=no"),
)
TIMED = ("minimax", "alphabeta", "expectimax", "mcts")
TIMED_GAMES = ("tictactoe", "mnk:15,15,5", "ultimate", "quixo:5", "dots:9x9")
TOY = {
    "ROUNDS": 1,
    "SEARCHES": (("tictactoe", (), "minimax:2,shuffle=no"),),
    "TIMED": ("mcts",),
    "TIMED_GAMES": ("tictactoe",),
    "LIMIT": 0.001,
    "MOVES": 1,
    "PLAYED": 100,
}


def compare(rounds: int = ROUNDS) -> list[dict[str, Any]]:
    """Rows: millions of positions per second; nanoseconds per evaluation; milliseconds by which the latest timed move came late."""
    rows = []
    for spec, moves, searcher in SEARCHES:
        position = game(spec).start()
        for move in moves:
            position = position.play(move)
        speed = max(positions_per_second(position, searcher) for _ in range(rounds))
        rows.append({"name": f"{spec} {searcher} M/s", "ours": speed / 1e6, "peer": None, "ratio": None})
    for name in EVALUATIONS:
        cost = min(seconds_per_evaluation(name) for _ in range(rounds))
        rows.append({"name": f"ultimate {name} ns", "ours": 1e9 * cost, "peer": None, "ratio": None})
    for kind in TIMED:
        late, pause = latest(kind)
        rows.append({"name": f"{kind}:time={LIMIT} late ms", "ours": 1e3 * late, "peer": 1e3 * pause, "ratio": late / pause})
    return rows


def positions_per_second(position: Position, searcher: str) -> float:
    """Of the second search of a new game: the first one compiles, or loads, and takes memory from the system."""
    player = agent(searcher, position.game).player(position)
    player.choose(position, stream(1))
    player.search.table.use[0]["stored"] = 0
    since = time.process_time()
    report = player.choose(position, stream(1)).report
    return float(report["nodes"] / (time.process_time() - since))


@kernel
def sum_of_evaluations(rules, key, moves, number, buffer):
    """The sum over random games; with a negative number nothing is evaluated."""
    state = protocol.start(rules)
    total = 0.0
    for step in range(moves):
        if protocol.outcome(rules, state) != ONGOING:
            state = protocol.start(rules)
        state = protocol.play(rules, state, protocol.random_move(rules, state, draw(key, np.uint64(step)), buffer))
        if number >= 0:
            total += searching.evaluate(rules, state, number)
    return total


def seconds_per_evaluation(name: str) -> float:
    """What an evaluation of Ultimate Tic-Tac-Toe adds to a random game."""
    subject = game("ultimate")
    buffer = np.empty(subject.move_bound, np.int32)
    seconds = []
    for number in (-1, EVALUATIONS.index(name)):
        sum_of_evaluations(subject.rules, stream(1), 10, number, buffer)
        since = time.process_time()
        sum_of_evaluations(subject.rules, stream(1), PLAYED, number, buffer)
        seconds.append(time.process_time() - since)
    return (seconds[1] - seconds[0]) / PLAYED


def latest(kind: str) -> tuple[float, float]:
    """(seconds by which the latest of some timed moves came late, the longest pause of the machine while nothing was asked of it)."""
    late = 0.0
    for spec in TIMED_GAMES:
        position = game(spec).start()
        player = agent(f"{kind}:time={LIMIT}", position.game)
        for number in range(MOVES):
            since = time.perf_counter()
            player.choose(position, stream(number))
            late = max(late, time.perf_counter() - since - LIMIT)
    return late, longest_pause(LIMIT * MOVES * len(TIMED_GAMES))


def longest_pause(seconds: float) -> float:
    """How long other programs kept this one waiting, at most, while it did nothing but look at the clock."""
    pause = 0.0
    before = begin = time.perf_counter()
    while before < begin + seconds:
        now = time.perf_counter()
        pause = max(pause, now - before)
        before = now
    return pause


def main() -> None:
    for row in compare():
        peer = f"  (the machine paused for {row['peer']:.1f})" if row.get("peer") else ""
        print(f"{row['name']:<72}{row['ours']:>10.2f}{peer}")


if __name__ == "__main__":
    main()
