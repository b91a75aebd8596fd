"""Games: `GameKind` is a family such as Quixo, `Game` a member such as `quixo:4`.

A kind is declared without loading a compiler and names the modules with its functions.  The following are looked up there by
name, the first module that has one wins; compiled functions are described in `core.protocol`.

    rules_from_text(text)                  parameters after the colon -> rules; raises SpecError
    rules_to_text(rules)                   the inverse, in canonical spelling
    format_position(rules, state)          text of a position
    parse_position(rules, text)            the inverse; raises NotationError
    format_move(rules, state, move)        text of a move
    parse_move(rules, state, text)         optional: by default the legal moves' texts are compared, ignoring case
    draw(rules, state, last)               a `core.drawing.Drawing`; `last` is the move that led here, or None
    text_board(rules, state, last)         lines for a terminal, see `core.drawing`
    result_text(rules, state)              optional: the result of a finished game; by default 1-0, 1/2-1/2 or 0-1
    setup_parts(rules, state)              optional, for setting positions up by pointing: list of `core.drawing.Part`
    setup_text(rules, values)              the text of the position whose parts have these values; it may be a wrong one
    setup_pictures(rules)                  how a value of a part looks on the board: value -> Shape around (0, 0)
"""

from __future__ import annotations

import importlib
import pickle
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ludometer.core.errors import GameDefinitionError, SpecError, shorten

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ludometer.core.position import Position
    from ludometer.core.states import Inspection, MoveLists, States

_PYTHON_FUNCTIONS = ("rules_from_text", "rules_to_text", "format_position", "parse_position", "format_move", "draw", "text_board")


@dataclass(frozen=True)
class GameKind:
    """A family of games with the same rules and different parameters, as a game's module declares it.

    >>> lm.game("quixo:3").kind.title, lm.game("quixo:3").kind.syntax
    ('Quixo', 'quixo:N with N from 2 to 6')
    """

    name: str  # the part of a spec before the colon
    title: str  # name for people
    syntax: str  # form of its specs, for help and errors
    listed: tuple[str, ...]  # specs shown by `ludometer games`
    modules: tuple[str, ...]  # full names of the modules with its functions
    players: tuple[str, str] = ("x", "o")  # the sides, as written in positions
    aliases: dict[str, str] = field(default_factory=dict)  # other names -> full specs
    ply_limit: int | None = None  # moves after which a game that can repeat is drawn
    scored: bool = False  # the size of a win counts
    solvable: Callable[[str], bool] = lambda parameters: True  # whether the exact solvers can solve these parameters
    simultaneous: bool = False  # moves are made at the same time
    offers: tuple[str, ...] = ()  # groups of the protocol that are declared without loading the game, such as "windows"
    position_help: str = ""  # one line on the notation of positions
    move_help: str = ""  # one line on the notation of moves
    outside: str = ""  # pattern of the parameters that untrusted input may name, beside those listed …
    outside_help: str = ""  # … and its description
    file: str = ""  # the file it was loaded from, if it is not built in

    @cached_property
    def loaded(self) -> tuple[ModuleType, ...]:
        """The kind's modules, imported."""
        modules = tuple(importlib.import_module(name) for name in self.modules)
        for function in _PYTHON_FUNCTIONS:
            if not any(hasattr(module, function) for module in modules):
                raise GameDefinitionError(f"game {self.name} does not define {function}")
        return modules

    def _register(self, rules: Any) -> None:
        """Register the class of these rules with the protocol, once; raises GameDefinitionError for missing functions."""
        from ludometer.core.compiling import dispatch
        from ludometer.core.protocol import learning, numbering, proving, searching, subboards, tiling  # noqa: F401  (all groups are checked)

        if not (isinstance(rules, tuple) and hasattr(rules, "_fields")):
            raise GameDefinitionError(f"game {self.name}: rules_from_text gives {type(rules).__name__}, which is not a NamedTuple")
        if not dispatch.is_registered(type(rules), self.loaded):
            dispatch.register(type(rules), self.loaded, self.name, self.offers)

    def function(self, name: str) -> Callable[..., Any] | None:
        """A function of this kind by name, or None if it has none."""
        for module in self.loaded:
            if hasattr(module, name):
                found: Callable[..., Any] = getattr(module, name)
                return found
        return None

    def required(self, name: str) -> Callable[..., Any]:
        """A function of this kind by name; raises GameDefinitionError if it has none."""
        found = self.function(name)
        if found is None:
            raise GameDefinitionError(f"game {self.name} does not define {name}")
        return found

    def game(self, parameters: str = "") -> Game:
        """The member with these parameters; raises SpecError if there is none."""
        rules = self.required("rules_from_text")(parameters)
        self._register(rules)
        canonical = self.required("rules_to_text")(rules)
        return Game(self, f"{self.name}:{canonical}" if canonical else self.name, rules)

    def listed_games(self) -> list[Game]:
        """The games shown by `ludometer games`; none of the kind's modules is loaded."""
        return [Game(self, self.aliases.get(spec, spec)) for spec in self.listed]

    def check_outside(self, parameters: str) -> None:
        """Raise SpecError unless untrusted input may name these parameters."""
        listed = [game.parameters for game in self.listed_games()]
        if parameters not in listed and not (self.outside and re.fullmatch(self.outside, parameters)):
            hint = self.outside_help or f"one of {', '.join(self.listed)}"
            raise SpecError(f"game {self.name}: {shorten(parameters)} cannot be had from outside; write {hint}")

    def wrong(self, parameters: str, reason: str) -> SpecError:
        """The error for parameters this kind does not take."""
        return SpecError(f"{self.name}:{parameters}: {reason}; write {self.syntax}")


