"""Stamps of code change with everything that changes compiled code, and with nothing else."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

from ludometer.core.compiling import code_stamp
from ludometer.games import game

SOURCE = '''"""A module."""

import enum
from typing import NamedTuple

import numpy as np
from numba import njit, types
from numba.extending import intrinsic, overload

from ludometer.core.compiling.dispatch import family

WEIGHT = 3
UNUSED = 4
TABLE = np.arange(4)
SIZES = (1, 2)
KIND = types.int64


class Order(enum.IntEnum):
    FIRST = 0
    SECOND = 1


class Bag(NamedTuple):
    size: int


class Box(NamedTuple):
    size: int


@family(by="thing")
def capacity(thing):
    """How much it holds."""


@capacity.for_class(Bag)
def _(thing):
    return thing.size + 1


@capacity.for_class(Box)
def _(thing):
    return thing.size + 2


def plain(value):
    return value


@overload(plain)
def _plain(value):
    return lambda value: value * 2


@intrinsic
def direct(typing_context, value):
    def generate(context, builder, signature, arguments):
        return arguments[0]

    return value(value), generate


def made(step):
    @njit
    def add(value):
        return value + step

    return add


add_five = made(5)


@njit
def helper(value):
    """Help."""
    return value + WEIGHT + TABLE[1] + SIZES[0]


@njit
def unused(value):
    return value - 1


@njit(nogil=True)
def entry(thing, value):
    """Enter."""
    return helper(value) + capacity(thing) + plain(value) + direct(value) + Order.SECOND + add_five(value) + KIND(1)
'''


def stamp_of(source: str, folder: Path, *classes: str) -> str | None:
    """The stamp of `entry` in a module with this source; the module always has the same name."""
    file = folder / "stamped.py"
    file.write_text(source)
    spec = importlib.util.spec_from_file_location("stamped_module", file)
    assert spec is not None and spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    sys.modules["stamped_module"] = module
    try:
        exec(compile(source, str(file), "exec"), vars(module))
        return code_stamp.stamp(module.entry, classes=[getattr(module, name) for name in classes or ("Bag",)])
    finally:
        del sys.modules["stamped_module"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"""A module."""', '"""Another text."""\n# and a remark\n'),
        ('    """Help."""\n', ""),
        ('"""How much it holds."""', '"""Capacity."""'),
        ("UNUSED = 4", "UNUSED = 5"),
        ("return value - 1", "return value - 2"),
        ("def helper(value):", "def helper(value: int) -> int:  # a remark"),
        ("    return thing.size + 2", "    return thing.size + 3"),  # of a class that is not among the arguments
        ("    return value\n\n\n@overload", "    return value + 0\n\n\n@overload"),  # compiled code runs the overload
    ],
)
def test_what_compiled_code_does_not_depend_on(old: str, new: str, tmp_path: Path) -> None:
    assert SOURCE.count(old) == 1
    assert stamp_of(SOURCE, tmp_path) == stamp_of(SOURCE.replace(old, new), tmp_path) is not None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return value + WEIGHT", "return value - WEIGHT"),
        ("WEIGHT = 3", "WEIGHT = 2"),
        ("WEIGHT = 3", "WEIGHT = 3.0"),
        ("np.arange(4)", "np.arange(4) + 1"),
        ("np.arange(4)", "np.arange(4).astype(np.int32)"),
        ("(1, 2)", "(2, 2)"),
        ("SECOND = 1", "SECOND = 2"),
        ("    return thing.size + 1", "    return thing.size + 3"),
        ("class Bag(NamedTuple):\n    size: int", "class Bag(NamedTuple):\n    size: int\n    more: int"),
        ("value * 2", "value * 3"),
        ("return arguments[0]", "return arguments[-1]"),
        ("made(5)", "made(6)"),
        ("return value + step", "return value - step"),
        ("@njit(nogil=True)\n", "@njit(nogil=True, fastmath=True)\n"),
        ("types.int64", "types.int32"),
    ],
)
def test_what_compiled_code_depends_on(old: str, new: str, tmp_path: Path) -> None:
    assert SOURCE.count(old) == 1
    assert stamp_of(SOURCE, tmp_path) != stamp_of(SOURCE.replace(old, new), tmp_path)


def test_classes_among_the_arguments_select_bodies(tmp_path: Path) -> None:
    assert stamp_of(SOURCE, tmp_path, "Bag") != stamp_of(SOURCE, tmp_path, "Box") != stamp_of(SOURCE, tmp_path, "Bag", "Box")


def test_code_without_a_source_file_has_no_stamp() -> None:
    space: dict[str, Any] = {"__name__": "typed_somewhere"}
    exec("from numba import njit\n@njit\ndef add(value):\n    return value + 1", space)
    assert code_stamp.stamp(space["add"]) is None


@pytest.mark.parametrize("spec", ["quixo:3", "ultimate", "dots:2x2", "tictactoe"])
def test_kernels_of_a_game_reach_rules_and_no_texts(spec: str) -> None:
    """What people read, how boards are drawn and what solving costs is not part of compiled code."""
    from ludometer.solvers.perft import _count_sequences

    rules = type(game(spec).rules)
    names = code_stamp.reached(_count_sequences, classes=(rules,))
    assert f"function {rules.__module__}.play" in names
    texts = ("drawing", "notation", "text", "errors", "files", "forecasts", "solvable", "ludometer.__init__", "gridgame", "evaluation")
    assert [name for name in names if any(part in texts for part in name.split("."))] == []
