"""`ludometer show`: every option changes what it says it changes."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from ludometer.core.text import in_columns
from ludometer.games import game


def test_json_is_the_position(run_json) -> None:
    text = "XX..O/...../...../...../..... x"
    position = game("quixo:5").position(text)
    answer = run_json("show", "quixo:5", text)
    assert answer == position.document()
    assert answer == {"game": "quixo:5", "position": text, "turn": "x", "moves": position.moves(), "result": None}
    assert run_json("show", "quixo:5")["position"] == str(game("quixo:5").start())


def test_margins_are_shown_where_points_count(run_json) -> None:
    for text, margin in (("-/|a|/- a", 1), ("-/|b|/- b", 1), ("-/|b|/- a", -1)):
        assert run_json("show", "dots:1x1", text)["margin"] == margin
    assert "margin" not in run_json("show", "tictactoe")


def test_moves_are_made(run_json) -> None:
    for moves in ("A1>right,B1>left", "A1>right B1>left", " A1>right , B1>left "):
        answer = run_json("show", "quixo:5", "--moves", moves)
        assert answer["position"] == str(game("quixo:5").start().play("A1>right").play("B1>left"))
    after = run_json("show", "quixo:3", "XX./.../OO. o", "--moves", "A3>right")
    assert after["position"] == str(game("quixo:3").position("XX./.../OO. o").play("A3>right"))


def test_the_position_is_drawn(run, tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    status, out, _ = run("show", "quixo:3", "--moves", "A1>right", "--svg", str(picture))
    assert status == 0 and out.endswith(f"drawn in {picture}\n")
    assert picture.read_text() == game("quixo:3").start().play("A1>right").svg()
    ElementTree.parse(picture)


def test_text(run) -> None:
    position = game("quixo:3").position("XX./.../OO. o")
    status, out, err = run("show", "quixo:3", str(position))
    assert status == 0 and not err
    kind = position.game.kind
    assert out == (
        f"{position.board()}\n\nquixo:3  {position}\no to move, {len(position.legal)} legal moves:\n{in_columns(position.moves())}\n\n"
        f"positions: {kind.position_help}\nmoves: {kind.move_help}\n"
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("XXX/OO./... o", "over: 1-0\n"),
        ("XOX/XOX/OX. o", "o to move, 1 legal move:\n  C3\n"),
        ("XOX/XOX/O.. x", "x to move, 2 legal moves:\n"),
    ],
)
def test_what_can_be_played_or_how_it_ended(run, text: str, words: str) -> None:
    assert words in run("show", "tictactoe", text)[1]