class Game:
    """One game with fixed parameters, such as `quixo:4`.  Games are equal if their kinds and parameters are; they pickle by reference.

    Methods with a plural in their name take many states at once, as `States`, positions or texts, and work at compiled speed.

    >>> game = lm.game("quixo:3")
    >>> states = game.random_states(1000, seed=1)
    >>> game.play(states, game.legal_moves(states).padded()[:, 0])
    <1,000 states of quixo:3>
    """

    def __init__(self, kind: GameKind, spec: str, rules: Any = None) -> None:
        self.kind = kind
        self.spec = spec  # canonical
        if rules is not None:
            self.rules = rules

    @cached_property
    def rules(self) -> Any:
        """The rules NamedTuple; for listed games the modules are loaded on first use."""
        return self.kind.game(self.parameters).rules

    @property
    def parameters(self) -> str:
        """The part of its spec after the colon."""
        return self.spec[len(self.kind.name) + 1 :]

    @property
    def reference(self) -> str:
        """The name of this game in any process: its spec, or the path of its file with the parameters."""
        return f"{self.kind.file or self.kind.name}{self.spec[len(self.kind.name) :]}"

    def start(self) -> Position:
        """The starting position."""
        from ludometer.core import game_kernels
        from ludometer.core.position import Position

        return Position(self, game_kernels.begin(self.rules)[0])

    def position(self, text: str) -> Position:
        """A position from its text, or `start`; raises NotationError that says which character is wrong."""
        from ludometer.core.position import Position

        if text.strip().lower() in ("", "start"):
            return self.start()
        return Position(self, self.kind.required("parse_position")(self.rules, text.strip()))

    @cached_property
    def move_bound(self) -> int:
        """Every move is an integer below this."""
        from ludometer.core import game_kernels

        return int(game_kernels.begin(self.rules)[1])

    def states(self, states: States | Iterable[Position | str]) -> States:
        """Many states in one array, from positions or their texts; raises NotationError."""
        from ludometer.core.states import States

        return States.of(self, states)

    def random_states(self, number: int, seed: int = 0) -> States:
        """Random ongoing states; state i depends on the seed and i alone."""
        from ludometer.core.states import random_states

        return random_states(self, number, seed)

    def legal_moves(self, states: States | Iterable[Position | str]) -> MoveLists:
        """The legal moves of each state, ascending."""
        from ludometer.core.states import States, legal_moves

        return legal_moves(States.of(self, states))

    def play(self, states: States | Iterable[Position | str], moves: npt.ArrayLike) -> States:
        """The states after one move, given as a number, in each; raises IllegalMoveError that names the first illegal one."""
        from ludometer.core.states import States, play

        return play(States.of(self, states), moves)

    def outcomes(self, states: States | Iterable[Position | str]) -> npt.NDArray[np.int8]:
        """The outcome of each state for its player to move: 1 win, 0 draw, −1 loss, 2 ongoing."""
        return self._inspect(states).outcomes

    def turns(self, states: States | Iterable[Position | str]) -> npt.NDArray[np.int8]:
        """The player to move in each state: 0 first, 1 second."""
        return self._inspect(states).turns

    def margins(self, states: States | Iterable[Position | str]) -> npt.NDArray[np.int64]:
        """Points of the player to move minus the other's in each state."""
        return self._inspect(states).margins

    def keys(self, states: States | Iterable[Position | str]) -> npt.NDArray[np.uint64]:
        """The 64-bit key of each state, as `Position.key`."""
        return self._inspect(states).keys

    def features(self, states: States | Iterable[Position | str]) -> npt.NDArray[np.float64]:
        """The features of each state as its player to move sees it, a row for each; raises LudometerError if the game has none."""
        from ludometer.core.states import States, features

        return features(States.of(self, states))

    def _inspect(self, states: States | Iterable[Position | str]) -> Inspection:
        from ludometer.core.states import States, inspect

        return inspect(States.of(self, states))

    def __str__(self) -> str:
        return self.spec

    def __repr__(self) -> str:
        return f"game({self.reference!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.spec == other.spec and self.kind is other.kind

    def __hash__(self) -> int:
        return hash(self.spec)

    def __reduce__(self) -> tuple[Any, ...]:
        from ludometer.games import kind_of

        if kind_of(self.reference) is not self.kind:
            raise pickle.PicklingError(f"game {self.spec} cannot be pickled: its kind is neither built in nor from a file")
        return _reopened, (self.reference,)


def _reopened(reference: str) -> Game:
    from ludometer.games import game

    return game(reference)
