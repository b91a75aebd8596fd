"""Examples in docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import inspect
from pathlib import Path

import pytest

import ludometer as lm

ROOT = Path(__file__).parent.parent
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
NOT_RUN = {"ludometer.bridges.openspiel"}  # needs OpenSpiel


def modules() -> list[str]:
    """Modules with examples."""
    found = []
    for path in sorted((ROOT / "ludometer").rglob("*.py")):
        if ">>> " in path.read_text():
            found.append(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    return found


@pytest.mark.parametrize("name", modules())
def test_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in NOT_RUN:
        pytest.importorskip("pyspiel")
    monkeypatch.setenv("LUDOMETER_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(name)
    finder = doctest.DocTestFinder()
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    said: list[str] = []
    for test in finder.find(module, name, extraglobs={"lm": lm}):
        runner.run(test, out=said.append)
    assert not runner.summarize(verbose=False).failed, "".join(said)


@pytest.mark.parametrize("name", sorted(set(lm.__all__) - {"__version__"}))
def test_every_public_name_has_an_example_and_its_parameters(name: str) -> None:
    found = getattr(lm, name)
    text = inspect.getdoc(found) or ""
    assert "lm." in text and ">>> " in text, f"{name} has an example"
    if inspect.isfunction(found):
        kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL)
        parameters = [each for each in inspect.signature(found).parameters.values() if each.kind not in kinds]
        missing = [parameter.name for parameter in parameters if parameter.name not in text]
        assert not missing or "All other arguments are those of" in text, f"{name} does not explain {missing}"
