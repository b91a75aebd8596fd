"""The process in which a file of the user's own is checked; `checking.py` starts it and ends it when a call takes too long.

    python -m ludometer.checks.worker plain|compiled|agent FILE SECONDS [GAME]

Lines of JSON go out: {"stage": "play"} before a function is called, {"function": "play", "message": "…"} for a finding, {"done": true}.
In the stage `plain` nothing is compiled: errors have the lines of the file, and a call that does not return can be interrupted.
"""

# Steps are lambdas with defaults, whose types mypy cannot infer, around checks that return nothing.
# mypy: disable-error-code="misc,func-returns-value"
from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

PLAIN, COMPILED, AGENT = "plain", "compiled", "agent"
_DISABLE = "NUMBA_DISABLE_JIT"
_SPARE = 256


class TookTooLong(Exception):
    """A call did not return within its time."""


class Report:
    """What the process says."""

    def __init__(self) -> None:
        self.found = 0
        self._out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)  # what the file prints is no answer

    def say(self, **content: Any) -> None:
        self.found += "message" in content
        self._out.write(json.dumps(content) + "\n")
        self._out.flush()


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Raise TookTooLong in Python code that runs longer; compiled code is ended from outside."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise TookTooLong(f"does not return within {seconds:g} s; look for a loop that never ends")

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Checker:
    """Runs steps one after the other; a step that fails is a finding."""

    def __init__(self, file: Path, seconds: float, report: Report) -> None:
        self.file, self.seconds, self.report = file, seconds, report
        self.result: Any = None  # of the latest call that returned

    def step(self, function: str, call: Callable[..., Any], *arguments: Any) -> Any:
        """The result of a call, or None with a finding that names the function."""
        return self.result if self.passes(function, call, *arguments) else None

    def passes(self, function: str, call: Callable[..., Any], *arguments: Any) -> bool:
        """Whether a call returns; otherwise there is a finding that names the function."""
        from ludometer.core.errors import LudometerError
        from ludometer.core.own_modules import one_line, place_of

        self.report.say(stage=function)
        try:
            with _limited(self.seconds):
                self.result = call(*arguments)
            return True
        except Exception as error:
            place = place_of(error.__traceback__, self.file)
            named = place[1] if place is not None and not place[1].startswith("<") else function
            text = " ".join(str(error).split())
            if isinstance(error, TookTooLong):
                message = f"{f'line {place[0]}: ' if place else ''}{text}"
            elif isinstance(error, (AssertionError, LudometerError)) and text:
                message = text
            else:
                message = one_line(error, self.file)
            self.report.say(function=named, message=message)
            return False


def check_plainly(checker: Checker) -> None:
    """A game without the compiler: loading, types of states, moves, whole games."""
    import random

    import numpy as np

    from ludometer.checks.game_contract import Broken, leaves
    from ludometer.core.outcome import ONGOING
    from ludometer.games import game

    found = checker.step("GAME", lambda: game(str(checker.file)))
    if found is None:
        return
    kind, rules = found.kind, found.rules
    functions = {name: kind.required(name) for name in ("start", "legal_moves", "play", "outcome", "turn", "move_bound")}
    bound = checker.step("move_bound", lambda: int(functions["move_bound"](rules)))
    state = checker.step("start", lambda: functions["start"](rules))
    if bound is None or state is None:
        return

    def check_state(one: Any) -> None:
        if not (isinstance(one, tuple) and hasattr(one, "_fields")):
            raise Broken(f"gives {type(one).__name__}, which is no NamedTuple")
        for field, value in zip(one._fields, one):
            for leaf in leaves((value,)):
                if isinstance(leaf, (list, dict, set)):
                    raise Broken(f"field {field} of the state is a {type(leaf).__name__}; a state is made of np.uint64 and tuples of them")
                if not isinstance(leaf, np.uint64):
                    raise Broken(f"field {field} of the state is {type(leaf).__name__}, not uint64; write np.uint64(…), U0 or U1")

    def number_of(name: str, one: Any) -> int:
        return int(functions[name](rules, one))

    def moves_of(one: Any) -> list[int]:
        buffer = np.full(bound + _SPARE, -1, np.int32)  # room for moves too many, which are then seen
        count = functions["legal_moves"](rules, one, buffer)
        if count is None:
            raise Broken("returns nothing; it returns the number of moves written into the buffer")
        moves = [int(move) for move in buffer[:count]]
        if moves != sorted(set(moves)):
            raise Broken(f"moves are not distinct and ascending: {moves[:12]}; write them in ascending order, each once")
        if any(not 0 <= move < bound for move in moves):
            raise Broken(f"a move of {moves[:12]} is not between 0 and move_bound - 1 = {bound - 1}")
        return moves

    if not (checker.passes("start", check_state, state) and checker.passes("start", hash, state)):
        return
    limit = kind.ply_limit or 20_000
    for number in range(3):
        source, one = random.Random(number), state
        for ply in range(limit + 1):
            outcome = checker.step("outcome", number_of, "outcome", one)
            if outcome is None:
                return
            turn = checker.step("turn", number_of, "turn", one)
            moves = checker.step("legal_moves", moves_of, one)
            if turn is None or moves is None:
                return
            if outcome not in (-1, 0, 1, ONGOING):
                checker.report.say(function="outcome", message=f"returns {outcome}; it returns WIN, DRAW, LOSS or ONGOING")
                return
            if (outcome == ONGOING) != bool(moves):
                said = "ONGOING but there is no legal move" if outcome == ONGOING else f"the game is over but there are moves: {moves[:12]}"
                cure = "a game without a legal move is over" if outcome == ONGOING else "return 0 moves when outcome is not ONGOING"
                checker.report.say(function="legal_moves", message=f"outcome says {said}, after {ply} moves; {cure}")
                return
            if outcome != ONGOING:
                break
            if ply == limit:
                if not kind.ply_limit:
                    message = f"a random game does not end within {limit:,} moves; set ply_limit=… in GameKind, or mend outcome"
                    checker.report.say(function="outcome", message=message)
                    return
                break
            move = source.choice(moves)
            after = checker.step("play", functions["play"], rules, one, move)
            if after is None or not checker.passes("play", check_state, after):
                return
            if type(after) is not type(state):
                checker.report.say(function="play", message=f"gives a {type(after).__name__} instead of a {type(state).__name__}")
                return
            one = after


