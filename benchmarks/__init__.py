"""Speed beside peers, measured in one run: every module with a `compare() -> rows` of name, ours, peer and ratio.

`TOY` in a module has values of its constants for a run that only shows that the benchmark works.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
import sys
from functools import cache
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent


def names() -> list[str]:
    """Names of the benchmarks: modules that define `compare`."""
    modules = [module.name for module in pkgutil.iter_modules([str(_HERE)])]
    return [name for name in modules if "\ndef compare(" in (_HERE / f"{name}.py").read_text(encoding="utf-8")]


def title(name: str) -> str:
    """The first sentence of a benchmark's docstring."""
    text = (_HERE / f"{name}.py").read_text(encoding="utf-8").partition('"""')[2]
    return " ".join(text.partition("\n\n")[0].partition('"""')[0].split())


def measure(name: str, toy: bool = False) -> list[dict[str, Any]]:
    """The rows of a benchmark; none, and a line on standard error, if a package that it measures is not installed."""
    try:
        module = importlib.import_module(f"{__name__}.{name}")
        if not toy:
            rows: list[dict[str, Any]] = module.compare()
            return rows
        return _at_toy_size(module)
    except ModuleNotFoundError as error:
        print(f"{name} is not measured: {error.name} is not installed", file=sys.stderr)
        return []


def _at_toy_size(module: Any) -> list[dict[str, Any]]:
    usual = {constant: getattr(module, constant) for constant in module.TOY}
    given = {one: module.TOY[one.upper()] for one in inspect.signature(module.compare).parameters if one.upper() in module.TOY}
    try:
        vars(module).update(module.TOY)
        rows: list[dict[str, Any]] = module.compare(**given)
        return rows
    finally:
        vars(module).update(usual)


@cache
def has_peer(package: str) -> bool:
    """Whether a peer is installed; says once on standard error that it is not."""
    found = importlib.util.find_spec(package) is not None
    if not found:
        print(f"not measured beside {package}, which is not installed", file=sys.stderr)
    return found


def row(name: str, ours: float, peer: float | None = None, ratio: float | None = None) -> dict[str, Any]:
    """A row of a benchmark; the ratio is ours to the peer's unless given."""
    return {"name": name, "ours": ours, "peer": peer, "ratio": ours / peer if peer and ratio is None else ratio}
