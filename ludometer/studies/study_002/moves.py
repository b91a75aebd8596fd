"""Numbers of moves."""

from __future__ import annotations

from collections import Counter

from ludometer.games import game
from ludometer.studies.entry import Measured
from ludometer.studies.laboratory import Laboratory
from ludometer.studies.study_002.player import QUIXO


def first_moves(lab: Laboratory) -> Measured:
    return Measured(len(game(QUIXO).start().legal))


def replies(lab: Laboratory) -> Measured:
    start = game(QUIXO).start()
    found = Counter(len(start.play(move).legal) for move in start.legal)
    counted = {str(replies): count for replies, count in sorted(found.items(), reverse=True)}
    return Measured(sorted(found, reverse=True), f"42 replies after {counted['42']} first moves, 41 after {counted['41']}", data=counted)


def two_plies(lab: Laboratory) -> Measured:
    from ludometer.solvers.perft import perft

    return Measured(perft(game(QUIXO).start(), 2))


def half_board(lab: Laboratory) -> Measured:
    moves = (3 * 2) * 3 + 2 * 2
    return Measured(moves * moves, f"18 + 4 = {moves}, and {moves}² = {moves * moves}")
