"""The usual looks of grid games, seen through the example that uses them."""

from __future__ import annotations

from pathlib import Path

from ludometer.games import game

EXAMPLE = str(Path(__file__).parent.parent.parent / "examples" / "connect_three.py")


def test_the_latest_mark_is_found() -> None:
    """The move says only the column; the mark is the uppermost one there."""
    position = game(EXAMPLE).start().play("A").play("A").play("A")
    lines = position.game.kind.required("text_board")(position.game.rules, position.state, position.last)
    assert [[(text, role) for text, role in line if "last" in role] for line in lines] == [[], [("X", "first last")], [], []]
    picture = position.game.kind.required("draw")(position.game.rules, position.state, position.last)
    marked = [shape.numbers for shape in picture.shapes if shape.role == "last"]
    assert len(marked) == 1 and marked[0][0] < 1.6 and marked[0][1] < 1.6


def test_moves_are_shown_where_the_mark_will_be() -> None:
    position = game(EXAMPLE).start().play("B")
    spots = position.game.kind.required("draw")(position.game.rules, position.state, None).spots
    assert sorted(spots) == [0, 1, 2]
    assert spots[0].y == spots[2].y and spots[1].y == spots[0].y - 1 and spots[0].x == spots[1].x - 1


def test_text() -> None:
    position = game(EXAMPLE).start().play("B").play("b").play("C")
    assert str(position) == ".../.O./.XX o"
    board = position.game.kind.required("text_board")(position.game.rules, position.state, None)
    assert ["".join(text for text, _ in line).rstrip() for line in board] == ["   A B C", " 1 . . .", " 2 . O .", " 3 . X X"]
