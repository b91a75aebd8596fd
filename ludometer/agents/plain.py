"""Plays with a plain Python program: a function `choose(position)`, or a class with such a method.

The program may ask `random` and `numpy.random`, which are seeded for each move, or take a parameter `rng`, a `random.Random`.
A class is made anew for each game, so that what an object remembers belongs to one game.
"""

from __future__ import annotations

import inspect
import operator
import os
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.agents.own import RANDOM_SOURCE, Program
from ludometer.core.agent import Agent, Decision, Player
from ludometer.core.errors import IllegalMoveError, LudometerError, shorten
from ludometer.core.game import Game
from ludometer.core.outcome import FIRST
from ludometer.core.own_modules import one_line
from ludometer.core.requests import Request
from ludometer.core.stopping import Stop

if TYPE_CHECKING:
    from ludometer.core.position import Position

_chance = threading.RLock()  # held while `random` and `numpy.random` are seeded for one move


class AgentError(LudometerError):
    """A program of the user's own that failed."""


class PlainAgent(Agent):
    """A function or class with values for its options."""

    def __init__(self, game: Game, spec: str, program: Program, options: Mapping[str, Any], where: str) -> None:
        super().__init__(game, spec)
        self.program = program
        self.options = dict(options)
        self.where = where

    def player(self, start: Position | None = None, side: int = FIRST, ply_limit: int | None = None) -> PlainPlayer:
        return PlainPlayer(self, start or self.game.start(), side, ply_limit)


class PlainPlayer(Player):
    """One game of a program."""

    agent: PlainAgent
    _chooser: Any = None  # a function or a bound method

    def choose(self, position: Position, key: np.uint64, stop: Stop | None = None) -> Decision | Request:
        if stop is not None:
            stop.check(self.agent.where)
        since = time.perf_counter()
        try:
            with _seeded(int(key)):
                answer = self._asked(position, int(key))
        except Exception as error:
            raise AgentError(f"{self.agent.where}, asked at {shorten(str(position), 100)}: {self._said(error)}") from error
        if isinstance(answer, (Decision, Request)):
            return answer
        return Decision(self._move(answer, position), None, {"seconds": time.perf_counter() - since})

    def _asked(self, position: Position, key: int) -> Any:
        """The program's answer; an object of its class is made for the first move."""
        program = self.agent.program
        if self._chooser is None:
            self._chooser = program(**self.agent.options).choose if isinstance(program, type) else program
        options = {} if isinstance(program, type) else dict(self.agent.options)
        if _takes_random_source(self._chooser):
            options[RANDOM_SOURCE] = random.Random(key)
        return self._chooser(position, **options)

    def _said(self, error: BaseException) -> str:
        """The error in one line, with the line of the program's file."""
        return one_line(error, Path(_file_of(self.agent.program) or os.devnull))

    def _move(self, answer: Any, position: Position) -> int:
        """The number of the move that was answered; raises IllegalMoveError that says what is legal."""
        try:
            if isinstance(answer, str):
                return position.parse_move(answer)
            if isinstance(answer, (bool, float)) or answer is None:
                raise TypeError
            move = operator.index(getattr(answer, "move", answer))
        except TypeError:
            wanted = "a move, as text or as a number"
            message = f"{self.agent.where} at {position}: {_answered(answer)}; it should return {wanted}, such as {position.moves()[0]!r}"
            raise IllegalMoveError(message) from None
        except LudometerError as error:
            raise IllegalMoveError(f"{self.agent.where} at {position}: {error}") from error
        if move not in position.legal:
            moves = ", ".join(map(str, position.legal[:4]))
            shown = f"{moves}{', …' if len(position.legal) > 4 else ''}"
            raise IllegalMoveError(f"{self.agent.where} at {position}: move number {move} is not allowed here; legal numbers are {shown}")
        return move


def _answered(answer: Any) -> str:
    return "choose returned nothing" if answer is None else f"choose returned {shorten(repr(answer))}"


def _file_of(program: Any) -> str | None:
    return getattr(sys.modules.get(program.__module__), "__file__", None)


def _takes_random_source(chooser: Callable[..., Any]) -> bool:
    try:
        return RANDOM_SOURCE in inspect.signature(chooser).parameters
    except (TypeError, ValueError):
        return False


@contextmanager
def _seeded(key: int) -> Iterator[None]:
    """Python's and NumPy's shared random generators depend on the key inside, and are as before outside.

    Threads take turns, so that the moves of one do not depend on those of another.
    """
    with _chance:
        before, numpy_before = random.getstate(), np.random.get_state()
        random.seed(key)
        np.random.seed(key & 0xFFFFFFFF)
        try:
            yield
        finally:
            random.setstate(before)
            np.random.set_state(numpy_before)
