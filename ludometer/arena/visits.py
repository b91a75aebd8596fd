"""Positions visited per decision: the axis on which games and agents are compared.

An iteration of tree search costs more in a game with long playouts, and seconds depend on the machine.  So the moves that a tree search
makes in its tree and in playouts are counted, and the nodes of a depth-first search: as the agents report them in the first pairs
of a pairing, which are played again for it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludometer.arena.accuracy import visited
from ludometer.arena.pairs import Pairing, opening_of_game, seed_of_game
from ludometer.arena.playing import played
from ludometer.arena.roster import agent_named
from ludometer.arena.series import Measured
from ludometer.core.outcome import FIRST
from ludometer.core.stopping import Stop
from ludometer.games import game as find_game

PAIRS = 2  # of games from which positions are counted


@dataclass(frozen=True)
class Visits:
    """What agent A of a pairing visits in its games; a unit is a pair."""

    pairing: Pairing

    def key(self) -> dict[str, Any]:
        return self.pairing.key() | {"unit": "visits"}

    @property
    def is_compiled(self) -> bool:
        return self.pairing.is_compiled

    @property
    def is_local(self) -> bool:
        return self.pairing.is_local

    def __str__(self) -> str:
        return f"positions visited by {self.pairing}"

    def work(self, first: int, count: int, pace: float, stop: Stop | None) -> Measured:
        """Play pairs again and add up what A reports; raises Stopped once asked."""
        began = time.perf_counter()
        positions, decisions = np.zeros(count), np.zeros(count, np.int32)
        for place in range(count):
            for turned in (0, 1):
                for found in self._game(2 * (first + place) + turned, turned, stop):
                    positions[place] += found
                    decisions[place] += 1
        return Measured({"positions": positions, "decisions": decisions}, time.perf_counter() - began)

    def _game(self, number: int, turned: int, stop: Stop | None) -> list[float]:
        pairing = self.pairing
        names = (pairing.b, pairing.a) if turned else (pairing.a, pairing.b)
        agents = [agent_named(pairing.game, name) for name in names]
        start = opening_of_game(pairing, number)
        seed = seed_of_game(pairing, number)
        session = played(find_game(pairing.game), agents[0], agents[1], seed, start, pairing.ply_limit, stop=stop)
        mine = FIRST ^ turned
        return [visited(turn.decision) for turn in session.turns if turn.before.player == mine and turn.decision is not None]


def visits_per_decision(units: dict[str, np.ndarray]) -> float | None:
    """The mean; None where the agent does not say, or made no decision."""
    if not units or not units["decisions"].sum():
        return None
    found = float(units["positions"].sum() / units["decisions"].sum())
    return None if np.isnan(found) else found
