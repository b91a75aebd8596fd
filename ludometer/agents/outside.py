"""Players made elsewhere; the bridges to them are in `ludometer.bridges`.

openspiel:mcts,simulations=1000     a bot of OpenSpiel
polito:path=player.py               a Quixo player of the Politecnico di Torino course
"""

from __future__ import annotations

from ludometer.bridges import openspiel, polito
from ludometer.core.agent import AgentKind, Option
from ludometer.core.game import GameKind


class OpenSpielKind(AgentKind):
    """Plays the games that OpenSpiel has as well."""

    def refuses(self, game: GameKind) -> str | None:
        return super().refuses(game) or (None if game.name in openspiel.COUNTERPARTS else "OpenSpiel has no such game")


class PolitoKind(AgentKind):
    """Plays the one game of the course."""

    def refuses(self, game: GameKind) -> str | None:
        return super().refuses(game) or (None if game.name == polito.KIND else f"its players know {polito.SPEC} only")


AGENTS = (
    OpenSpielKind(
        name="openspiel",
        title="a bot of OpenSpiel",
        home="ludometer.bridges.openspiel:OpenSpielAgent",
        main="bot",
        options=(
            Option("bot", "mcts", "mcts, or a bot registered with OpenSpiel, such as uniform_random"),
            Option("simulations", 1000, "of mcts, per move", least=1, most=10**9),
            Option("c", 2**0.5, "of mcts: exploration constant", least=0.0, most=1e6),
            Option("rollouts", 1, "of mcts: random games per simulation", least=1, most=10**6),
            Option("solve", True, "of mcts: prove wins and losses in the tree"),
        ),
    ),
    PolitoKind(
        name="polito",
        title="a Quixo player of the Politecnico di Torino course, from its file",
        home="ludometer.bridges.polito:PolitoAgent",
        main="path",
        options=(
            Option("path", "", "the Python file of the player"),
            Option("class", "", "the player's class, if the file has several"),
            Option("arguments", "", "for its constructor, separated by semicolons: literals, or `side` for its number, 0 or 1"),
            Option("time", 30.0, "seconds per move; a slower player has lost", least=0.001, most=1e6),
            Option("tries", 3, "answers per move; a player whose answers are all illegal has lost", least=1, most=1000),
        ),
    ),
)
