"""Base of series about a single agent."""

from __future__ import annotations

from typing import Any

from ludometer.arena.measurements.pairs import origin_of
from ludometer.arena.play.roster import identity, is_compiled, is_local
from ludometer.games import game as find_game


class OneAgent:
    """Subject (see `scheduler.Subject`) with a game and an agent named by specs, so that another process can do the work."""

    game: str
    agent: str

    def key_of(self, unit: str, **settings: Any) -> dict[str, Any]:
        """Everything that the results of such units depend on, for the store."""
        game = find_game(self.game)
        return {
            "unit": unit,
            "game": game.spec,
            "players": [identity(self.game, self.agent)],
            **settings,
            **origin_of(game),
        }

    @property
    def is_compiled(self) -> bool:
        return is_compiled(self.game, self.agent)

    @property
    def is_local(self) -> bool:
        return is_local(self.game, self.agent)
