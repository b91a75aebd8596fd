"""One game in progress with its two players, and all that its page shows."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from typing import Any

from typing_extensions import TypedDict

from ludometer.arena.play.seat import Seat
from ludometer.arena.play.session import SIDES, Session
from ludometer.core.position import Position
from ludometer.web.catalogue import level_name
from ludometer.web.play.boards import BoardDocument, RenderedBoard, rendered_board
from ludometer.web.play.thinking import Thought, ThoughtDocument
from ludometer.web.untrusted import HUMAN

MoveReport = dict[str, int | float | str | None]  # what an agent said of a move: seconds, value, and numbers of its own


class AllowedActions(TypedDict):
    """Which actions the buttons of a page offer."""

    undo: bool
    redo: bool
    resign: bool
    hint: bool


class _StateWithoutBoard(TypedDict):
    id: str
    version: int
    serial: int
    game: str
    title: str
    sides: list[str]
    players: list[str]
    levels: list[str]  # name of the level that each player is, or ""
    start: str
    moves: list[str]
    movers: list[int]  # the side that made each move
    reports: list[MoveReport | None]
    position: str
    turn: int | None
    result: str | None
    ended: str | None
    verdict: str | None
    margin: int | None  # of the first player
    thinking: ThoughtDocument | None
    can: AllowedActions
    pace: float
    paused: bool
    message: str


class GameState(_StateWithoutBoard):
    """All that the page of a game shows."""

    board: BoardDocument


class LabGame:
    """A session with its players, the agents that sit at it, and what belongs to its page.

    Two numbers tell states apart, and one count feeds both.  `serial` numbers the states that pages are shown: pages drop a state that is
    older than the one they have.  `version` is the serial number of the state in which the board or the players last changed: a move is
    posted with the version it was chosen in, and refused if the game has changed since.  A pause or the begin of a thought raises `serial`
    alone.  (`Session.version` counts the changes of one session; a restart begins a new session, so it cannot serve here.)
    """

    def __init__(self, name: str, session: Session, players: tuple[str, str]) -> None:
        self.name = name
        self.session = session
        self.players = players
        self.reports: list[MoveReport | None] = [None] * session.ply  # one for each move
        self.pace = 0.0  # least seconds of an agent's move
        self.paused = False
        self.message = ""  # what went wrong, for people
        self.serial = 0
        self.version = 0
        self.updated = time.time()
        self.thought: Thought | None = None
        self.seats: dict[int, Seat] = {}
        self.last_posted: tuple[int, str] | None = None  # (version, move), which may be sent twice
        self.unsaved: bytes | None = None  # what its file is to hold next
        self.saving: asyncio.Task[None] | None = None
        self._state: tuple[int, _StateWithoutBoard, RenderedBoard] | None = None  # with its serial number
        self._text: tuple[int, str] | None = None

    @property
    def humans(self) -> list[int]:
        """The sides played by people."""
        return [side for side in SIDES if self.players[side] == HUMAN]

    @property
    def viewer(self) -> int | None:
        """The side whose view of a game with simultaneous moves is shown; None if everything may be seen."""
        if not self.session.game.kind.simultaneous or self.session.is_over:
            return None
        return self.humans[0] if len(self.humans) == 1 else self.session.to_move if self.humans else None

    @property
    def shown(self) -> Position:
        """The position that may be seen."""
        return self.session.position if self.viewer is None else self.session.seen_by(self.viewer)

    @property
    def awaits_human(self) -> bool:
        """True if it is a person's turn."""
        return self.session.to_move is not None and self.players[self.session.to_move] == HUMAN

    def count_change(self, of_the_game: bool) -> None:
        """Give the state that is shown from now on its number; `of_the_game`: the board or the players have changed."""
        self.serial += 1
        if of_the_game:
            self.version = self.serial

    def document(self) -> GameState:
        """All that the page shows."""
        state, board = self._current_state()
        return {**state, "board": board.document}

    def text(self) -> str:
        """`document` as JSON, encoded once for all who ask."""
        if self._text is None or self._text[0] != self.serial:
            state, board = self._current_state()
            self._text = self.serial, f'{json.dumps(state, separators=(",", ":"))[:-1]},"board":{board.text}}}'
        return self._text[1]

    def _current_state(self) -> tuple[_StateWithoutBoard, RenderedBoard]:
        if self._state is None or self._state[0] != self.serial:
            self._state = self.serial, self._new_state(), rendered_board(self.shown, playable=self.awaits_human)
        return self._state[1:]

    def _new_state(self) -> _StateWithoutBoard:
        session = self.session
        kind = session.game.kind
        turns = session.turns if self.viewer is None else session.turns_seen_by(self.viewer)
        is_going_on = session.to_move is not None
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
            "position": str(self.shown),
            "turn": session.to_move,
            "result": session.result,
            "ended": session.ended,
            "verdict": None if is_going_on else session.record().verdict,
            "margin": session.position.margin * (1 - 2 * session.position.player) if kind.scored else None,
            "thinking": None if self.thought is None else self.thought.document(),
            "can": {
                "undo": self.undo_side() is not None,
                "redo": bool(session.taken_back) and not session.is_over,
                "resign": is_going_on and bool(self.humans),
                "hint": is_going_on and self.awaits_human,
            },
            "pace": self.pace,
            "paused": self.paused,
            "message": self.message,
        }

    def undo_side(self) -> int | None:
        """The side whose latest move `undo` takes back: the only person's, otherwise the last mover's.  None if there is none."""
        made = [turn.before.player for turn in self.session.turns]
        if not made or self.session.ended == "time":
            return None
        side = self.humans[0] if len(self.humans) == 1 else made[-1]
        return side if side in made else None

    def stored(self) -> dict[str, Any]:
        """The content of the game's file; `restored` is the inverse."""
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

    @classmethod
    def restored(cls, name: str, session: Session, stored: Mapping[str, Any]) -> LabGame:
        """The game of a file's content; raises KeyError, IndexError or TypeError if it is none."""
        made = cls(name, session, (stored["players"][0], stored["players"][1]))
        made.reports = (stored["reports"] + [None] * session.ply)[: session.ply]
        made.pace, made.paused, made.message = stored["pace"], stored["paused"], stored["message"]
        made.version, made.serial, made.updated = stored["version"], stored["serial"], stored["updated"]
        return made
