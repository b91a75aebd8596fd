"""Players and tools of other projects: a module for each, which imports theirs on first use.

openspiel:mcts,simulations=1000     a bot of OpenSpiel
polito:path=player.py               a Quixo player of the Politecnico di Torino course
engine:path=./my_engine,time=1      a program that speaks the Universal Game Interface
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludometer.core.agent import AgentKind, Option
from ludometer.core.game import Game

OPENSPIEL_KINDS = ("dots", "mnk", "ultimate")  # our kinds of games that OpenSpiel has as well
COURSE_GAME = "quixo:5"  # the one game of the course


class OpenSpielKind(AgentKind):
    """Plays the games that OpenSpiel has as well."""

    def refuses(self, game: Game) -> str | None:
        return super().refuses(game) or (None if game.kind.name in OPENSPIEL_KINDS else "OpenSpiel has no such game")


class PolitoKind(AgentKind):
    """Plays the one game of the course."""

    def refuses(self, game: Game) -> str | None:
        return super().refuses(game) or (None if game.spec == COURSE_GAME else f"its players know {COURSE_GAME} only")

    def digest(self, option: Option, path: str, game: Game) -> str:
        """Of the player's file and the Python files beside it, which it may import."""
        found = hashlib.sha256()
        file = Path(path).expanduser()
        for part in (file, *sorted(file.parent.glob("*.py"))):
            found.update(f"{part.name}\0".encode() + part.read_bytes())
        return found.hexdigest()[:12]


OPENSPIEL = OpenSpielKind(
    name="openspiel",
    title="a bot of OpenSpiel",
    home="ludometer.bridges.openspiel:OpenSpielAgent",
    main="bot",
    options=(
        Option("bot", "mcts", "mcts, or a bot registered with OpenSpiel, such as uniform_random", outside=True),
        Option("simulations", 1000, "of mcts, per move", least=1, most=10**9, outside=10_000),
        Option("c", 2**0.5, "of mcts: exploration constant", least=0.0, most=1e6, outside=True),
        Option("rollouts", 1, "of mcts: random games per simulation", least=1, most=10**6, outside=10),
        Option("solve", True, "of mcts: prove wins and losses in the tree"),
    ),
)

POLITO = PolitoKind(
    name="polito",
    title="a Quixo player of the Politecnico di Torino course, from its file",
    home="ludometer.bridges.polito:PolitoAgent",
    main="path",
    inside_only="it runs a program from a file",
    options=(
        Option("path", "", "the Python file of the player", file=True),
        Option("class", "", "the player's class, if the file has several"),
        Option("arguments", "", "for its constructor, separated by semicolons: literals, or `side` for its number, 0 or 1"),
        Option("time", 30.0, "seconds per move; a slower player has lost", least=0.001, most=1e6),
        Option("tries", 0, "answers per move; 0: it is asked again until its answer is legal or the time is used up", least=0, most=10**6),
    ),
)


@dataclass(frozen=True)
class EngineKind(AgentKind):
    """Programs that speak UGI; `option.NAME=VALUE` sets an option of the program."""

    def given(self, text: str) -> dict[str, Any]:
        parts = [part.strip() for part in text.split(",")] if text else []
        theirs = [part.removeprefix(_THEIRS) for part in parts if part.startswith(_THEIRS)]
        given = super().given(",".join(part for part in parts if not part.startswith(_THEIRS)))
        return given | {"options": ";".join(theirs)} if theirs else given

    def identity(self, values: Mapping[str, Any], game: Game) -> str:
        return super().identity({**values, "log": ""}, game)  # a log changes no move


_THEIRS = "option."

ENGINE = EngineKind(
    name="engine",
    title="a program that speaks the Universal Game Interface",
    home="ludometer.bridges.engine:EngineAgent",
    main="path",
    inside_only="it runs a program from a file",
    options=(
        Option("path", "", "the program, or a Python file", file=True),
        Option("time", 0.0, "seconds per move; 0: not limited", least=0.0, most=1e6),
        Option("nodes", 0, "positions per move; 0: not limited", least=0, most=10**12),
        Option("depth", 0, "plies looked ahead; 0: not limited", least=0, most=10**6),
        Option("patience", 60.0, "seconds it may take beyond its time, to start or to answer", least=0.01, most=1e6),
        Option("options", "", "its own options, NAME=VALUE separated by semicolons; also written option.NAME=VALUE"),
        Option("log", "", "a file that the talk is added to"),
    ),
)

AGENTS = (OPENSPIEL, POLITO, ENGINE)
