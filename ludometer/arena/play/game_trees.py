"""Search trees of a whole game: each search is repeated with the player's memory of that turn and recorded."""

from __future__ import annotations

from collections.abc import Iterator

from ludometer.agents.search import SearchAgent, SearchPlayer
from ludometer.agents.searchtree import SearchTree
from ludometer.core.agent import Agent
from ludometer.core.errors import LudometerError
from ludometer.core.random import stream
from ludometer.core.record import Record

MOST_NODES = 1_000_000  # of a tree that is kept


def searches(*agents: Agent) -> bool:
    """Whether one of these agents searches depth first and thus has trees to show."""
    return any(isinstance(agent, SearchAgent) for agent in agents)


def game_trees(record: Record, first: Agent, second: Agent, limit: int = MOST_NODES) -> Iterator[tuple[int, SearchTree]]:
    """(turn from 1, tree) for every search of a game between these agents, with the seed of its record.

    Moves made without a search (an opening, another kind of agent) have no tree.  Raises LudometerError if a search finds
    another move than in the game, which may happen if it is limited by time.
    """
    start = record.positions[0]
    players: list[SearchPlayer | None] = []
    for side, agent in enumerate((first, second)):
        player = agent.player(start, side) if isinstance(agent, SearchAgent) else None
        if player is not None:
            player.keep_trace(limit)
        players.append(player)
    for ply, (position, text) in enumerate(zip(record.positions, record.moves)):
        player = players[position.player]
        if player is not None:
            decision = player.choose(position, stream(record.seed or 0, "game", ply))
            if decision.move != position.parse_move(text):
                raise LudometerError(
                    f"turn {ply + 1}: the search finds another move than in the game; limit it by depth or nodes, not time"
                )
            tree = player.last_tree(position, decision)
            if tree is not None:
                yield ply + 1, tree
