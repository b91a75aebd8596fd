"""Random games on a CUDA device, one thread per game, through the same protocol functions as everywhere else.

Run as a program it prints the games as JSON; tests/test_cuda_protocol.py does so in the CUDA simulator and compares.

    python tests/cuda_playouts.py 8 quixo:2=30 ultimate=12        # number of games, then each game and its most plies
"""

from __future__ import annotations

import json
import sys

import numpy as np
from numba import cuda, int32

from ludometer.core import protocol
from ludometer.core.outcome import ONGOING
from ludometer.core.random import draw, stream
from ludometer.games import game

MOST_MOVES = 256  # length of a thread's move buffer; a constant, since threads have no heap


@cuda.jit
def play_games(rules, keys, moves, outcomes, hashes):
    """Thread i plays game i with the random words of keys[i]; its moves and how it ended go to place i of the other arrays.

    `moves` (games × plies, int64) holds −1 after the end of a game.
    """
    number = cuda.grid(1)
    if number < len(keys):
        buffer = cuda.local.array(MOST_MOVES, int32)
        state = protocol.start(rules)
        ply = 0
        while ply < moves.shape[1] and protocol.outcome(rules, state) == ONGOING:
            word = draw(keys[number], np.uint64(ply))
            moves[number, ply] = protocol.random_move(rules, state, word, buffer)
            state = protocol.play(rules, state, moves[number, ply])
            ply += 1
        outcomes[number] = protocol.outcome(rules, state)
        hashes[number] = protocol.key(rules, state)


def games_of(spec: str, games: int, plies: int) -> dict[str, list]:
    """Moves, outcomes and final keys of random games."""
    subject = game(spec)
    keys = np.array([stream(1, number) for number in range(games)], np.uint64)
    moves = np.full((games, plies), -1, np.int64)
    outcomes = np.zeros(games, np.int64)
    hashes = np.zeros(games, np.uint64)
    on_device = [cuda.to_device(array) for array in (keys, moves, outcomes, hashes)]
    threads = min(games, 64)
    play_games[-(-games // threads), threads](subject.rules, *on_device)
    results = [array.copy_to_host().tolist() for array in on_device[1:]]
    return dict(zip(("moves", "outcomes", "hashes"), results))


def main(games: int, specs: list[str]) -> None:
    plies = {spec: int(limit) for spec, _, limit in (one.partition("=") for one in specs)}
    print(json.dumps({spec: games_of(spec, games, limit) for spec, limit in plies.items()}))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
