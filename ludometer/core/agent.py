"""Agents: `AgentKind` is a family such as MCTS, `Agent` a member that plays one game, such as `mcts:1000`, and `Player` that agent in
one game.

A spec is `name`, `name:value`, or `name:option=value,option=value`; a bare value goes to the kind's main option, and the bare name of a
yes-or-no option means yes.  All spellings of an agent have one canonical spec: the options that differ from their defaults, in
declared order, the main option bare.
"""

from __future__ import annotations

import hashlib
import importlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.core.errors import SpecError, shorten
from ludometer.core.game import Game
from ludometer.core.outcome import FIRST
from ludometer.core.requests import Request
from ludometer.core.stopping import Stop
from ludometer.core.text import short_spec, split_file_spec

if TYPE_CHECKING:
    from ludometer.core.position import Position

_DIGEST = 12  # hexadecimal digits of a digest in an identity
_SMALL_FILE = 2**20  # bytes: of larger files in a folder only the size counts


# Number of the decisions that the agents of this package make.  It is raised whenever a frozen decision changes (tests/frozen), so that
# stored results of different decisions are never added up.  A release that changes no decision continues earlier experiments.
DECISIONS = 1


_STUDY_NAME = re.compile(r"study\d{3}(?=:|$)")


def is_study_name(name: str) -> bool:
    """True for the name of a study or of one of its agents, such as `study000:mcts`."""
    return _STUDY_NAME.match(name.strip().lower()) is not None


def names_file(spec: str) -> bool:
    """Whether an agent spec begins with the path of a Python file, such as `my_agent.py:depth=4`."""
    return split_file_spec(spec) is not None


def split_spec(spec: str) -> tuple[str, str]:
    """(name, parameters) of an agent spec: `mcts:100` is ("mcts", "100"), `study000:mcts:100` is ("study000:mcts", "100").

    The name of an agent from a file is the path of the file, as it is written.
    """
    if found := split_file_spec(spec):
        return found
    name, _, parameters = spec.strip().partition(":")
    if is_study_name(name):
        agent, _, parameters = parameters.partition(":")
        name = f"{name.strip()}:{agent.strip()}"
    return name.strip().lower(), parameters


@dataclass(frozen=True)
class Decision:
    """A move and what the agent reports about it."""

    move: int
    value: float | None = None  # expected points of the player who moves, from 0 (a loss) to 1 (a win); None if unknown
    report: dict[str, Any] = field(default_factory=dict)  # nodes, depth, playouts, seconds, its own scale of values, …

    @property
    def positions(self) -> int | None:
        """Positions visited: tree and playout moves of a tree search, nodes of a depth-first one; None if not reported."""
        found = self.report.get("positions", self.report.get("nodes"))
        return None if found is None else int(found)


class Agent:
    """One way of playing one game, ready to play: options checked, tables opened, learnt and compiled.

    An agent is made once and plays any number of games, also in several threads at once: the state of a single game is kept by its
    `Player`.  A subclass defines `choose`, if a position is all it needs, or `player`.
    """

    def __init__(self, game: Game, spec: str) -> None:
        self.game = game
        self.spec = spec  # in canonical form, see `AgentKind.spec`
        self.identity = spec  # the same with a digest of every file it names: equal identities play alike

    def player(self, start: Position | None = None, side: int = FIRST, ply_limit: int | None = None) -> Player:
        """A player for one game: from `start`, as `side` (FIRST or SECOND), drawn after `ply_limit` moves."""
        return Player(self, start or self.game.start(), side, ply_limit)

    def compiled_player(self, stop: Stop | None = None) -> Any:
        """A new compiled player (see `core.compiling.compiled_player`), which observes `stop`; None if the agent plays in Python only."""
        return None

    def choose(self, position: Position, key: np.uint64, stop: Stop | None = None) -> Decision | Request:
        """The move for a position without its history; all chance comes from the random key, see `core.random`."""
        player = self.player(position, position.player, self.game.kind.ply_limit)
        try:
            return player.choose(position, key, stop)
        finally:
            player.leave()

    def __str__(self) -> str:
        return short_spec(self.spec)

    def __repr__(self) -> str:
        return f"agent({self.spec!r}, {self.game.reference!r})"


class Player:
    """An agent in one game: it observes every move from the start and chooses on its turn.

    This class serves agents that need only the position and define `Agent.choose`.  Others subclass it to keep what they remember of the
    game.
    """

    def __init__(self, agent: Agent, start: Position, side: int, ply_limit: int | None) -> None:
        self.agent = agent
        self.start = start
        self.side = side
        self.ply_limit = ply_limit  # counted from the start; None: the game is never drawn for its length

    def observe(self, move: int, after: Position) -> None:
        """A move of either player was made and led to `after`.  A player is told of all moves before it chooses."""

    def choose(self, position: Position, key: np.uint64, stop: Stop | None = None) -> Decision | Request:
        """The move for this position, or a request; all chance comes from the random key, see `core.random`.

        Once `stop` is asked, it returns the best move found so far, or raises Stopped if it has none.
        """
        if getattr(self.agent.choose, "__func__", None) is Agent.choose:
            raise TypeError(f"{type(self.agent).__name__} defines neither `choose` nor a `player` whose class does")
        return self.agent.choose(position, key, stop)

    def leave(self) -> None:
        """End the game for this player: end its processes and close its files.  May be called twice."""


