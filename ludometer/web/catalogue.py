"""Games, agents and levels as the pages offer them.  Everything named here comes from outside and is looked up as such."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from ludometer import agents, games
from ludometer.core.agent import AgentKind, Option
from ludometer.core.errors import LudometerError
from ludometer.core.game import Game
from ludometer.core.position import Position
from ludometer.solvers.solvable import folder_for, is_solvable, tables_root

Result = TypeVar("Result")
HUMAN = "human"
_first_use = threading.Lock()  # rules are entered into the protocol when a game is first met
_KEPT = 200  # games that stay ready
_LEVELS = (  # name, what it is like, spec
    ("Beginner", "moves at random", "random"),
    ("Casual", "thinks for a blink", "mcts:30"),
    ("Club", "sees most traps", "mcts:300"),
    ("Strong", "thinks a good deal", "mcts:3000"),
    ("Expert", "as strong as a few seconds allow", "mcts:30000"),
)
_PERFECT = ("optimal", "optimal:steps")  # with points, and without


class Catalogue:
    """Games by spec, made ready in a thread: the first use of a game loads or compiles its rules."""

    def __init__(self, tables: Path | None = None) -> None:
        self.tables = tables
        self._ready: OrderedDict[str, Game] = OrderedDict()
        self._levels: dict[str, list[dict[str, str]]] = {}

    async def game(self, spec: str) -> Game:
        """The game a stranger's spec names, ready to be played; raises LudometerError."""
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
        return (await self.game(spec)).position(text)

    async def check_player(self, spec: str, game: Game) -> str:
        """The canonical spec of a player from outside, `human` included; raises LudometerError.  The agent itself is not made."""
        return await asyncio.to_thread(canonical_player, spec, game)

    async def levels(self, game: Game) -> list[dict[str, str]]:
        """Opponents from beginner to perfect, as far as this game has them."""
        return await asyncio.to_thread(self._levels_of, game)

    def _levels_of(self, game: Game) -> list[dict[str, str]]:
        found = [
            {"name": name, "hint": hint, "agent": spec}
            for name, hint, spec in _LEVELS
            if agents.kinds()[spec.partition(":")[0]].refuses(game) is None
        ]
        if self.is_solved(game):
            found.append({"name": "Perfect", "hint": "never makes a mistake", "agent": _PERFECT[0] if game.kind.scored else _PERFECT[1]})
        return found

    def is_solved(self, game: Game) -> bool:
        """Whether exact values can be had at once: there is a table, or making one takes seconds."""
        if not is_solvable(game.kind, game.parameters):
            return False
        if (folder_for(game, self.tables or tables_root()) / "manifest.json").is_file():
            return True
        from ludometer.solvers.forecasts import forecast
        from ludometer.solvers.solution_cache import QUICK_ENTRIES

        entries = forecast(game).entries
        return entries is not None and entries <= QUICK_ENTRIES

    def solution(self, game: Game, stop: Any = None) -> Any:
        """Exact values of a game; raises LudometerError where there are none at once.  Call it in a thread: it may solve the game."""
        from ludometer.solvers import solution_for

        if not self.is_solved(game):
            raise LudometerError(f"{game.spec} is not solved here; run `ludometer solve {game.spec}` first")
        return solution_for(game, self.tables, stop=stop)


def _made_ready(spec: str) -> Game:
    """Load all that looking at a position and making a move need."""
    from ludometer.core.compiling.compilation import compilations

    compilations.quiet = True
    with _first_use:
        game = games.game(spec, trusted=False)
        start = game.start()
        assert game.position(str(start)) == start
        if not start.is_over:
            after = start.play(start.legal[0])
            assert after.legal is not None and start.move_text(start.legal[0])
        return game


def canonical_player(spec: str, game: Game) -> str:
    """The spec of a player as it is shown and kept; raises LudometerError for one that cannot play this game."""
    return HUMAN if spec.strip().lower() in (HUMAN, f"{HUMAN}:") else agents.canonical_spec(spec, game, trusted=False)


def level_name(spec: str) -> str:
    """What the pages call the level that is this agent; empty if none is."""
    return next((name for name, _, agent in _LEVELS if agent == spec), "Perfect" if spec in _PERFECT else "")


def kinds_document() -> list[dict[str, Any]]:
    """All kinds of games: their title, how they are written, and the listed ones."""
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


def agents_document(game: Game) -> list[dict[str, Any]]:
    """The agents that strangers can have for this game, each with its options as fields of a form."""
    usable: Callable[[AgentKind], bool] = lambda kind: not kind.inside_only and kind.refuses(game) is None  # noqa: E731
    return [
        {
            "name": kind.name,
            "title": kind.title,
            "main": kind.main,
            "options": [field for option in kind.options if (field := _field(option, game)) is not None],
        }
        for kind in agents.kinds().values()
        if usable(kind)
    ]


def _field(option: Option, game: Game) -> dict[str, Any] | None:
    """An option as a field of a form; None for one that strangers cannot set."""
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
    """The names that a game gives to the values of an option."""
    from ludometer.core.protocol import searching

    if option.name == "evaluation":
        return ["", *searching.evaluations(game)]
    if option.name == "variable":
        rules = list(searching.depth_rules(game))
        return ["no", *rules]
    return []


def board_games() -> list[str]:
    """Every listed game that is played on a board."""
    return [spec for kind in games.kinds().values() if not kind.simultaneous for spec in kind.listed]


async def in_thread(work: Callable[..., Result], *arguments: Any) -> Result:
    return await asyncio.to_thread(work, *arguments)
