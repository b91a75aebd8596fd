"""The record of a game for notebooks: its last position, its result and its moves."""

from __future__ import annotations

from html import escape

from ludometer.core.record import Record
from ludometer.core.text import count_text


def record_html(record: Record) -> str:
    """The last position drawn, the players, the verdict, and the moves in a fold."""
    players = f"{escape(record.first)} ({record.game.kind.players[0]}) against {escape(record.second)} ({record.game.kind.players[1]})"
    moves = escape(" ".join(record.moves)) or "none"
    return (
        f"<div>{record.final.svg()}<p>{escape(record.game.spec)}: {players}<br>{escape(record.verdict)}</p>"
        f"<details><summary>{count_text(len(record.moves), 'move')}</summary><p>{moves}</p></details></div>"
    )