@dataclass(frozen=True)
class Option:
    """A setting of an agent: its name, default (whose type is the option's), meaning, and what is allowed.

    `outside` bounds what untrusted input, such as a form on a web page, may set: the default only (False), anything (True), or numbers up
    to this one.  Options with `choices` and yes-or-no options may always be set.

    `implies` changes defaults of other options: pairs of a value of this option and the defaults that hold then, as pairs of name and
    value.  Options given in a spec override them.
    """

    name: str
    default: Any
    help: str
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    file: bool = False  # names a file or folder, whose content is part of the identity
    outside: bool | float = False
    implies: tuple[tuple[Any, tuple[tuple[str, Any], ...]], ...] = field(default=(), repr=False)

    @property
    def is_switch(self) -> bool:
        """Whether its values are yes and no."""
        return isinstance(self.default, bool)

    def parse(self, text: str, where: str) -> Any:
        """The value written as `text`; raises SpecError."""
        if self.is_switch:
            if text.lower() in ("yes", "true", "on", "1"):
                return True
            if text.lower() in ("no", "false", "off", "0"):
                return False
            raise SpecError(f"{where}: {self.name} is yes or no, not {shorten(text)}")
        if self.choices:
            if text.lower() not in self.choices:
                raise SpecError(f"{where}: {self.name} is one of {', '.join(self.choices)}, not {shorten(text)}")
            return text.lower()
        if isinstance(self.default, str):
            return text
        kind = "a whole number" if isinstance(self.default, int) else "a number"
        try:
            value = type(self.default)(text)
        except ValueError:
            raise SpecError(f"{where}: {self.name} is {kind}, not {shorten(text)}") from None
        if value != value or (self.least is not None and value < self.least) or (self.most is not None and value > self.most):
            raise SpecError(f"{where}: {self.name} is {kind}{self._limits()}, not {shorten(text)[1:-1]}")
        return value or type(self.default)()  # −0.0 is 0

    def _limits(self) -> str:
        if self.least is None:
            return "" if self.most is None else f" of at most {self.most:g}"
        return f" at least {self.least:g}" if self.most is None else f" between {self.least:g} and {self.most:g}"

    def format(self, value: Any) -> str:
        """The inverse of `parse`, in canonical spelling."""
        if self.is_switch:
            return "yes" if value else "no"
        if isinstance(value, float):
            return f"{value:g}" if float(f"{value:g}") == value else repr(value)
        return str(value)

    def check_outside(self, value: Any, where: str) -> None:
        """Raise SpecError unless input from outside may set this value."""
        if value == self.default or self.is_switch or self.choices or self.outside is True:
            return
        if self.file:
            raise SpecError(f"{where}: {self.name} names a file, which input from outside cannot do")
        if self.outside is False:
            raise SpecError(f"{where}: {self.name} cannot be set from outside; leave it out")
        if value > self.outside:
            raise SpecError(f"{where}: {self.name} is at most {self.outside:g} from outside, not {self.format(value)}")


