"""Options of solving: checked once against what a solver declares, and named by parameters or by flags."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ludometer.commands.solve import FLAGS
from ludometer.core.errors import LudometerError
from ludometer.solvers.options import Abilities, OptionError, SolveOptions, VerifyOptions, check_options

NOTHING = {"cpu": Abilities()}
ALL = {"cpu": Abilities(workers=True, memory=True, pack=True, check=True, executor=True), "gpu": Abilities()}


@pytest.mark.parametrize(
    ("given", "option"),
    [({"workers": 2}, "workers"), ({"memory": 1}, "memory"), ({"check": True}, "check"), ({"pack": True}, "pack"), ({}, "executor")],
)
def test_what_is_not_declared_is_refused(given: dict, option: str, tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        executor = pool if option == "executor" else None
        options = SolveOptions(folder=tmp_path, executor=executor, **given)
        check_options("toy", options, ALL)
        with pytest.raises(OptionError, match=f"leave out {option}") as refused:
            check_options("toy", options, NOTHING)
        assert f"leave out {FLAGS[option]}" in refused.value.worded(FLAGS)


def test_devices() -> None:
    check_options("toy", SolveOptions(device="gpu"), ALL)
    with pytest.raises(OptionError, match="no device is called 'abacus'; devices are cpu, gpu"):
        check_options("toy", SolveOptions(device="abacus"), ALL)
    with pytest.raises(OptionError, match="toy is solved on the cpu, not on 'gpu'; leave out device"):
        check_options("toy", SolveOptions(device="gpu"), NOTHING)
    with pytest.raises(OptionError, match="on gpu there are no threads to choose; leave out workers"):
        check_options("toy", SolveOptions(device="gpu", workers=1), ALL)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"keep": "some"}, "keep is one of none, values, distances, not 'some'"),
        ({"workers": 0}, "workers is 1 or more, not 0"),
        ({"memory": 0}, "1 byte or more, not 0"),
        ({"pack": True}, "kept in a folder"),
        ({"pack": True, "keep": "none", "folder": Path("x")}, "with values or distances"),
    ],
)
def test_values_that_no_solver_takes(given: dict, message: str) -> None:
    with pytest.raises(LudometerError, match=message):
        SolveOptions(**given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"folder": None}, "needs a folder"),
        ({"workers": 2}, "leave out workers"),
        ({"memory": 10**9}, "leave out memory"),
        ({"check": True}, "leave out check"),
    ],
)
def test_an_executor_excludes_what_its_workers_would_not_do(given: dict, message: str, tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool, pytest.raises(LudometerError, match=message):
        SolveOptions(**{"folder": tmp_path, "executor": pool, **given})


def test_a_sample_has_entries() -> None:
    with pytest.raises(LudometerError, match="1 entry or more, not 0"):
        VerifyOptions(sample=0)


def test_every_option_that_an_error_may_name_has_a_flag() -> None:
    import ast

    import ludometer.solvers

    named = set()
    for file in Path(ludometer.solvers.__path__[0]).rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text())):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "OptionError":
                for text in (node.value for node in ast.walk(call.args[1]) if isinstance(node, ast.Constant)):
                    named |= {part.partition("}")[0] for part in str(text).split("{")[1:]}
            if isinstance(call, ast.Constant) and isinstance(call.value, str) and file.parent.name != "tests":
                assert " --" not in call.value, f"{file}:{call.lineno} names a flag"
    assert named and named <= set(FLAGS)
