"""`import ludometer as lm`: the names of the interface, and what type checkers and readers see of them."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest

import ludometer as lm

ROOT = Path(__file__).parent.parent
MARK = "# mypy: allow-untyped-defs"

SCRIPT = """
import ludometer as lm

game = lm.game("tictactoe")
reveal_type(game)
reveal_type(game.start().play("B2").moves())
reveal_type(game.random_states(3).rows)
reveal_type(lm.solve)
reveal_type(lm.match)
lm.game(3)
lm.nonsense
"""


@pytest.mark.parametrize("name", sorted(set(lm.__all__) - {"__version__"}))
def test_every_name_is_there_and_says_what_it_is(name: str) -> None:
    found = getattr(lm, name)
    assert found is getattr(importlib.import_module(found.__module__), name), "the module it says it is from"
    first = (found.__doc__ or "").strip().partition("\n")[0]
    assert len(first) > 10 and not first.startswith(f"{name}("), f"{name} has a docstring of its own"
    assert name in dir(lm)


def test_a_name_that_does_not_exist() -> None:
    with pytest.raises(AttributeError, match="module 'ludometer' has no attribute 'nonsense'"):
        lm.nonsense  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.exhaustive
def test_a_type_checker_sees_the_interface(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The names have their types, and what is wrong is found."""
    from mypy import api

    monkeypatch.setenv("MYPYPATH", str(ROOT))
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    output, errors, _ = api.run(
        ["--strict", "--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(ROOT / ".mypy_cache"), str(script)]
    )
    assert not errors
    said = re.findall(r"script\.py:(\d+): (.*)", output)
    revealed = [text for _, text in said if text.startswith("note: Revealed")]
    expected = ("core.game.Game", "list[str]", "unsignedinteger", "-> ludometer.solvers.", "-> ludometer.arena.")
    assert len(revealed) == len(expected), output
    for part, text in zip(expected, revealed, strict=True):
        assert part in text.replace("builtins.", ""), text
    wrong = [(number, text) for number, text in said if text.startswith("error")]
    assert [number for number, _ in wrong] == ["10", "11"], output
    assert "incompatible type" in wrong[0][1] and "nonsense" in wrong[1][1]
    assert "Any" not in revealed[0] + revealed[1]


def test_only_modules_of_compiled_functions_leave_out_types() -> None:
    """The relaxation is for functions whose types Numba infers: each marked module has one, and it is decorated or handed to Numba."""
    marked = [path for path in (ROOT / "ludometer").rglob("*.py") if MARK in path.read_text()]
    assert marked
    idle = []
    for path in marked:
        text = path.read_text()
        functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
        untyped = [node for node in functions if node.returns is None and any(argument.annotation is None for argument in node.args.args)]
        if not untyped or not re.search(r"\b(numba|kernel|njit|jitted|compiling|protocol|core\.bits)\b", text):
            idle.append(str(path.relative_to(ROOT)))
    assert not idle, f"these need no {MARK}: {', '.join(idle)}"
