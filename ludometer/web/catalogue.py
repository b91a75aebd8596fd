"""Games, agents and levels as pages offer them.  All names come from outside, see `untrusted`."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from typing_extensions import TypedDict

from ludometer import agents, games
from ludometer.core.agent import Option
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.position import Position
from ludometer.core.stopping import Stop
from ludometer.solvers.solution import Solution
from ludometer.solvers.solvable import folder_for, is_solvable, tables_root
from ludometer.web import untrusted

Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")
_first_use = threading.Lock()  # the first use of a game registers its rules
_KEPT = 200  # games in the cache
_LEVELS = (  # name, hint, spec
    ("Beginner", "moves at random", "random"),
    ("Casual", "thinks for a blink", "mcts:30"),
    ("Club", "sees most traps", "mcts:300"),
    ("Strong", "thinks a good deal", "mcts:3000"),
    ("Expert", "as strong as a few seconds allow", "mcts:30000"),
)
_PERFECT = ("optimal", "optimal:steps")  # for games with points, and without


class Level(TypedDict):
    """An opponent that is offered by name."""

    name: str
    hint: str
    agent: str


class GameFamily(TypedDict):
    """A kind of game and its listed sizes."""

    kind: str
    name: str
    syntax: str
    games: list[str]
    canonical: list[str]  # the same games in canonical spelling
    further: bool  # True if other sizes may be named
    players: list[str]
    simultaneous: bool


class OptionField(TypedDict):
    """An option of an agent as a field of a form."""

    name: str
    help: str
    type: str  # switch, choice, number or text
    default: bool | float | str
    choices: list[str]
    least: float | None
    most: float | None
    whole: bool


class AgentForm(TypedDict):
    """An agent and the fields of its form; `main` is the option that may be written without its name."""

    name: str
    title: str
    main: str
    options: list[OptionField]


class Catalogue:
    """Games by spec.  The first use of a game loads or compiles its rules, in a thread."""

    def __init__(self, tables: Path | None = None) -> None:
        self.tables = tables
        self._ready: OrderedDict[str, Game] = OrderedDict()

    async def game(self, spec: str) -> Game:
        """The game of a spec from outside, ready to be played; raises LudometerError."""
        key = spec.strip().lower()
        found = self._ready.get(key)
        if found is None:
            found = await asyncio.to_thread(_made_ready, spec)
        self._ready.pop(key, None)
        self._ready[key] = found
        while len(self._ready) > _KEPT:
            self._ready.popitem(last=False)
        return found

    async def position(self, spec: str, text: str) -> Position:
        """The position of a game, as text from outside; raises LudometerError."""
        return (await self.game(spec)).position(text)

    async def player_spec(self, spec: str, game: Game) -> str:
        """`untrusted.player_spec` in a thread."""
        return await asyncio.to_thread(untrusted.player_spec, spec, game)

    async def levels(self, game: Game) -> list[Level]:
        """The opponents that this game has, from beginner to perfect."""
        return await asyncio.to_thread(self._levels_of, game)

    def _levels_of(self, game: Game) -> list[Level]:
        found = [
            Level(name=name, hint=hint, agent=spec)
            for name, hint, spec in _LEVELS
            if agents.kinds()[spec.partition(":")[0]].refuses(game) is None
        ]
        if self.is_solved(game):
            found.append({"name": "Perfect", "hint": "never makes a mistake", "agent": _PERFECT[0] if game.kind.scored else _PERFECT[1]})
        return found

    def is_solved(self, game: Game) -> bool:
        """True if exact values are at hand: there is a table, or making one takes seconds."""
        if not is_solvable(game.kind, game.parameters):
            return False
        if (folder_for(game, self.tables or tables_root()) / "manifest.json").is_file():
            return True
        from ludometer.solvers.forecasts import forecast
        from ludometer.solvers.solution_cache import QUICK_ENTRIES

        entries = forecast(game).entries
        return entries is not None and entries <= QUICK_ENTRIES

    def solution(self, game: Game, stop: Stop | None = None) -> Solution:
        """Exact values of a game; raises LudometerError unless `is_solved`.  Call it in a thread: it may solve the game."""
        from ludometer.solvers import solution_for

        if not self.is_solved(game):
            raise LudometerError(f"{game.spec} is not solved here; run `ludometer solve {game.spec}` first")
        return solution_for(game, self.tables, stop=stop)


def _made_ready(spec: str) -> Game:
    """The game, after loading what showing a position and making a move need."""
    from ludometer.core.compiling.compilation import compilations

    compilations.quiet = True
    with _first_use:
        game = untrusted.game(spec)
        start = game.start()
        assert game.position(str(start)) == start
        if not start.is_over:
            after = start.play(start.legal[0])
            assert after.legal is not None and start.move_text(start.legal[0])
        return game


def level_name(spec: str) -> str:
    """Name of the level that an agent is; empty if it is none."""
    return next((name for name, _, agent in _LEVELS if agent == spec), "Perfect" if spec in _PERFECT else "")


def kinds_document() -> list[GameFamily]:
    """All kinds of games with their listed sizes."""
    return [
        {
            "kind": kind.name,
            "name": kind.title,
            "syntax": kind.syntax,
            "games": list(kind.listed),
            "canonical": [game.spec for game in kind.listed_games()],
            "further": bool(kind.outside),
            "players": list(kind.players),
            "simultaneous": kind.simultaneous,
        }
        for kind in games.kinds().values()
    ]


def agents_document(game: Game) -> list[AgentForm]:
    """The agents that input from outside may name for this game."""
    return [
        {
            "name": kind.name,
            "title": kind.title,
            "main": kind.main,
            "options": [field for option in kind.options if (field := _field(option, game)) is not None],
        }
        for kind in agents.kinds().values()
        if not kind.inside_only and kind.refuses(game) is None
    ]


def _field(option: Option, game: Game) -> OptionField | None:
    """An option as a field of a form; None if input from outside may not set it."""
    if option.file or (option.outside is False and not option.is_switch and not option.choices):
        return None
    choices = list(option.choices) or _names_for(option, game)
    most = option.most if option.outside is True or option.outside is False else min(float(option.outside), option.most or float("inf"))
    is_number = not option.is_switch and not choices and isinstance(option.default, int | float)
    kind = "switch" if option.is_switch else "choice" if choices else "number" if is_number else "text"
    return {
        "name": option.name,
        "help": option.help,
        "type": kind,
        "default": option.default if not is_number else float(option.format(option.default)),
        "choices": choices,
        "least": option.least if is_number else None,
        "most": most if is_number else None,
        "whole": isinstance(option.default, int),
    }


def _names_for(option: Option, game: Game) -> list[str]:
    """Values of an option that have names in this game."""
    from ludometer.core.protocol import searching

    if option.name == "evaluation":
        return ["", *searching.evaluations(game)]
    if option.name == "variable":
        rules = list(searching.depth_rules(game))
        return ["no", *rules]
    return []


async def in_thread(work: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
    """Result of a call made in a thread."""
    return await asyncio.to_thread(work, *arguments, **named)
