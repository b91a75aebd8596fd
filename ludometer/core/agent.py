"""Agents as people see them: `AgentKind` is an idea such as MCTS, `Agent` one player such as `mcts:1000` at one game.

A spec is `name`, `name:value`, or `name:option=value,option=value`; a bare value goes to the kind's main option.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.core.errors import SpecError, shorten
from ludometer.core.game import Game, GameKind
from ludometer.core.outcome import FIRST
from ludometer.core.stopping import Stop

if TYPE_CHECKING:
    from ludometer.core.position import Position


@dataclass(frozen=True)
class Decision:
    """A move and what the agent can say about it."""

    move: int
    value: float | None = None  # points the player who moves expects, from 0 (a loss) to 1 (a win); None if it cannot say
    report: dict[str, Any] = field(default_factory=dict)  # nodes, depth, playouts, seconds, its own scale of values, …


class Agent:
    """One way of playing one game, ready to play: options checked, tables opened, learnt and compiled.

    An agent is made once and plays any number of games, also at the same time in several threads: all that belongs to a single game is
    kept by the `Player` it sends to the board.
    """

    def __init__(self, game: Game, spec: str) -> None:
        self.game = game
        self.spec = spec

    def begin(self) -> None:
        """Called before each new game; agents with a memory of the running game drop it here."""

    def player(self, start: Position | None = None, side: int = FIRST, ply_limit: int | None = None) -> Player:
        """Somebody who plays one game for this agent: it begins at `start`, as `side` (FIRST or SECOND), drawn after `ply_limit` moves."""
        return Player(self, start or self.game.start(), side, ply_limit)

    def mind(self, stop: Stop | None = None) -> Any:
        """A player as compiled games use it (see `core.mind`), which looks at `stop`; None for agents that play through Python only."""
        return None

    def choose(self, position: Position, key: np.uint64, stop: Stop | None = None) -> Decision:
        """The move for a position seen for the first time; all chance comes from the random key, see `core.random`."""
        return self.player(position, position.player, self.game.kind.ply_limit).choose(position, key, stop)

    def __str__(self) -> str:
        return self.spec


class Player:
    """An agent at the board: sees one game go by, from the start through every move, and chooses when it is its turn.

    This class serves agents that need to know nothing but the position: they define `Agent.choose`.  Others have a subclass here that
    keeps what they remember of the game.
    """

    def __init__(self, agent: Agent, start: Position, side: int, ply_limit: int | None) -> None:
        self.agent = agent
        self.start = start
        self.side = side
        self.ply_limit = ply_limit  # counted from the start; None: the game is never drawn for its length

    def observe(self, move: int, after: Position) -> None:
        """A move was made, by this player or the other one, and led to `after`."""

    def choose(self, position: Position, key: np.uint64, stop: Stop | None = None) -> Decision:
        """The move for this position; all chance comes from the random key, see `core.random`.

        Once `stop` is asked, it returns the best move found so far, or raises Stopped if it has none.
        """
        return self.agent.choose(position, key, stop)


@dataclass(frozen=True)
class Option:
    """A setting of an agent: its name, default (whose type is the option's), meaning, and what is allowed."""

    name: str
    default: Any
    help: str
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None

    def parse(self, text: str, where: str) -> Any:
        """The value written as `text`; raises SpecError."""
        if isinstance(self.default, bool):
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
            limits = f"at least {self.least:g}" if self.most is None else f"between {self.least:g} and {self.most:g}"
            raise SpecError(f"{where}: {self.name} is {kind} {limits}, not {text}")
        return value


@dataclass(frozen=True)
class AgentKind:
    """An idea of how to play.  Declared in a module that loads no compiler; `home` is loaded when an agent is made."""

    name: str
    title: str
    home: str  # "module:Class"; the class takes (game, spec, **options)
    options: tuple[Option, ...] = ()
    main: str = ""  # the option that a bare value sets

    @property
    def syntax(self) -> str:
        """How its specs are written."""
        named = ",".join(f"{option.name}=…" for option in self.options)
        return f"{self.name}:{named}" if named else self.name

    def parse_options(self, text: str) -> dict[str, Any]:
        """Values of all options from the text after the colon; raises SpecError."""
        values = {option.name: option.default for option in self.options}
        known = {option.name: option for option in self.options}
        where = f"agent {self.name}"
        for part in text.split(",") if text else []:
            name, given, value = part.strip().partition("=")
            if not given:
                if not self.main:
                    if name in known and isinstance(known[name].default, bool):
                        values[name] = True
                        continue
                    raise SpecError(f"{where} takes no bare value {shorten(part)}; write {self.syntax}")
                name, value = (name, "yes") if name in known and isinstance(known[name].default, bool) else (self.main, name)
            if name not in known:
                have = f"options are {', '.join(known)}" if known else "it has no options"
                raise SpecError(f"{where} has no option {shorten(name)}; {have}")
            values[name] = known[name].parse(value.strip(), where)
        return values

    def refuses(self, game: GameKind) -> str | None:
        """Why this kind of agent cannot play that kind of game, or None if it can."""
        if game.simultaneous and self.name not in ("random", "human"):
            return "moves are made at the same time"
        return None

    def agent(self, game: Game, parameters: str = "") -> Agent:
        """The agent with these parameters at this game; raises SpecError when the pair does not fit."""
        options = self.parse_options(parameters)
        reason = self.refuses(game.kind)
        if reason is not None:
            raise SpecError(f"agent {self.name} cannot play {game.spec}: {reason}")
        module, _, name = self.home.partition(":")
        made: Agent = getattr(importlib.import_module(module), name)(
            game, f"{self.name}:{parameters}" if parameters else self.name, **options
        )
        return made
