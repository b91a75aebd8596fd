"""CPU seconds of each test, and of compilation per kernel and game: figures that other work on the machine hardly changes.

    pytest --cpu times.jsonl                # one line of JSON per test, one per kernel and game, as they end
    python -m tests.cpu_times times.jsonl   # the costliest files, tests and kernels

CPU seconds are user and system time of the process that runs the test and of the child processes that ended during it.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SHOWN = 40  # lines of each table


def cpu_seconds() -> float:
    """CPU seconds of this process and of its children that ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class CpuTimes:
    """A plugin that writes the CPU seconds of tests and compilations to a file; workers of pytest-xdist share the file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._compiling: list[float] = []  # CPU time at the start of each open compilation, less what inner ones took
        self._compiled: Counter[str] = Counter()
        from numba.core import event

        event.register("numba:compile", _Listener(self))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        before = cpu_seconds()
        try:
            return (yield)
        finally:
            self._write({"test": item.nodeid, "seconds": cpu_seconds() - before, "compiled": sum(self._compiled.values())})
            for name, seconds in self._compiled.items():
                self._write({"kernel": name, "seconds": seconds, "test": item.nodeid})
            self._compiled.clear()

    def start(self) -> None:
        self._compiling.append(cpu_seconds())

    def end(self, name: str) -> None:
        seconds = cpu_seconds() - self._compiling.pop()
        self._compiled[name] += seconds
        self._compiling = [since + seconds for since in self._compiling]

    def _write(self, fact: dict[str, Any]) -> None:
        with self._file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(fact) + "\n")


def _Listener(times: CpuTimes) -> Any:
    from numba.core import event

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            times.start()

        def on_end(self, event: Any) -> None:
            times.end(_name_of(event.data["dispatcher"], event.data["args"]))

    return Listener()


def _name_of(dispatcher: Any, arguments: Any) -> str:
    """A function and the named tuples among the types of its arguments, such as `agents.mcts_kernels.search QuixoRules`."""
    from ludometer.core.compiling.compilation import _named_tuples

    function = dispatcher.py_func
    games = dict.fromkeys(one.__name__ for one in _named_tuples(arguments))
    return " ".join((f"{function.__module__}.{function.__qualname__}", *games))


def main(file: str) -> None:
    facts = [json.loads(line) for line in Path(file).read_text(encoding="utf-8").splitlines()]
    tests, files, kernels, times = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    compiled = 0.0
    for fact in facts:
        if "kernel" in fact:
            kernels[fact["kernel"]] += fact["seconds"]
            times[fact["kernel"]] += 1
        else:
            tests[fact["test"]] += fact["seconds"]
            files[fact["test"].partition("::")[0]] += fact["seconds"]
            compiled += fact["compiled"]
    print(f"{sum(tests.values()):.0f} CPU seconds in {len(tests)} tests, {compiled:.0f} of them in the compiler within test processes")
    for title, table in (("files", files), ("tests", tests), ("kernels", kernels)):
        print(f"\n{title}")
        for name, seconds in table.most_common(SHOWN):
            again = f"  ({times[name]} tests)" if table is kernels else ""
            print(f"{seconds:8.1f}  {name}{again}")


if __name__ == "__main__":
    main(sys.argv[1])