@dataclass(frozen=True)
class AgentKind:
    """A family of agents.  Declared in a module that loads no compiler; `home` is loaded when an agent is made."""

    name: str
    title: str
    home: str  # "module:Class"; the class takes (game, spec, **options)
    options: tuple[Option, ...] = ()
    main: str = ""  # the option that a bare value sets
    simultaneous: bool = False  # can play games with simultaneous moves
    inside_only: str = ""  # why untrusted input cannot name it; empty: it can
    version: str = ""  # a digest of the program, part of every identity; empty for agents of this package
    local: bool = False  # made from an object of this process, which no other process can find

    @property
    def short_name(self) -> str:
        """The name for people: a file without its folders."""
        return short_spec(self.name)

    @property
    def syntax(self) -> str:
        """How its specs are written."""
        named = ",".join(f"{option.name}=…" for option in self.options)
        return f"{self.short_name}:{named}" if named else self.short_name

    def option(self, name: str) -> Option:
        """The option of this name."""
        return next(option for option in self.options if option.name == name)

    @property
    def where(self) -> str:
        """The beginning of its error messages."""
        return f"agent {self.short_name}"

    def parse_options(self, text: str) -> dict[str, Any]:
        """Values of all options from the text after the colon; raises SpecError."""
        given = self.given(text)
        return self.defaults(given) | given

    def given(self, text: str) -> dict[str, Any]:
        """Values of the options in the text; raises SpecError."""
        known = {option.name: option for option in self.options}
        given: dict[str, Any] = {}
        for part in text.split(",") if text else []:
            name, value = self._name_and_value(part, known)
            if name not in known:
                have = f"options are {', '.join(known)}" if known else "it has no options"
                raise SpecError(f"{self.where} has no option {shorten(name)}; {have}")
            if name in given:
                raise SpecError(f"{self.where}: {name} is given twice in {shorten(text)}")
            given[name] = known[name].parse(value, self.where)
        return given

    def defaults(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Values of all options that are not given, after `implies` of the given ones."""
        values = {option.name: option.default for option in self.options}
        for option in self.options:
            for value, others in option.implies:
                if given.get(option.name, option.default) == value:
                    values |= dict(others)
        return values

    def _name_and_value(self, part: str, known: Mapping[str, Option]) -> tuple[str, str]:
        """`option=value`, the bare name of a switch, or a bare value."""
        name, equals, value = (word.strip() for word in part.partition("="))
        if equals:
            return name, value
        if name in known and known[name].is_switch:
            return name, "yes"
        if not self.main:
            raise SpecError(f"{self.where} takes no bare value {shorten(part)}; write {self.syntax}")
        return self.main, name

    def spec(self, values: Mapping[str, Any]) -> str:
        """The canonical spec for these values of the options."""
        return self._written(self.name, {option: option.format(values[option.name]) for option in self._changed(values)})

    def identity(self, values: Mapping[str, Any], game: Game) -> str:
        """The canonical spec with every file named by its last part and a digest of the content that this game uses.

        Of a program that is not of this package the digest is `version`.
        """
        texts = {}
        for option in self._changed(values):
            text = option.format(values[option.name])
            texts[option] = f"{Path(text).name}@{self.digest(option, text, game)}" if option.file else text
        return self._written(f"{self.short_name}@{self.version}" if self.version else self.name, texts)

    def digest(self, option: Option, path: str, game: Game) -> str:
        """A digest of what an agent for this game reads from this file or folder."""
        return digest(Path(path).expanduser())

    def _changed(self, values: Mapping[str, Any]) -> list[Option]:
        usual = self.defaults(values)  # an option with `implies` has no default but its own
        return [option for option in self.options if values[option.name] != usual[option.name]]

    def _written(self, name: str, texts: Mapping[Option, str]) -> str:
        switches = {option.name for option in self.options if option.is_switch}
        parts = []
        for option, text in texts.items():
            bare = option.name == self.main and text and "=" not in text and text not in switches
            parts.append(text if bare else option.name if option.is_switch and text == "yes" else f"{option.name}={text}")
        return f"{name}:{','.join(parts)}" if parts else name

    def refuses(self, game: Game) -> str | None:
        """Why this kind of agent cannot play that game, or None if it can.  Asked about listed games without loading a compiler."""
        if game.kind.simultaneous and not self.simultaneous:
            return "moves are made at the same time"
        return None

    def check_outside(self, parameters: str) -> None:
        """Raise SpecError unless input from outside may name these parameters, see `Option.outside`."""
        if self.inside_only:
            raise SpecError(f"{self.where} cannot be had from outside: {self.inside_only}")
        for name, value in self.given(parameters).items():
            self.option(name).check_outside(value, self.where)

    def options_for(self, game: Game, parameters: str = "") -> dict[str, Any]:
        """Values of all options of an agent with these parameters at this game; raises SpecError when the pair does not fit."""
        options = self.parse_options(parameters)
        reason = self.refuses(game)
        if reason is not None:
            raise SpecError(f"{self.where} cannot play {game.spec}: {reason}")
        return options

    def agent(self, game: Game, parameters: str = "") -> Agent:
        """The agent with these parameters at this game; raises SpecError when the pair does not fit."""
        options = self.options_for(game, parameters)
        module, _, name = self.home.partition(":")
        made: Agent = getattr(importlib.import_module(module), name)(game, self.spec(options), **options)
        made.identity = self.identity(options, game)
        return made


def digest(path: Path) -> str:
    """A short digest of a file's content, or of the names and sizes of a folder's files and the contents of the small ones."""
    found = hashlib.sha256()
    try:
        if path.is_dir():
            for file in sorted(file for file in path.rglob("*") if file.is_file()):
                size = file.stat().st_size
                found.update(f"{file.relative_to(path)}\0{size}\0".encode())
                found.update(file.read_bytes() if size <= _SMALL_FILE else b"")
        else:
            found.update(path.read_bytes())
    except OSError as error:
        raise SpecError(f"cannot read {shorten(str(path))}: {(error.strerror or str(error)).lower()}") from error
    return found.hexdigest()[:_DIGEST]
