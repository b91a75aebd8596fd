"""Matrix games as text.  Position: `. .` at the start, `C .` when only the row player has chosen, `C D` at the end.  Move: `C` or `1`.

An action is called by its label, with `_` for spaces.  Where that would be ambiguous (no label, a dot, a number, or a label that
another action of the same player has too) it is called by its number, counted from 1.  The number is always understood.
"""

from __future__ import annotations

import numpy as np

from ludometer.core.errors import NotationError, shorten
from ludometer.core.notation import impossible
from ludometer.core.outcome import FIRST
from ludometer.games.matrix import GAME
from ludometer.games.matrix.bimatrix import NOT_CHOSEN, action_names
from ludometer.games.matrix.rules import MatrixRules, MatrixState, labels_of


def format_position(rules: MatrixRules, state: MatrixState) -> str:
    sides = zip((state.row, state.column), labels_of(rules))
    return " ".join(action_names(labels)[int(choice) - 1] if choice else NOT_CHOSEN for choice, labels in sides)


def parse_position(rules: MatrixRules, text: str) -> MatrixState:
    parts = text.split()
    if len(parts) != 2:
        raise impossible(text, "expected two actions with a space between them, a dot for one not chosen yet")
    row, column = (
        0 if part == NOT_CHOSEN else 1 + _action(labels, part, f"position {shorten(text)}: the {player} player has no action", " or a dot")
        for part, labels, player in zip(parts, labels_of(rules), GAME.players)
    )
    if column and not row:
        raise impossible(text, "the row player's choice is written down first, so the column player's cannot stand alone")
    return MatrixState(np.uint64(row), np.uint64(column))


def format_move(rules: MatrixRules, state: MatrixState, move: int) -> str:
    return action_names(_labels_to_choose_from(rules, state))[move]


def parse_move(rules: MatrixRules, state: MatrixState, text: str) -> int:
    player = GAME.players[0 if state.row == 0 else 1]
    return _action(_labels_to_choose_from(rules, state), text, f"the {player} player has no action")


def _labels_to_choose_from(rules: MatrixRules, state: MatrixState) -> tuple[str, ...]:
    return labels_of(rules)[FIRST if state.row == 0 else 1]


def _action(labels: tuple[str, ...], text: str, problem: str, further: str = "") -> int:
    """The index of the action called so; the error is `problem`, the text and what there is, plus `further`."""
    names = [name.casefold() for name in action_names(labels)]
    wanted = "_".join(text.split()).casefold()
    if wanted in names:
        return names.index(wanted)
    if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted[:9]) <= len(labels) and len(wanted) < 9:
        return int(wanted) - 1
    shown = ", ".join(action_names(labels)[:5]) + (", …" if len(labels) > 5 else "")
    raise NotationError(f"{problem} {shorten(text)}; expected one of {shown}, a number from 1 to {len(labels)}{further}")
