"""Decision of an agent at one position: the move, its value and its report."""

from __future__ import annotations

from ludometer.agents import agent as find_agent
from ludometer.core.agent import Agent, Decision
from ludometer.core.position import Position
from ludometer.core.random import stream


def decided(agent: Agent | str, position: Position, seed: int = 0) -> Decision:
    """The decision of an agent who sees this position for the first time."""
    player = find_agent(agent, position.game) if isinstance(agent, str) else agent
    decision = player.choose(position, stream(seed))
    assert isinstance(decision, Decision), f"{player} asks for something else than a move"
    return decision
