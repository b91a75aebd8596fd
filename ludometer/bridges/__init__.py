"""Players and tools of other projects: a module for each, which imports theirs on first use.

openspiel:mcts,simulations=1000     a bot of OpenSpiel
polito:path=player.py               a Quixo player of the Politecnico di Torino course
"""

from __future__ import annotations

import hashlib
from pathlib import Path

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

AGENTS = (OPENSPIEL, POLITO)
