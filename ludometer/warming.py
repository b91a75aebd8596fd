"""Ahead-of-time compilation of the functions that inspect, play and count a game."""

from __future__ import annotations

from ludometer.core.compiling.compilation import compilations
from ludometer.core.game import Game
from ludometer.solvers.perft import perft


def warm(game: Game) -> tuple[int, float]:
    """Compile what playing and counting this game needs: (functions compiled, seconds); (0, 0.0) if nothing was missing."""
    count, seconds = compilations.count, compilations.seconds
    position = game.start()
    perft(position, 2)
    if not position.is_over:
        position = position.play(position.legal[0])
    if position.symmetry_count:
        position.transformed(0)
    assert position.key >= 0
    return compilations.count - count, compilations.seconds - seconds
