"""Quixo with a min-max player: L. Fezza, report on the project of a course in computational intelligence, 2024.

A player for 5×5 Quixo that searches with alpha-beta, orders moves by its longest row, shuffles equals, and chooses its depth by who leads.
"""

from __future__ import annotations

from collections import Counter

from ludometer.games import game
from ludometer.studies.agreement import equal, wrong
from ludometer.studies.entry import Entry, Kind, Measured
from ludometer.studies.laboratory import Laboratory

TITLE = "Quixo with a min-max player"
QUIXO = "quixo:5"


# ---- counting moves ----


def _first_moves(lab: Laboratory) -> Measured:
    return Measured(len(game(QUIXO).start().legal))


def _replies(lab: Laboratory) -> Measured:
    start = game(QUIXO).start()
    found = Counter(len(start.play(move).legal) for move in start.legal)
    shares = {str(replies): count for replies, count in sorted(found.items(), reverse=True)}
    return Measured(sorted(found, reverse=True), f"42 replies after {shares['42']} first moves, 41 after {shares['41']}", data=shares)


def _two_plies(lab: Laboratory) -> Measured:
    from ludometer.solve.perft import perft

    return Measured(perft(game(QUIXO).start(), 2))


def _half_board(lab: Laboratory) -> Measured:
    moves = (3 * 2) * 3 + 2 * 2
    return Measured(moves * moves, f"18 + 4 = {moves}, and {moves}² = {moves * moves}")


ENTRIES = (
    Entry(
        name="002.moves44",
        title="moves from the empty board",
        where="4, last considerations",
        kind=Kind.EXACT,
        reported=44,
        settings="ludometer perft quixo:5 1",
        measure=_first_moves,
        rule=equal(),
        in_suite=True,
    ),
    Entry(
        name="002.moves42",
        title="replies to a first move that leaves a symbol in a corner, on a border",
        where="4, last considerations",
        kind=Kind.EXACT,
        reported=[42, 41],
        settings="legal moves after each of the 44 first moves",
        measure=_replies,
        rule=equal(),
        note="a cube pushed along an edge ends in a corner, so that 32 of the 44 first moves lead to a corner",
        in_suite=True,
    ),
    Entry(
        name="002.moves1848",
        title="sequences of two moves from the empty board",
        where="4, last considerations",
        kind=Kind.EXACT,
        reported=1848,
        reported_text="44 × 42 = 1848",
        settings="ludometer perft quixo:5 2",
        measure=_two_plies,
        rule=wrong("after 12 of the 44 first moves there are 41 replies, not 42: 32 × 42 + 12 × 41 = 1836", truth=1836),
        in_suite=True,
    ),
    Entry(
        name="002.moves400",
        title="sequences of two moves for players who have half of the border each",
        where="4, last considerations",
        kind=Kind.EXACT,
        reported=400,
        reported_text="(3 × 2) × 3 + 2 × 2 = 20 × 20 = 400",
        settings="arithmetic",
        measure=_half_board,
        rule=wrong("18 + 4 is 22, not 20, and 22² is 484", truth=484),
        in_suite=True,
    ),
)
