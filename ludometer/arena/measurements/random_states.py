"""Random non-terminal states of a game, by number.  Moves are judged and forced wins searched at these positions."""

from __future__ import annotations

import numpy as np

from ludometer.arena.play.compiled_games import rows_of
from ludometer.core.game import Game
from ludometer.core.random import stream


def random_states(game: Game, seed: int, begin: int, end: int) -> np.ndarray:
    """Rows (see `rows_of`) of the random states `begin` to `end` − 1."""
    from ludometer.arena.measurements.random_states_kernels import draw_states

    rows = np.repeat(rows_of([game.start()]), end - begin, axis=0)
    draw_states(game.rules, stream(seed, "state"), begin, rows, np.empty(game.move_bound, np.int32))
    return rows


def states_text(game: Game) -> str:
    """Description of how random states of this game are drawn."""
    own = game.kind.function("random_state")
    if own is None:
        return "a random game stopped after a random number of its moves"
    return " ".join((getattr(own, "__doc__", None) or "drawn by the game's own random_state").split()).rstrip(".")
