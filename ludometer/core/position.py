"""Positions: immutable states of a game as people use them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from ludometer.core import game_kernels
from ludometer.core.compiling.leaves import leaves_of, state_of_leaves
from ludometer.core.errors import IllegalMoveError, NotationError, shorten
from ludometer.core.game import Game
from ludometer.core.outcome import FIRST, ONGOING, RESULT_TEXT


class Position:
    """Where a game stands; immutable.  It draws itself in a notebook.

    >>> position = lm.game("quixo:4").start().play("A1>right")
    >>> position
    game('quixo:4').position('...X/..../..../.... o')
    >>> position.turn, position.moves()[:2], position.result
    ('o', ['A1>bottom', 'A1>right'], None)
    """

    __slots__ = ("game", "state", "last", "__dict__")

    def __init__(self, game: Game, state: Any, last: int | None = None) -> None:
        self.game = game
        self.state = typed(state)
        self.last = last  # the move that led here, for drawing; not compared

    @cached_property
    def _look(self) -> tuple[int, int, int, tuple[int, ...]]:
        buffer = np.empty(self.game.move_bound, np.int32)
        turn, outcome, margin, count = game_kernels.look(self.game.rules, self.state, buffer)
        return int(turn), int(outcome), int(margin), tuple(int(move) for move in buffer[:count])

    @property
    def player(self) -> int:
        """The player to move: 0 for the first, 1 for the second."""
        return self._look[0]

    @property
    def turn(self) -> str:
        """The player to move by name, as in the notation (`x`, `o`, …)."""
        return self.game.kind.players[self.player]

    @property
    def outcome(self) -> int:
        """ONGOING, or WIN, DRAW, LOSS for the player to move."""
        return self._look[1]

    @property
    def margin(self) -> int:
        """Points of the player to move minus the opponent's (scored games)."""
        return self._look[2]

    @property
    def is_over(self) -> bool:
        return self.outcome != ONGOING

    @property
    def result(self) -> str | None:
        """`1-0`, `0-1` or `1/2-1/2` (first player's points first); None if the game is not over."""
        if not self.is_over:
            return None
        custom = self.game.kind.function("result_text")
        if custom is not None:
            return str(custom(self.game.rules, self.state))
        return RESULT_TEXT[self.outcome if self.player == FIRST else -self.outcome]

    @property
    def legal(self) -> tuple[int, ...]:
        """The legal moves as integers, ascending."""
        return self._look[3]

    def moves(self) -> list[str]:
        """The legal moves as text."""
        return [self.move_text(move) for move in self.legal]

    def move_text(self, move: int) -> str:
        """A move of this position as text."""
        return str(self.game.kind.required("format_move")(self.game.rules, self.state, move))

    def parse_move(self, text: str) -> int:
        """The legal move with this text; raises NotationError or IllegalMoveError."""
        text = text.strip()
        custom = self.game.kind.function("parse_move")
        if custom is not None:
            move = int(custom(self.game.rules, self.state, text))
            if move not in self.legal:
                raise IllegalMoveError(f"move {shorten(text)} is not allowed here; {self._legal_hint()}")
            return move
        for move in self.legal:
            if self.move_text(move).lower() == text.lower():
                return move
        raise NotationError(f"move {shorten(text)} is not allowed here; {self._legal_hint()}")

    def _legal_hint(self) -> str:
        if not self.legal:
            return "the game is over"
        shown = ", ".join(self.move_text(move) for move in self.legal[:4])
        return f"legal moves are {shown}{', …' if len(self.legal) > 4 else ''}"

    def play(self, move: str | int) -> Position:
        """The position after a move, given as text or integer; raises NotationError or IllegalMoveError."""
        if isinstance(move, str):
            move = self.parse_move(move)
        elif move not in self.legal:
            raise IllegalMoveError(f"move number {move} is not allowed here; {self._legal_hint()}")
        return Position(self.game, game_kernels.advance(self.game.rules, self.state, int(move)), int(move))

    def children(self) -> Iterator[tuple[str, Position]]:
        """Every legal move with the position it leads to."""
        for move in self.legal:
            yield self.move_text(move), self.play(move)

    @cached_property
    def symmetry_count(self) -> int:
        return int(game_kernels.image_of_move(self.game.rules, 0, 0)[1])

    def transformed(self, symmetry: int) -> Position:
        """The image of the position under a symmetry of the game (0 is the identity)."""
        return Position(self.game, game_kernels.image(self.game.rules, self.state, symmetry))

    def transformed_move(self, move: int, symmetry: int) -> int:
        """The image of a move under a symmetry of the game."""
        return int(game_kernels.image_of_move(self.game.rules, move, symmetry)[0])

    @property
    def key(self) -> int:
        """A 64-bit hash of everything that determines the rest of the game."""
        return int(game_kernels.hash_of(self.game.rules, self.state))

    def __str__(self) -> str:
        return str(self.game.kind.required("format_position")(self.game.rules, self.state))

    def __repr__(self) -> str:
        return f"game({self.game.spec!r}).position({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.game == other.game and self.state == other.state

    def __hash__(self) -> int:
        return hash((self.game, self.state))

    def svg(self, **options: Any) -> str:
        """The position drawn; options as in `view.boards.svg.render`."""
        from ludometer.view.boards.svg import position_svg

        return position_svg(self, **options)

    def board(self, colour: bool = False) -> str:
        """The position as lines for a terminal, optionally with colours."""
        from ludometer.view.boards.terminal import position_text

        return position_text(self, colour)

    def document(self) -> dict[str, Any]:
        """The position for JSON."""
        scored = {"margin": self.margin} if self.game.kind.scored else {}
        return {
            "game": self.game.reference,
            "position": str(self),
            "turn": self.turn,
            "moves": self.moves(),
            "result": self.result,
            **scored,
        }

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.game, tuple(map(int, leaves_of(self.state))), self.last)

    def _repr_svg_(self) -> str:
        return self.svg()


def typed(state: Any) -> Any:
    """The state with every leaf as uint64, as compiled code expects it (Numba returns plain integers)."""
    if isinstance(state, tuple):
        parts = [typed(part) for part in state]
        return type(state)(*parts) if hasattr(state, "_fields") else tuple(parts)
    return np.uint64(state)


def _unpickled(game: Game, leaves: tuple[int, ...], last: int | None) -> Position:
    """The position with these leaves; unlike the class of a state, they can be pickled for a game from any file."""
    return Position(game, state_of_leaves(game.start().state, leaves, 0), last)
