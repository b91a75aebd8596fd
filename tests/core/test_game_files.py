"""Game files side by side: variants of one game, and one file named in different ways."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ludometer.checks.game_contract import check_game
from ludometer.games import game
from ludometer.solvers.perft import perft

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "connect_three.py"


@pytest.mark.compile
def test_variants_with_rules_of_the_same_name(tmp_path: Path) -> None:
    """A copy with one rule changed plays by its own rules, beside the original."""
    counts = []
    for width in (3, 2, 1):
        file = tmp_path / f"variant{width}.py"
        file.write_text(EXAMPLE.read_text().replace("for column in range(3):", f"for column in range({width}):"))
        counts.append(perft(game(str(file)).start(), 2))
    assert counts == [9, 4, 1]
    check_game(game(str(tmp_path / "variant3.py")))


def test_a_file_is_loaded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLE.parent)
    by_name = game("connect_three.py")
    assert by_name == game(str(EXAMPLE)) == game("../examples/connect_three.py")
    (tmp_path / "link.py").symlink_to(EXAMPLE)
    assert game(str(tmp_path / "link.py")).kind is by_name.kind


def test_no_bytecode_is_left_behind(tmp_path: Path) -> None:
    file = tmp_path / "plain.py"
    file.write_text(EXAMPLE.read_text())
    assert game(str(file)).start().legal == (0, 1, 2)
    assert os.listdir(tmp_path) == ["plain.py"]
