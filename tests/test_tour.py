"""The notebook of the guided tour runs from top to bottom, and what its cells end with can be shown."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

TOUR = Path(__file__).parent.parent / "examples" / "tour.ipynb"


def code_cells() -> list[str]:
    """The source of each code cell, without the lines that only a notebook understands."""
    notebook = json.loads(TOUR.read_text())
    assert notebook["nbformat"] == 4 and len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    sources = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return ["\n".join(line for line in source.splitlines() if not line.startswith("%")) for source in sources]


def run_cell(source: str, names: dict[str, Any]) -> Any:
    """Run a cell as a notebook does; what its last expression gives."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, str(TOUR), "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), str(TOUR), "eval"), names)


def shown(value: Any) -> str:
    """What a notebook would show of it."""
    for name in ("_repr_html_", "_repr_svg_"):
        drawn = getattr(value, name, None)
        if drawn is not None:
            return str(drawn())
    return repr(value)


@pytest.mark.exhaustive
def test_the_tour_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOMETER_HOME", str(tmp_path))
    names: dict[str, Any] = {}
    values = [run_cell(source, names) for source in code_cells()]
    texts = [shown(value) for value in values if value is not None]
    assert all(texts) and any("<svg" in text for text in texts) and any("<table" in text for text in texts)
    assert names["result"].games == 200
    assert [point.rung for point in names["accuracy"].points] == ["4", "16", "64"]
    assert len(names["depth"].games[0].result.rungs) == 6
    for measured in (names["ladder"], names["depth"], names["report"]):
        assert str(measured)
        pytest.importorskip("pandas")
        assert len(measured.to_frame()) > 0
