"""The tool that plants faults says which tests notice them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests import mutants
from tests.mutants import ListError, Mutant, judge_all, mapped_tests, read_mutants

CODE = 'def double(number):\n    """Twice the number."""\n    return 2 * number\n\n\ndef rest():\n    return 0\n'
TESTS = """
from ludometer.double import double


def test_double():
    assert double(4) == 8


def test_broken():
    assert False
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small package with a test that passes, a test that fails and a test that cannot be collected."""
    root = tmp_path / "tree"
    for folder in ("ludometer", "tests"):
        (root / folder).mkdir(parents=True)
        (root / folder / "__init__.py").touch()
    (root / "ludometer" / "double.py").write_text(CODE)
    (root / "tests" / "test_double.py").write_text(TESTS)
    (root / "tests" / "test_missing.py").write_text("import a_package_that_is_missing\n")
    (root / "pyproject.toml").write_text('[tool.pytest.ini_options]\naddopts = "-q"\n')
    shutil.copy(mutants.__file__, root / "tests" / "mutants.py")
    return root


def test_verdicts(tree: Path) -> None:
    def mutant(old: str, new: str) -> Mutant:
        return Mutant("ludometer/double.py", old, new, ("tests",))

    faults = [
        mutant("2 * number", "3 * number"),  # as long as the right text: old bytecode would hide it
        mutant("Twice", "Double"),
        mutant("def rest", "def rest("),
    ]
    lines: list[str] = []
    verdicts = judge_all(faults, root=tree, say=lines.append)
    assert verdicts == [
        ("killed", "tests/test_double.py::test_double"),
        ("survived", ""),
        ("killed", "tests/test_double.py"),
    ]
    assert "without tests/test_missing.py, tests/test_double.py::test_broken, which fail" in lines[0] and len(lines) == 4
    assert (tree / "ludometer" / "double.py").read_text() == CODE


def test_a_fault_that_never_ends(tree: Path) -> None:
    endless = Mutant("ludometer/double.py", "return 2", "while True: pass\n    return 2", ("tests/test_double.py",))
    assert judge_all([endless], root=tree, limit=2, say=lambda line: None) == [("timeout", "")]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"file": "ludometer/double.py", "old": "number", "new": "x"}, "stands 3 times"),
        ({"file": "ludometer/double.py", "old": "2", "new": "2"}, "replaced by itself"),
        ({"file": "ludometer/double.py", "old": "return 3", "new": "x"}, "stands 0 times"),
        ({"file": "ludometer/none.py", "old": "a", "new": "x"}, "no file"),
        ({"file": "ludometer/double.py", "old": "a"}, "needs file, old and new"),
    ],
)
def test_lists_that_cannot_be_applied(entry: dict[str, str], message: str, tree: Path) -> None:
    file = tree / "list.json"
    file.write_text(json.dumps([entry]))
    with pytest.raises(ListError, match=message):
        read_mutants(file, tree)


def test_the_tests_of_a_module() -> None:
    contracts = mutants.CONTRACTS
    assert mapped_tests("ludometer/games/quixo/rules.py") == ("tests/games/test_quixo.py", "tests/games", *contracts)
    assert mapped_tests("ludometer/agents/mcts_kernels.py") == ("tests/agents/test_mcts.py", "tests/agents", *contracts)
    assert mapped_tests("ludometer/solvers/tiles/codes.py")[-3:] == ("tests/solvers/tiles", *contracts)
