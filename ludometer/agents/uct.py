"""The yardstick: a tree search that knows the rules and nothing else, and whose decisions never change.

Scales of games are climbed by it, and players are placed beside it (docs/depth.md).  It is `mcts` with settings fixed by name: exploration
constant 0.5, most visited move, proven values, a new tree for every move, one random playout per iteration.  A test freezes its
decisions.  A yardstick that decides otherwise gets another name.
"""

from __future__ import annotations

from ludometer.agents.mcts import MctsAgent
from ludometer.core.agent import Agent, AgentKind, Option
from ludometer.core.errors import SpecError
from ludometer.core.game import Game

EXPLORATION = 0.5
MEGABYTES = 512  # of the tree; a full tree stops growing

AGENT = AgentKind(
    name="uct",
    title="yardstick of scales: tree search with random playouts",
    home="ludometer.agents.uct:UctAgent",
    main="iterations",
    options=(Option("iterations", 1000, "random playouts per move", least=1, most=10**9, outside=100_000),),
)


class UctAgent(MctsAgent):
    """Tree search with the settings of the yardstick."""

    def __init__(self, game: Game, spec: str, iterations: int) -> None:
        super().__init__(
            game,
            spec,
            iterations=iterations,
            c=EXPLORATION,
            choice="visits",
            proven=True,
            reuse=False,
            time=0.0,
            memory=MEGABYTES,
        )


class LevelKind(AgentKind):
    """Names a yardstick by its level on the scale of the game."""

    def agent(self, game: Game, parameters: str = "") -> Agent:
        """The yardstick whose budget reaches that level; `level:0` plays at random.  Raises SpecError for levels beyond the scale."""
        from ludometer.agents import agent
        from ludometer.arena.experiments.reference_scales import player_of_level

        level = self.options_for(game, parameters)["level"]
        spec, problem = player_of_level(game, level)
        if spec is None:
            raise SpecError(f"{self.where}: {problem}")
        return agent(spec, game)


LEVEL = LevelKind(
    name="level",
    title="the yardstick at a level of the game's scale",
    home="ludometer.agents.uct:UctAgent",
    main="level",
    options=(Option("level", 3.0, "steps of 75 % above random play", least=0.0, most=40.0, outside=True),),
)

AGENTS = (AGENT, LEVEL)
