"""Whole games, compiled: games per second of processor time on one core, beside `play_game` and beside bare searches, in one run.

    python benchmarks/games.py

Two questions: how much faster are compiled games between players who hardly think, and what do they cost those who do?
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ludometer.agents import agent
from ludometer.arena.play.compiled_games import game_seeds, play_games, rows_of
from ludometer.arena.play.playing import play_game
from ludometer.core import protocol
from ludometer.core.agent import Agent
from ludometer.core.compiling.borrowing import lend
from ludometer.core.compiling.compilation import kernel
from ludometer.core.compiling.compiled_player import FOR_EVER, decide
from ludometer.core.compiling.leaves import state_of_leaves
from ludometer.core.game import Game
from ludometer.core.random import stream, substream
from ludometer.games import game

SECONDS = 2.0  # of processor time for each measurement
ROUNDS = 3  # the best of these counts, each side in turn
GAMES = ("quixo:5", "ultimate", "mnk:15,15,5", "dots:5x5")
SEARCHED = ("quixo:5", "ultimate", "dots:5x5")
SEARCHER = "mcts:100"
TOY = {"SECONDS": 0.001, "ROUNDS": 1, "GAMES": ("mnk:2,2,2",), "SEARCHED": ("mnk:2,2,2",), "SEARCHER": "random"}


def compare(seconds: float = SECONDS, rounds: int = ROUNDS) -> list[dict[str, Any]]:
    """Rows: random games per second, compiled and through `play_game`; and moves of `mcts:100` per second in games and alone."""
    rows = []
    for spec in GAMES:
        chosen = game(spec)
        player = agent("random", chosen)
        rows.append(_row(f"random games {spec}", compiled_games(chosen, player), single_games(chosen, player), seconds, rounds))
    for spec in SEARCHED:
        chosen = game(spec)
        player = agent(SEARCHER, chosen)
        rows.append(_row(f"{SEARCHER} moves {spec}", moves_in_games(chosen, player), bare_searches(chosen, player), seconds, rounds))
    return rows


def _row(name: str, ours: Callable[[int], int], peer: Callable[[int], int], seconds: float, rounds: int) -> dict[str, Any]:
    ours(0), peer(0)  # compiled, or loaded, before the clock runs
    speeds = [(rate(ours, seconds, number), rate(peer, seconds, number)) for number in range(1, rounds + 1)]
    best = max(mine for mine, _ in speeds), max(other for _, other in speeds)
    return {"name": name, "ours": best[0], "peer": best[1], "ratio": best[0] / best[1]}


def rate(work: Callable[[int], int], seconds: float, seed: int) -> float:
    """What `work` counts, per second of processor time."""
    done, number, since = 0, 0, time.process_time()
    while time.process_time() - since < seconds:
        done += work(1000 * seed + number)
        number += 1
    return done / (time.process_time() - since)


def compiled_games(chosen: Game, player: Agent, count: int = 2000) -> Callable[[int], int]:
    return lambda seed: len(play_games(chosen, player, player, game_seeds(seed, 0, count)))


def single_games(chosen: Game, player: Agent) -> Callable[[int], int]:
    def play(seed: int) -> int:
        play_game(chosen, player, player, seed)
        return 1

    return play


def moves_in_games(chosen: Game, player: Agent, count: int = 20) -> Callable[[int], int]:
    """Moves made in games of an agent against itself."""
    return lambda seed: int(play_games(chosen, player, player, game_seeds(seed, 0, count)).lengths.sum())


@kernel
def search_all(rules, player, rows, plies_left, key, buffer):
    """Search every one of these states, one after the other."""
    player = lend(player)
    for number in range(len(rows)):
        state = state_of_leaves(protocol.start(rules), rows[number], 0)
        decide(rules, player, state, plies_left, substream(key, np.uint64(number)), buffer)


def bare_searches(chosen: Game, player: Agent) -> Callable[[int], int]:
    """Searches at the positions of such games and nothing else, in compiled code too."""
    played = play_games(chosen, player, player, game_seeds(0, 0, 20), room=1000)
    assert played.moves is not None
    positions = []
    for moves, length in zip(played.moves, played.lengths):
        position = chosen.start()
        for move in moves[:length]:
            positions.append(position)
            position = position.play(int(move))
    rows, compiled, buffer = rows_of(positions), player.compiled_player(), np.empty(chosen.move_bound, np.int32)
    limit = FOR_EVER if chosen.kind.ply_limit is None else chosen.kind.ply_limit

    def search(seed: int) -> int:
        search_all(chosen.rules, compiled, rows, limit, stream(seed), buffer)
        return len(rows)

    return search


def main() -> None:
    for row in compare():
        print(f"{row['name']:<28}{row['ours']:>14,.0f}/s{row['peer']:>14,.0f}/s{row['ratio']:>10,.2f}×")


if __name__ == "__main__":
    main()
