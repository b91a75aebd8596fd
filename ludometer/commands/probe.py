"""`ludometer probe`: the exact value of a position and of every move in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludometer.commands.output import GameSpec, Json, ending_on_interrupt, find_game, print_board, print_json
from ludometer.commands.solve import Tables, signed

if TYPE_CHECKING:
    from ludometer.core.position import Position
    from ludometer.solve.solution import Probe, Value

_FADING = 30  # moves to the end at which a value on the board is drawn half as strong


def probe(
    game: GameSpec,
    position: Annotated[str, typer.Argument(metavar="[POSITION]", help="as the game writes it, in quotes", show_default=False)] = "start",
    svg: Annotated[str | None, typer.Option(metavar="FILE", help="draw the position with the values of the moves into this file")] = None,
    tables: Tables = "",
    json: Json = False,
) -> None:
    """Say who wins from a position, in how many moves, and what each move is worth.

    Values are for the player to move; a move's value is for the player who makes it.  Small games that were not solved before are solved on
    the spot.
    """
    chosen = find_game(game)
    asked = chosen.position(position)
    from ludometer.core.files import check_writable, write_text
    from ludometer.solve import solution_for

    if svg is not None:
        check_writable(svg)
    with ending_on_interrupt():
        found = solution_for(chosen, tables or None).probe(asked)
    if svg is not None:
        write_text(svg, asked.svg(labels=labels(found), colours=colours(found)))
    if json:
        print_json(document(asked, found))
        return
    _describe(asked, found)
    if svg is not None:
        print(f"drawn in {svg}")


def document(position: Position, found: Probe) -> dict[str, Any]:
    """The probe as JSON has it."""
    return {
        "game": position.game.spec,
        "position": str(position),
        "turn": position.turn,
        **_value_keys(found.value),
        "moves": [{"move": position.move_text(move), **_value_keys(value)} for move, value in found.moves],
        "best": [position.move_text(move) for move in found.best],
        "keeping": [position.move_text(move) for move in found.keeping],
    }


def _value_keys(value: Value) -> dict[str, Any]:
    from ludometer.solve.solution import VALUE_NAMES

    keys: dict[str, Any] = {"value": VALUE_NAMES[value.outcome], "distance": value.distance}
    return keys if value.margin is None else {**keys, "margin": value.margin}


def value_text(value: Value) -> str:
    """A value as people say it: win in 3, draw, +2."""
    from ludometer.solve.solution import VALUE_NAMES

    if value.margin is not None:
        return signed(value.margin)
    return VALUE_NAMES[value.outcome] if value.distance is None else f"{VALUE_NAMES[value.outcome]} in {value.distance}"


def labels(found: Probe) -> dict[int, str]:
    """A short text for each move, to be laid over the board: W3, L8, D, or points."""
    from ludometer.core.outcome import DRAW, WIN

    def label(value: Value) -> str:
        if value.margin is not None:
            return value_text(value)
        letter = "D" if value.outcome == DRAW else "W" if value.outcome == WIN else "L"
        return letter if value.distance is None else f"{letter}{value.distance}"

    return {move: label(value) for move, value in found.moves}


def colours(found: Probe) -> dict[int, float]:
    """A number from −1 (lost at once) to 1 (won at once) for each move; points are compared with the largest."""
    largest = max((abs(value.margin) for _, value in found.moves if value.margin is not None), default=0) or 1

    def colour(value: Value) -> float:
        if value.margin is not None:
            return value.margin / largest
        return value.outcome * _FADING / (_FADING + (value.distance or 0))

    return {move: colour(value) for move, value in found.moves}


def _describe(position: Position, found: Probe) -> None:
    from ludometer.core.text import in_columns

    print_board(position)
    print(f"\n{position.game.spec}  {position}")
    if position.is_over:
        print(f"over: {position.result}")
        return
    unit = " at the end" if found.value.margin is not None else ""
    print(f"{position.turn} to move: {value_text(found.value)}{unit}")
    groups: dict[str, list[str]] = {}
    for move, value in sorted(found.moves, key=lambda pair: pair[1].preference(), reverse=True):
        groups.setdefault(value_text(value), []).append(position.move_text(move))
    for text, moves in groups.items():
        print(f"\n{text}:")
        print(in_columns(moves))
