"""Reports of agents on their moves, one row for each turn.

table = play_with_reports("tictactoe", "alphabeta:9", "minimax:9", seed=1)
print(table)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludometer.agents import AgentLike
from ludometer.agents import agent as find_agent
from ludometer.arena.play.playing import play_on
from ludometer.arena.play.session import Session, Turn
from ludometer.core.game import Game
from ludometer.core.position import Position
from ludometer.core.record import Record
from ludometer.games import game as find_game


@dataclass(frozen=True)
class TurnTable:
    """A game and its players' reports, one row for each turn."""

    record: Record
    rows: tuple[dict[str, Any], ...]  # ply (from 1), player, agent, move, value, and whatever the agent reported

    def column(self, name: str, player: int | None = None) -> list[Any]:
        """One column of all turns, or of one player's (0 or 1); None for turns without it."""
        names = self.record.game.kind.players
        return [row.get(name) for row in self.rows if player is None or row["player"] == names[player]]

    def document(self) -> dict[str, Any]:
        """For JSON."""
        record = self.record
        return {"game": record.game.spec, "first": record.first, "second": record.second, "result": record.result, "turns": list(self.rows)}

    def __str__(self) -> str:
        from ludometer.view.results.turn_reports import turn_table_text

        return turn_table_text(self)


def play_with_reports(
    game: Game | str, first: AgentLike, second: AgentLike, seed: int = 0, start: Position | str | None = None
) -> TurnTable:
    """Play one game and keep the players' report on each move; the arguments are those of `play_game`."""
    game = find_game(game)
    agents = find_agent(first, game), find_agent(second, game)
    return turn_table(play_on(Session(game, start, first=str(agents[0]), second=str(agents[1]), seed=seed), agents))


def turn_table(session: Session) -> TurnTable:
    """Table of the turns of a session, without moves taken back."""
    rows = tuple(
        {**_row(session, number, turn), **_report(turn), **_row(session, number, turn)} for number, turn in enumerate(session.turns, 1)
    )
    return TurnTable(session.record(), rows)


def _row(session: Session, number: int, turn: Turn) -> dict[str, Any]:
    """Columns that every turn has; an agent's report cannot replace them."""
    value = turn.decision.value if turn.decision is not None else None
    return {"ply": number, "player": turn.before.turn, "agent": session.names[turn.before.player], "move": turn.text, "value": value}


def _report(turn: Turn) -> dict[str, Any]:
    return turn.decision.report if turn.decision is not None else {}
