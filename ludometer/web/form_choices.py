"""What forms offer: games and agents that input from outside may name."""

from __future__ import annotations

from typing import Any

from fastapi import Request


def form_context(request: Request) -> dict[str, Any]:
    """For the form of a new experiment."""
    from ludometer import agents, games

    specs = [game.spec for kind in games.kinds().values() if not kind.simultaneous for game in kind.listed_games()]
    kinds = [kind for kind in agents.kinds().values() if not kind.inside_only]
    offered = [*(kind.name for kind in kinds), "mcts:10", "mcts:100", "mcts:1000", "alphabeta:4", "optimal:blunder=0.05"]
    families = [kind.name for kind in kinds if kind.main]
    return {"games": specs, "agents": sorted(set(offered)), "families": [*families, "alphabeta:nodes"]}
