"""Speed of this machine at solving a tile game, from a short trial that fills rows of the largest pair from made-up values."""

from __future__ import annotations

import time

import numpy as np

from ludometer.core.game import Game
from ludometer.core.stopping import Stop
from ludometer.solvers.tiles.estimate import sizes_of_game
from ludometer.solvers.tiles.lookup import tile_tables
from ludometer.solvers.tiles.pair_work import PairWork
from ludometer.solvers.tiles.pairs import X_TO_MOVE, further_table
from ludometer.solvers.tiles.team import Team

_TRIAL = 0.05  # seconds
_ALL_STEPS = 4.0  # time of all steps ÷ time of `fill`: 3.7 to 4.6 for pairs of 5×5 Quixo with 60 million entries and more


def seconds_per_entry(game: Game) -> float:
    """Seconds that one core needs for an entry of the largest pair.  Compiles the kernels of solving."""
    tables, sizes = tile_tables(game), sizes_of_game(game)
    pair = max(sizes, key=lambda one: sizes[one])
    columns = pair.columns(tables.cells)
    rows = sizes[pair] // len(pair.sides) // columns
    target = further_table(pair, X_TO_MOVE, tables.cells)
    further = np.zeros(0 if target is None else sizes[target[0]] // len(target[0].sides), np.uint8)  # no page is made before it is written
    chance = np.random.default_rng(0)
    done, spent = 0, 0.0
    with Team(1) as team:
        while spent < _TRIAL:
            row = int(chance.integers(rows))
            work = PairWork(game.rules, tables, pair, team, Stop(), rows_of_codes=(row, row + 1))
            work.fill_rows(X_TO_MOVE, further, row, row + 1)  # compiled and warm now
            since = time.perf_counter()
            work.fill_rows(X_TO_MOVE, further, row, row + 1)
            spent += time.perf_counter() - since
            done += columns
    return _ALL_STEPS * spent / done
