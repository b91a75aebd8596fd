"""A game in progress, driven by a loop over agents, a terminal or a page in a browser.

    session = Session("quixo:4", first="human", second="mcts:1000")
    session.make("A1>right")
    session.take_back(side=0)
    session.redo()
    session.resign()
    session.result, session.ended          # '1-0', 'resignation': it was the second player's turn

A session enforces the rules of play: whose turn it is, limits on moves and time, when and why the game ended.  It knows no agents; a
`Seat` connects one.  `document()` is the whole session as plain data for JSON, and `Session.from_document` is its inverse.

In games whose moves are made at the same time the second player is not shown what the first has chosen before it has chosen too.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ludometer.arena.play.plain_data import Fields
from ludometer.core.agent import Decision
from ludometer.core.errors import LudometerError, NotationError, shorten
from ludometer.core.game import Game
from ludometer.core.outcome import DRAW, FIRST, LOSS, RESULT_TEXT, SECOND, WIN
from ludometer.core.position import Position
from ludometer.core.record import FORFEIT, PLY_LIMIT, QUIT, RESIGNATION, TIME, UNFINISHED, Record
from ludometer.core.requests import Forfeit, Quit, Request, Resign, TakeBack
from ludometer.core.text import count_text
from ludometer.games import game as find_game

SIDES = (FIRST, SECOND)
_NO_LIMITS = (None, None)


class Turn(NamedTuple):
    """One move of a game."""

    before: Position
    move: int
    after: Position
    seconds: float = 0.0  # thinking time
    decision: Decision | None = None  # the agent's decision, with its report

    @property
    def text(self) -> str:
        """The move as the game writes it."""
        return self.before.move_text(self.move)


class Session:
    """One game in progress, from its start to where it stands.  Every change raises `version`.

        game            a game or its spec
        start           position the game begins at, or its text; default: the start
        ply_limit       moves after which the game is drawn; default: the game's own limit
        limits          seconds of the first and the second player for all their moves; None: no limit
        first, second   names of the players
        seed            seed of the game, for its record
        clock           function that gives the time in seconds

    >>> session = lm.Session("quixo:4", first="Ada", second="mcts:1000")
    >>> session.make("A1>right").turn
    'o'
    >>> session.resign()
    >>> session.result, session.ended
    ('1-0', 'resignation')
    """

    def __init__(
        self,
        game: Game | str,
        start: Position | str | None = None,
        ply_limit: int | None = None,
        limits: tuple[float | None, float | None] = _NO_LIMITS,
        first: str = "?",
        second: str = "?",
        seed: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Raises LudometerError for a start of another game and for invalid limits."""
        self.game = find_game(game)
        self.start = start if isinstance(start, Position) else self.game.position(start or "start")
        if self.start.game != self.game:
            raise LudometerError(f"the position to start from belongs to {self.start.game.spec}, not to {self.game.spec}")
        self.ply_limit = self.game.kind.ply_limit if ply_limit is None else ply_limit
        if self.ply_limit is not None and self.ply_limit < 0:
            raise LudometerError(f"a ply limit is 0 or more, not {self.ply_limit}")
        if any(limit is not None and not limit > 0 for limit in limits):
            raise LudometerError("a limit on a player's time is a number of seconds above 0")
        self.limits = limits
        self.names = (first, second)
        self.seed = seed
        self.version = 0
        self.turns: list[Turn] = []
        self.taken_back: list[list[Turn]] = []  # moves for `redo`, the next ones last
        self._clock = clock
        self._used = [0.0, 0.0]
        self._running_since: float | None = None
        self._ended: tuple[str, str] | None = None  # (result, reason), if something other than the rules ended the game
        self._arrive()

    def __repr__(self) -> str:
        made = count_text(self.ply, "move")
        if self.is_over:
            state = f"{self.result} after {made}" + (f" ({self.ended})" if self.ended else "")
        else:
            state = f"{self.position.turn} to move after {made}"
        return f"<session of {self.game.spec}: {' against '.join(self.names)}, {state}>"

    # Where the game stands

    @property
    def positions(self) -> list[Position]:
        """All positions from the start to the one on the board."""
        return [self.start, *(turn.after for turn in self.turns)]

    @property
    def moves(self) -> list[str]:
        """The moves made, as text."""
        return [turn.text for turn in self.turns]

    @property
    def ply(self) -> int:
        """Number of moves made."""
        return len(self.turns)

    @property
    def is_over(self) -> bool:
        return self._ended is not None or self._rules_ended_it

    @property
    def to_move(self) -> int | None:
        """FIRST or SECOND, None when the game is over."""
        return None if self.is_over else self.position.player

    @property
    def result(self) -> str | None:
        """As `Position.result`; `*` for a game left without a result, None while the game goes on."""
        return self._ended[0] if self._ended is not None else self.position.result

    @property
    def ended(self) -> str | None:
        """Reason of an end that is not by the rules, as in a record; None otherwise."""
        return self._ended[1] if self._ended is not None else None

    def seen_by(self, side: int) -> Position:
        """The position as this player may see it.

        If moves are simultaneous and the second player is to choose, this is the position after the first player's lowest-numbered move,
        independent of the move that was chosen.
        """
        return self.position if not self._is_hidden_from(side) else self.turns[-1].before.play(self.turns[-1].before.legal[0])

    def turns_seen_by(self, side: int) -> list[Turn]:
        """The moves that this player knows of."""
        return self.turns[:-1] if self._is_hidden_from(side) else self.turns

    def _is_hidden_from(self, side: int) -> bool:
        return side == SECOND and self.game.kind.simultaneous and bool(self.turns) and self.to_move == SECOND

    # What players do

    def make(self, move: int | str, decision: Decision | None = None) -> Position:
        """Make a move for the player to move; returns the position then on the board.

        A move that comes after the player's time is not made: the game is lost.  Raises LudometerError if the game is over and
        IllegalMoveError or NotationError, with nothing changed, if there is no such move.
        """
        self._check_going_on()
        turn = _turn(self.position, move, self.seconds_running, decision)
        self.stop_clock()
        if not self.is_over:
            self.turns.append(turn)
            self.taken_back.clear()
            self.version += 1
            self._arrive()
        return self.position

    def answer(self, choice: Decision | Request) -> None:
        """Do what the player to move has chosen: make the move, or obey the request."""
        self._check_going_on()
        if isinstance(choice, Decision):
            self.make(choice.move, choice)
        elif isinstance(choice, TakeBack):
            self.take_back()
        elif isinstance(choice, Resign):
            self.resign()
        elif isinstance(choice, Forfeit):
            self.forfeit(choice.reason)
        elif isinstance(choice, Quit):
            self.quit()
        else:
            raise TypeError(f"a player chooses a Decision or a Request, not {choice!r}")

    def take_back(self, side: int | None = None) -> bool:
        """Take back the moves from the latest one of a side on (by default the side to move); False if it has made none.

        A finished game goes on from there, unless time ended it.  Used time is not given back.
        """
        self.stop_clock()
        if self.ended == TIME:
            return False
        wanted = self.position.player if side is None else side
        for place in range(len(self.turns) - 1, -1, -1):
            if self.turns[place].before.player == wanted:
                self.taken_back.append(self.turns[place:])
                del self.turns[place:]
                self._ended = None
                self.version += 1
                self._arrive()
                return True
        return False

    def redo(self) -> bool:
        """Make the moves of the latest `take_back` again; False if there is none, or a move was made since."""
        self.stop_clock()
        if not self.taken_back or self.is_over:
            return False
        self.turns += self.taken_back.pop()
        self.version += 1
        self._arrive()
        return True

    def resign(self, side: int | None = None) -> None:
        """A side (by default the one to move) gives the game up."""
        self._lose(side, RESIGNATION)

    def forfeit(self, reason: str, side: int | None = None) -> None:
        """A side (by default the one to move) cannot go on, for this reason, and has lost."""
        self._lose(side, f"{FORFEIT}: {reason}")

    def quit(self) -> None:
        """Leave the game without a result."""
        self._end(UNFINISHED, QUIT)

    def _lose(self, side: int | None, why: str) -> None:
        loser = self.position.player if side is None else side
        self._end(RESULT_TEXT[LOSS if loser == FIRST else WIN], why)

    def _end(self, result: str, why: str) -> None:
        self._check_going_on()
        self.stop_clock()
        if not self.is_over:
            self._ended = result, why
            self.version += 1

    def _check_going_on(self) -> None:
        if self.is_over:
            raise LudometerError(f"the game is over: {self.result}" + (f" ({self.ended})" if self.ended else ""))

    def _arrive(self) -> None:
        """Update the position after a change of the moves, and end the game at the ply limit."""
        self.position = self.turns[-1].after if self.turns else self.start
        self._rules_ended_it = self.position.is_over
        if self.ply_limit is not None and len(self.turns) >= self.ply_limit and not self._rules_ended_it:
            self._ended = RESULT_TEXT[DRAW], PLY_LIMIT

    # Clocks: the time of the player to move is counted from `start_clock` to the next move, request, or `stop_clock`.

    def start_clock(self) -> None:
        """Start the clock of the player to move, unless it is running."""
        if self._running_since is None and not self.is_over:
            self._running_since = self._clock()

    @property
    def seconds_running(self) -> float:
        """Seconds since the clock of the player to move was started."""
        return 0.0 if self._running_since is None else self._clock() - self._running_since

    def stop_clock(self) -> None:
        """Stop the clock; a player over the time limit has lost."""
        if self._running_since is None:
            return
        side = self.position.player
        self._used[side] += self.seconds_running
        self._running_since = None
        limit = self.limits[side]
        if limit is not None and self._used[side] > limit and not self.is_over:
            self._ended = RESULT_TEXT[LOSS if side == FIRST else WIN], TIME
            self.version += 1

    def check_time(self) -> bool:
        """Whether the game goes on; ends it if the player to move has no time left."""
        if self._running_since is not None:
            self.stop_clock()
            self.start_clock()
        return not self.is_over

    def seconds(self, side: int) -> float:
        """Seconds that a side has used."""
        return self._used[side] + (self.seconds_running if self.position.player == side else 0.0)

    def seconds_left(self, side: int) -> float | None:
        """Seconds that a side has left; None without a limit."""
        limit = self.limits[side]
        return None if limit is None else max(0.0, limit - self.seconds(side))

    # As a copy, as a record, and as plain data

    def copy(self) -> Session:
        """An independent copy of the session; the immutable turns are shared."""
        made = copy.copy(self)
        made.turns = list(self.turns)
        made.taken_back = [list(turns) for turns in self.taken_back]
        made._used = list(self._used)
        return made

    def record(self) -> Record:
        """The record of the game so far; its result is `*` while the game goes on."""
        record = Record(
            game=self.game,
            moves=tuple(self.moves),
            result=self.result or UNFINISHED,
            first=self.names[0],
            second=self.names[1],
            seed=self.seed,
            start=None if self.start == self.game.start() else str(self.start),
            ended=self.ended,
        )
        return record.replayed(self.positions)

    @classmethod
    def from_record(cls, record: Record) -> Session:
        """The game of a record; one without a result can go on.  Raises LudometerError if the record is not sound.

        The ply limit is the game's own, or the length of the record if the record ended at its ply limit or is longer.
        """
        record.check()
        usual, made = record.game.kind.ply_limit, len(record.moves)
        ply_limit = made if record.ended == PLY_LIMIT or (usual is not None and made > usual) else usual
        session = cls(record.game, record.start, ply_limit, _NO_LIMITS, record.first, record.second, record.seed)
        session._replay(record.moves, "record")
        if not session.is_over and record.result != UNFINISHED:
            session._ended = record.result, record.ended or ""
        return session

    def document(self, side: int | None = None, legal: bool = True) -> dict[str, Any]:
        """JSON object of the game; with `side`, only what that player may see; `legal=False` omits the legal moves."""
        turns, position = (self.turns, self.position) if side is None else (self.turns_seen_by(side), self.seen_by(side))
        going_on = not self.is_over
        return {
            "game": self.game.reference,
            "first": self.names[0],
            "second": self.names[1],
            "seed": self.seed,
            "start": str(self.start),
            "ply_limit": self.ply_limit,
            "limits": list(self.limits),
            "seconds": [self.seconds(side) for side in SIDES],
            "moves": [turn.text for turn in turns],
            "move_seconds": [turn.seconds for turn in turns],
            "taken_back": [[turn.text for turn in back] for back in self.taken_back],
            "position": str(position),
            "turn": position.turn if going_on else None,
            "legal": position.moves() if going_on and legal else [],
            "result": self.result,
            "ended": self.ended,
            "version": self.version,
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any], find: Callable[[str], Game] = find_game) -> Session:
        """The session that a document describes (one made without `side`); raises LudometerError if it is none.

        `find` turns the game's name into a game.  Keys that follow from the others, such as `legal`, are not needed.
        """
        fields = Fields(document)
        session = cls(
            find(fields.text("game")),
            fields.text("start"),
            fields.whole_number_or_none("ply_limit"),
            fields.two_numbers("limits"),
            fields.text("first"),
            fields.text("second"),
            fields.whole_number_or_none("seed"),
        )
        if fields.whole_number_or_none("ply_limit") is None:
            session.ply_limit, session._ended = None, None
        session._replay(fields.texts("moves"), "document", fields.numbers("move_seconds"))
        session._recall(fields.lists_of_texts("taken_back"))
        session._used = [seconds or 0.0 for seconds in fields.two_numbers("seconds")]
        result, ended = fields.text_or_none("result"), fields.text_or_none("ended")
        if ended is not None and not session.is_over:
            session._ended = result or UNFINISHED, ended
            session.record().check()
        if (session.result, session.ended) != (result, ended):
            raise NotationError(f"document: the moves lead to the result {session.result}, not {shorten(str(result))}")
        session.version = fields.whole_number("version")
        return session

    def _replay(self, moves: Sequence[str], source: str, seconds: Sequence[float] = ()) -> None:
        """Make recorded moves with their recorded times."""
        for number, text in enumerate(moves):
            if self.is_over:
                raise NotationError(f"{source}: move {number + 1} comes after the end of the game")
            self.turns.append(_turn(self.position, text, seconds[number] if number < len(seconds) else 0.0))
            self._arrive()

    def _recall(self, taken_back: list[list[str]]) -> None:
        """Restore the moves taken back: the last list continues the moves made, each other list continues the one after it."""
        begin = self.position
        for texts in reversed(taken_back):
            turns: list[Turn] = []
            for text in texts:
                turns.append(_turn(begin, text))
                begin = turns[-1].after
            self.taken_back.insert(0, turns)


def _turn(before: Position, move: int | str, seconds: float = 0.0, decision: Decision | None = None) -> Turn:
    """The turn in which this move is made; raises NotationError or IllegalMoveError."""
    after = before.play(move)
    assert after.last is not None, "a position that was played into knows the move"
    return Turn(before, after.last, after, seconds, decision)
