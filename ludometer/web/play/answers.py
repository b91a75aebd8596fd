"""What the lab knows of a position: exact values if the game is solved, otherwise estimates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NotRequired

from typing_extensions import TypedDict

from ludometer.agents.human import suggestion
from ludometer.core.agent import Decision
from ludometer.core.errors import LudometerError
from ludometer.core.position import Position
from ludometer.core.random import stream
from ludometer.view.boards.theme import diverging, ink_on
from ludometer.view.results.solution_documents import probe_document
from ludometer.view.results.solutions import move_colours, move_labels, value_text
from ludometer.web.catalogue import in_thread

if TYPE_CHECKING:
    from ludometer.solvers.solution import Probe, Value
    from ludometer.web.lab import Lab

HINT_AGENT = "mcts:5000,proven"
HINT_SECONDS = 5.0


class Advice(TypedDict):
    """A good move in words."""

    move: str
    exact: bool
    text: str


class MoveValue(TypedDict):
    """A move with what a page lays over the board for it."""

    move: str
    value: float | str | None
    label: str
    text: str
    colour: str
    ink: str
    visits: NotRequired[int]


async def advice(lab: Lab, position: Position) -> Advice:
    """A good move, exact if the game is solved."""
    if position.game.kind.simultaneous:
        words = suggestion(position, stream(0, "hint"))
        return {"move": words.split()[-1], "exact": False, "text": words}
    exact = await in_thread(_exact_advice, lab, position)
    return exact or await _estimated_advice(lab, position)


def _exact_advice(lab: Lab, position: Position) -> Advice | None:
    """A best move; None if the game is not solved or its table does not cover this position."""
    if not lab.catalogue.is_solved(position.game):
        return None
    try:
        found = lab.catalogue.solution(position.game).probe(position)
    except LudometerError:
        return None
    move = position.move_text(found.best[0])
    return {"move": move, "exact": True, "text": f"{move}: {value_words(found.value)} with perfect play"}


async def _estimated_advice(lab: Lab, position: Position) -> Advice:
    agent = await lab.thinking.agent(HINT_AGENT, position, trusted=True)
    choice = await lab.thinking.run(lambda stop: agent.choose(position, stream(0, "hint"), stop), seconds=HINT_SECONDS)
    assert isinstance(choice, Decision)
    move = position.move_text(choice.move)
    chance = "" if choice.value is None else f", about {100 * choice.value:.0f} % of the points by {HINT_AGENT}"
    return {"move": move, "exact": False, "text": f"{move}{chance}"}


def exact_document(position: Position, found: Probe) -> dict[str, Any]:
    """A probe with what a page lays over the board for each move."""
    labels, colours = move_labels(found), move_colours(found)
    document = probe_document(position, found)
    for row, (move, value) in zip(document["moves"], found.moves):
        colour = diverging(colours[move])
        row |= {"label": labels[move], "text": value_text(value), "colour": colour, "ink": ink_on(colour)}
    return {"kind": "exact", **document, "text": value_words(found.value)}


def value_words(value: Value) -> str:
    """A value as the rest of a sentence about the player to move, such as `win in 3` or `loses by 2 points`."""
    if value.margin is None:
        return value_text(value)
    if value.margin == 0:
        return "ends level"
    count = abs(value.margin)
    return f"{'wins' if value.margin > 0 else 'loses'} by {count} point{'' if count == 1 else 's'}"


def estimated_value(move: str, value: float | None, visits: int) -> MoveValue:
    """A move with the points that its player can expect, from 0 to 1."""
    colour = diverging(0.0 if value is None else 2 * value - 1)
    text = "?" if value is None else f"{100 * value:.0f}"
    return {"move": move, "value": value, "label": text, "text": f"{text} %", "colour": colour, "ink": ink_on(colour), "visits": visits}