def check_compiled(checker: Checker) -> None:
    """A game as it is used: compiled, through the whole contract."""
    from ludometer.checks import game_contract as contract
    from ludometer.games import game

    seed = 1
    found = checker.step("GAME", lambda: game(str(checker.file)))
    if found is None or not checker.passes("rules_from_text", contract.check_spec, found):
        return
    positions = checker.step("legal_moves", lambda: contract.random_positions(found, 6, seed))
    if positions is None:
        return
    chosen, few = contract.some(positions, 40, seed), contract.some(positions, 8, seed)

    def each(check: Callable[..., None], places: list[Any], *more: Any) -> Callable[[], None]:
        def run() -> None:
            for position in places:
                check(position, *more)

        return run

    for function, run in (
        ("play", each(contract.check_step, chosen)),
        ("outcome", each(contract.check_result, positions)),
        ("key", partial(contract.check_keys, positions)),
        ("random_move", each(contract.check_random_moves, chosen, seed)),
        ("random_move", partial(contract.check_random_moves_are_uniform, positions, seed)),
        ("format_move", each(contract.check_notation, chosen)),
        ("transform", each(contract.check_symmetries, chosen, seed)),
        ("transform", partial(contract.check_symmetries_form_a_group, positions, seed)),
        ("draw", each(contract.check_drawing, few)),
        ("draw", each(contract.check_pointing, few)),
        ("setup_parts", each(contract.check_setup, few)),
        ("parse_position", partial(contract.check_garbage, found, 1_000, seed)),
    ):
        if not checker.passes(function, run) and function in ("play", "outcome"):
            return


def check_agent(checker: Checker, games: str) -> None:
    """An agent: its declaration, legal moves, the same move for the same key, whole games."""
    from ludometer.agents import agent
    from ludometer.arena.play.playing import play_game
    from ludometer.core.agent import Decision
    from ludometer.core.random import stream
    from ludometer.core.requests import Request
    from ludometer.games import game

    made = checker.step("choose", lambda: agent(str(checker.file), game(games)))
    if made is None:
        return
    position = made.game.start()
    for number in range(6):
        key = stream(1, number)
        answers = [checker.step("choose", made.choose, position, key) for _ in range(2)]
        if None in answers:
            return
        if isinstance(answers[0], Request):
            break
        first, second = (answer.move if isinstance(answer, Decision) else answer for answer in answers)
        if first not in position.legal:
            message = f"returns move {first} at {position}, which is not legal; choose from position.legal or position.moves()"
            checker.report.say(function="choose", message=message)
            return
        if first != second:
            message = "two calls with the same seed give two moves; take chance from random, numpy.random or rng only, never from the clock"
            checker.report.say(function="choose", message=message)
            return
        position = position.play(first)
        if position.is_over:
            break
    for seed, (one, two) in enumerate(((made, "random"), ("random", made))):
        if not checker.passes("choose", play_game, made.game, one, two, seed):
            return


def main() -> None:
    mode, file, seconds = sys.argv[1], Path(sys.argv[2]), float(sys.argv[3])
    report = Report()
    if mode == PLAIN:
        import warnings

        os.environ[_DISABLE] = "1"
        warnings.simplefilter("ignore")
    checker = Checker(file, seconds, report)
    if mode == PLAIN:
        check_plainly(checker)
    elif mode == COMPILED:
        check_compiled(checker)
    else:
        check_agent(checker, sys.argv[4])
    report.say(done=True)


if __name__ == "__main__":
    main()
