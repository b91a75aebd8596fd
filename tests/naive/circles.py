"""Values and distances of a game that may go round in circles, by repeated minimax: plain, slow, and without any table of predecessors.

After k rounds a position has the value of the game that is cut off, and drawn, after k more moves.  The round in which a position stops
being a draw is its distance to the end.
"""

from __future__ import annotations

from ludometer.core.position import Position
from ludometer.solvers.solution import Value


def all_positions(start: Position) -> list[Position]:
    """All positions that can be reached, each once."""
    found = {start: None}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        for move in position.legal:
            after = position.play(move)
            if after not in found:
                found[after] = None
                waiting.append(after)
    return list(found)


def values_of(start: Position) -> dict[Position, Value]:
    """The value of every position that can be reached."""
    positions = all_positions(start)
    after = {position: [position.play(move) for move in position.legal] for position in positions}
    outcome = {position: position.outcome if position.is_over else 0 for position in positions}
    distance = {position: 0 for position in positions if outcome[position] != 0}
    for moves in range(1, len(positions) + 2):
        before, outcome = outcome, {}
        for position in positions:
            seen = [before[child] if child.player == position.player else -before[child] for child in after[position]]
            outcome[position] = max(seen) if seen else before[position]
            if outcome[position] != 0 and position not in distance:
                distance[position] = moves
        if outcome == before:
            break
    return {position: Value(outcome[position], distance.get(position)) for position in positions}
