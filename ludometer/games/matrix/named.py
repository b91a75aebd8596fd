"""The games known by name, and the game that a spec's parameter names."""

from __future__ import annotations

import re

from ludometer.core.errors import SpecError, shorten
from ludometer.games.matrix import GAME
from ludometer.games.matrix.bimatrix import Bimatrix, parse_table
from ludometer.games.matrix.nfg import load_nfg

_BEGINS_LIKE_A_TABLE = re.compile(r"[+-]?\.?\d")


def _named(title: str, labels: str, table: str) -> Bimatrix:
    """A game of named actions, the same for both players."""
    read = parse_table(table)
    names = tuple(labels.split())
    return Bimatrix(title, names, names, read.row_payoffs, read.column_payoffs)


NAMED = {
    "dispersion": _named("Dispersion game", "A B", "-1,-1 1,1; 1,1 -1,-1"),
    "sexes": _named("Battle of the sexes", "O M", "3,2 0,0; 0,0 2,3"),
    "prisoners": _named("Prisoner's dilemma", "C D", "-1,-1 -4,0; 0,-4 -3,-3"),
    "brps": _named("Biased rock-paper-scissors", "R P S", "0 -0.25 0.5; 0.25 0 -0.05; -0.5 0.05 0"),
    "stag": _named("Stag hunt", "Stag Hare", "2,2 0,1; 1,0 1,1"),
    "pennies": _named("Matching pennies", "Heads Tails", "1 -1; -1 1"),
    "rps": _named("Rock-paper-scissors", "R P S", "0 -1 1; 1 0 -1; -1 1 0"),
    "shapley": _named("Shapley's game", "A B C", "1,0 0,1 0,0; 0,0 1,0 0,1; 0,1 0,0 1,0"),
    "hawkdove": _named("Hawk-dove", "Hawk Dove", "-1,-1 2,0; 0,2 1,1"),
}


def read_game(text: str) -> tuple[Bimatrix, str]:
    """The game named by what stands after `matrix:` in a spec, and that text in one spelling; see `GAME.syntax`.

    Raises SpecError, and NotationError for a file that cannot be understood.
    """
    text = text.strip()
    if text.lower() in NAMED:
        return NAMED[text.lower()], text.lower()
    if text.lower().endswith(".nfg"):
        return load_nfg(text), text
    if "," in text or ";" in text or _BEGINS_LIKE_A_TABLE.match(text):
        table = parse_table(text)
        return table, table.to_text()
    raise SpecError(f"game matrix: {shorten(text)} names no game; write {GAME.syntax}")
