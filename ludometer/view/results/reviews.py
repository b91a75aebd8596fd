"""A game reviewed: what each position was worth, and which moves gave something away.

Against perfect play, where the game is solved, a move is a *blunder* if it changes who wins (or gives up a draw), and a *slip* if it only
makes a win longer, a loss shorter or, in games with points, gives points away without changing the winner.  Otherwise the values are
estimates of a search, and a move is a blunder if it gives away a fifth of a point or more, a slip from a tenth on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ludometer.core.outcome import FIRST
from ludometer.core.position import Position
from ludometer.core.stopping import Stop
from ludometer.solvers.solution import Probe, Solution, Value
from ludometer.view.results.solutions import value_text

BLUNDER, SLIP = "blunder", "slip"
BLUNDER_POINTS, SLIP_POINTS = 0.2, 0.1  # of estimates
_FADING = 30  # moves to the end at which a value is drawn half as high


def exact_judgement(position: Position, move: int, found: Probe) -> dict[str, Any]:
    """What perfect play says of a move that was made."""
    played = dict(found.moves)[move]
    top = max((value for _, value in found.moves), key=lambda value: value.preference())
    mark = ""
    if played.preference() < top.preference():
        mark = BLUNDER if played.outcome < top.outcome else SLIP
    return {
        "move": position.move_text(move),
        "player": position.player,
        "exact": True,
        "text": value_text(played),
        "best": [position.move_text(each) for each in found.best],
        "best_text": value_text(top),
        "mark": mark,
        "height": height_of(found.value, position.player),
    }


def height_of(value: Value, player: int) -> float:
    """Value for the first player, from −1 to 1, or in points if the game has points."""
    if value.margin is not None:
        height = float(value.margin)
    else:
        height = value.outcome * _FADING / (_FADING + (value.distance or 0))
    return height if player == FIRST else -height


def estimated_judgement(position: Position, move: int, values: dict[int, float]) -> dict[str, Any]:
    """What a search says of a move that was made; `values` are points that the player can expect, for each move."""
    best = max(values, key=lambda each: values[each])
    lost = values[best] - values.get(move, 0.0)
    mark = BLUNDER if lost >= BLUNDER_POINTS else SLIP if lost >= SLIP_POINTS else ""
    height = 2 * values[best] - 1
    return {
        "move": position.move_text(move),
        "player": position.player,
        "exact": False,
        "text": f"{100 * values.get(move, 0.0):.0f} %",
        "best": [position.move_text(best)],
        "best_text": f"{100 * values[best]:.0f} %",
        "mark": mark,
        "height": height if position.player == FIRST else -height,
    }


def exact_review(positions: list[Position], solution: Solution, stop: Stop | None = None) -> Iterator[dict[str, Any]]:
    """A judgement of every move of a game; raises OutsideTable or Stopped."""
    for before, after in zip(positions, positions[1:]):
        assert after.last is not None
        yield exact_judgement(before, after.last, solution.probe(before, stop))


def final_height(position: Position) -> float | None:
    """`height_of` the end of a game; None if it was not played to its end."""
    if not position.is_over:
        return None
    own = float(position.margin) if position.game.kind.scored else float(position.outcome)
    return own if position.player == FIRST else -own


def principal_line(solution: Solution, position: Position, most: int = 60, stop: Stop | None = None) -> list[str]:
    """The moves that follow if both sides play perfectly, at most `most`; the line ends where it would repeat a position."""
    line: list[str] = []
    seen = {position}
    while not position.is_over and len(line) < most:
        found = solution.probe(position, stop)
        fresh = [move for move in found.best if position.play(move) not in seen]
        if not fresh:
            break
        line.append(position.move_text(fresh[0]))
        position = position.play(fresh[0])
        seen.add(position)
    return line
