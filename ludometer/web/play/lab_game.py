"""One game in progress with its two players, and all that its page shows."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from ludometer.arena.play.seat import Seat
from ludometer.arena.play.session import SIDES, Session
from ludometer.core.position import Position
from ludometer.web.catalogue import HUMAN, level_name
from ludometer.web.play.boards import board_document, board_text
from ludometer.web.play.thinking import Thought


class Table:
    """One game and all that its page shows."""

    def __init__(self, name: str, session: Session, players: tuple[str, str]) -> None:
        self.name = name
        self.session = session
        self.players = players
        self.reports: list[dict[str, Any] | None] = [None] * session.ply  # what an agent said of each move
        self.pace = 0.0  # seconds that an agent's move takes at least
        self.paused = False
        self.message = ""  # what went wrong, in words
        self.version = 0
        self.serial = 0
        self.updated = time.time()
        self.thought: Thought | None = None
        self.seats: dict[int, Seat] = {}
        self.last_posted: tuple[int, str] | None = None  # (version, move): the same again is no mistake
        self.unsaved: bytes | None = None  # what its file is to hold next
        self.saving: asyncio.Task[None] | None = None
        self._document: tuple[int, dict[str, Any]] | None = None
        self._text: tuple[int, str] | None = None

    @property
    def humans(self) -> list[int]:
        return [side for side in SIDES if self.players[side] == HUMAN]

    @property
    def viewer(self) -> int | None:
        """Who looks at the page, where that decides what may be seen."""
        if not self.session.game.kind.simultaneous or self.session.is_over:
            return None
        return self.humans[0] if len(self.humans) == 1 else self.session.to_move if self.humans else None

    @property
    def shown(self) -> Position:
        return self.session.position if self.viewer is None else self.session.seen_by(self.viewer)

    @property
    def awaits_human(self) -> bool:
        return self.session.to_move is not None and self.players[self.session.to_move] == HUMAN

    def document(self) -> dict[str, Any]:
        """All that the page shows."""
        if self._document is None or self._document[0] != self.serial:
            self._document = self.serial, self._new_document()
        return self._document[1]

    def text(self) -> str:
        """The same as JSON, made once for all who ask."""
        if self._text is None or self._text[0] != self.serial:
            document = dict(self.document())
            board = board_text(document.pop("board"))
            self._text = self.serial, f'{json.dumps(document, separators=(",", ":"))[:-1]},"board":{board}}}'
        return self._text[1]

    def _new_document(self) -> dict[str, Any]:
        session, shown = self.session, self.shown
        kind = session.game.kind
        turns = session.turns if self.viewer is None else session.turns_seen_by(self.viewer)
        going_on = session.to_move is not None
        return {
            "id": self.name,
            "version": self.version,
            "serial": self.serial,
            "game": session.game.spec,
            "title": kind.title,
            "sides": list(kind.players),
            "players": list(self.players),
            "levels": [level_name(player) for player in self.players],
            "start": str(session.start),
            "moves": [turn.text for turn in turns],
            "movers": [turn.before.player for turn in turns],
            "reports": self.reports[: len(turns)],
            "position": str(shown),
            "turn": session.to_move,
            "result": session.result,
            "ended": session.ended,
            "verdict": None if going_on else session.record().verdict,
            "margin": session.position.margin * (1 - 2 * session.position.player) if kind.scored else None,
            "board": board_document(shown, playable=self.awaits_human),
            "thinking": None if self.thought is None else self.thought.document(),
            "can": {
                "undo": self.undo_side() is not None,
                "redo": bool(session.taken_back) and not session.is_over,
                "resign": going_on and bool(self.humans),
                "hint": going_on and self.awaits_human,
            },
            "pace": self.pace,
            "paused": self.paused,
            "message": self.message,
        }

    def undo_side(self) -> int | None:
        """Whose latest move `undo` takes back, None if there is none: a person's own, or whichever was last."""
        made = [turn.before.player for turn in self.session.turns]
        if not made or self.session.ended == "time":
            return None
        side = self.humans[0] if len(self.humans) == 1 else made[-1]
        return side if side in made else None

    def stored(self) -> dict[str, Any]:
        """All of it for the table's file."""
        return {
            "session": self.session.document(legal=False),
            "players": list(self.players),
            "reports": self.reports,
            "pace": self.pace,
            "paused": self.paused,
            "message": self.message,
            "version": self.version,
            "serial": self.serial,
            "updated": self.updated,
        }
