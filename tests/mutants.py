"""Apply small faults to copies of the tree, one at a time, and report which tests notice them.

    python -m tests.mutants FILE.json [--jobs N] [--quick] [--timeout SECONDS] [--table FILE]

FILE.json is a list of {"file": "ludometer/…", "old": "…", "new": "…", "tests": ["tests/…", …]}.  `old` stands exactly once in the file and
is replaced by `new`.  `tests` are arguments of pytest; without them the tests of the module's folder and the contract tests run.

All tests first run on the unchanged tree: tests that fail there are left out, and the time they take sets the limit.  The table has a
line per mutant: `killed` with the first test that fails, `survived`, or `timeout`.  It is written as results arrive.  Exit status: 0 if
no mutant survived, 1 if one did, 2 for a list that cannot be applied.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Queue
from typing import Any

ROOT = Path(__file__).parents[1]
COPIED = ("ludometer", "tests", "examples", "docs", "benchmarks", "pyproject.toml", "README.md", "Makefile", "LICENSE")
CONTRACTS = ("tests/test_contract.py", "tests/test_agents_contract.py")
QUICK = "not (compile or browser or kill or simulator or exhaustive or process or nightly)"
COMPLETE = "not nightly"
NO_TESTS = 5  # exit status of pytest when the marks leave no test
LEAST_LIMIT = 120.0  # seconds
LIMIT_FACTOR = 10  # limit of a mutant's run, in times of the run on the unchanged tree
REPORT = "LUDOMETER_MUTANT_REPORT"  # names the file into which the plugin below writes


class ListError(Exception):
    """A list of mutants that cannot be applied."""


@dataclass(frozen=True)
class Mutant:
    """One replacement of text in one file, and the tests that should notice it."""

    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.file}: {_short(self.old)} → {_short(self.new)}"


@dataclass(frozen=True)
class Selection:
    """Arguments of pytest after the run on the unchanged tree."""

    tests: tuple[str, ...]
    left_out: tuple[str, ...] = ()  # names of tests, and of files that cannot be collected
    seconds: float = 0.0


@dataclass(frozen=True)
class Run:
    """What a run of pytest said."""

    status: int | None  # exit status; None: it ran past the limit
    failed: list[str] = field(default_factory=list)  # names of failed tests, and of files that could not be collected
    seconds: float = 0.0
    output: str = ""


def _short(text: str, most: int = 44) -> str:
    line = " ⏎ ".join(part.strip() for part in text.strip().splitlines()) or "nothing"
    return line if len(line) <= most else line[: most - 1] + "…"


def read_mutants(file: Path, root: Path = ROOT) -> list[Mutant]:
    """The mutants in a JSON file; raises ListError if one cannot be applied to the tree."""
    try:
        entries = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ListError(f"{file}: {error}") from None
    if not isinstance(entries, list) or not entries:
        raise ListError(f"{file}: not a list of mutants")
    return [_mutant(entry, number, root) for number, entry in enumerate(entries, 1)]


def _mutant(entry: Any, number: int, root: Path) -> Mutant:
    if not isinstance(entry, dict) or not {"file", "old", "new"} <= entry.keys() <= {"file", "old", "new", "tests", "why"}:
        raise ListError(f"mutant {number}: needs file, old and new, and may have tests and why")
    path = root / entry["file"]
    if not path.is_file():
        raise ListError(f"mutant {number}: there is no file {entry['file']}")
    found = path.read_text(encoding="utf-8").count(entry["old"])
    if found != 1 or entry["old"] == entry["new"]:
        raise ListError(f"mutant {number}: {_short(entry['old'])!r} stands {found} times in {entry['file']}, or is replaced by itself")
    given = entry.get("tests") or mapped_tests(entry["file"], root)
    return Mutant(entry["file"], entry["old"], entry["new"], (given,) if isinstance(given, str) else tuple(given))


def mapped_tests(file: str, root: Path = ROOT) -> tuple[str, ...]:
    """The tests of a module: its own file, the files of its folder, then the contract tests."""
    parts = Path(file).with_suffix("").parts[1:]
    folders = [Path("tests", *parts[:length]) for length in range(len(parts) - 1, 0, -1)]
    mirrored = next((folder for folder in folders if (root / folder).is_dir()), None)
    names = [f"test_{part.removesuffix('_kernels')}.py" for part in reversed(parts)]
    own = [folder / name for folder in folders for name in names if (root / folder / name).is_file()]
    chosen = [str(path) for path in (*own, *([mirrored] if mirrored else []))] + [name for name in CONTRACTS if (root / name).is_file()]
    return tuple(dict.fromkeys(chosen)) or ("tests",)


# ---- running pytest in a copy ----


def copy_tree(root: Path, target: Path) -> None:
    """Copy what the tests need."""
    for name in COPIED:
        if (root / name).is_dir():
            shutil.copytree(root / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif (root / name).is_file():
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, target / name)


@contextmanager
def applied(mutant: Mutant, tree: Path) -> Iterator[None]:
    """The mutant's text in a copy of the tree, and the old text again afterwards.  Bytecode goes by time and size, so it is removed."""
    path = tree / mutant.file
    content = path.read_bytes()
    bytecode = Path(importlib.util.cache_from_source(str(path)))
    try:
        path.write_text(content.decode().replace(mutant.old, mutant.new), encoding="utf-8")
        bytecode.unlink(missing_ok=True)
        yield
    finally:
        path.write_bytes(content)
        bytecode.unlink(missing_ok=True)


def run_tests(tree: Path, selection: Selection, marks: str, *, limit: float | None = None, first_only: bool = False) -> Run:
    """Run pytest in a tree."""
    report = tree / "mutant-report.txt"
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-p", "tests.mutants", "-p", "no:cacheprovider", "-m", marks, "--tb=line"]
    command += [*(["-x"] if first_only else ["--continue-on-collection-errors"]), *selection.tests]
    for name in selection.left_out:
        command += ["--deselect" if "::" in name else "--ignore", name]
    path = os.pathsep.join(filter(None, (str(tree), os.environ.get("PYTHONPATH"))))
    settings = {**os.environ, "PYTHONPATH": path, REPORT: str(report)}
    since = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, cwd=tree, env=settings, stdout=output, stderr=output, start_new_session=True)
        try:
            status: int | None = process.wait(limit)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            _end_group(process)
        output.seek(0)
        text = output.read().decode(errors="replace")
    failed = report.read_text(encoding="utf-8").splitlines() if report.is_file() else []
    return Run(status, failed, time.monotonic() - since, text)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End a run and the processes it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def pytest_runtest_logreport(report: Any) -> None:
    """Plugin: note a failed test."""
    if report.failed:
        _note(report.nodeid)


def pytest_collectreport(report: Any) -> None:
    """Plugin: note a file that cannot be collected."""
    if report.failed:
        _note(report.nodeid)


def _note(name: str) -> None:
    if file := os.environ.get(REPORT):
        with open(file, "a", encoding="utf-8") as stream:
            stream.write(f"{name}\n")


# ---- the table ----


def settled(tree: Path, tests: str, marks: str) -> Selection:
    """One argument of pytest, without the tests that fail on the unchanged tree; raises ListError if pytest cannot run it."""
    run = run_tests(tree, Selection((tests,)), marks)
    if run.status not in (0, 1, 2, NO_TESTS):
        raise ListError(f"pytest {tests} ends with status {run.status} on the unchanged tree: {run.output[-1000:].strip()}")
    return Selection((tests,), tuple(dict.fromkeys(run.failed)), run.seconds)


def joined(parts: list[Selection]) -> Selection:
    """Several arguments of pytest as one selection."""
    return Selection(
        tuple(name for part in parts for name in part.tests),
        tuple(dict.fromkeys(name for part in parts for name in part.left_out)),
        sum(part.seconds for part in parts),
    )


def judged(tree: Path, mutant: Mutant, selection: Selection, marks: str, limit: float | None) -> tuple[str, str, float]:
    """(verdict, the test that noticed it, seconds)."""
    with applied(mutant, tree):
        bound = limit or max(LEAST_LIMIT, LIMIT_FACTOR * selection.seconds)
        run = run_tests(tree, selection, marks, limit=bound, first_only=True)
    if run.status is None:
        return "timeout", run.failed[0] if run.failed else "", run.seconds
    if run.status in (0, NO_TESTS):
        return "survived", "", run.seconds
    return "killed", run.failed[0] if run.failed else f"pytest ended with status {run.status}", run.seconds


def judge_all(
    mutants: list[Mutant],
    *,
    root: Path = ROOT,
    jobs: int = 1,
    quick: bool = False,
    limit: float | None = None,
    say: Callable[[str], None] = print,
) -> list[tuple[str, str]]:
    """(verdict, test) of each mutant, in order; `say` gets a line as each is done."""
    marks = QUICK if quick else COMPLETE
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder, ThreadPoolExecutor(jobs) as pool:
        os.environ.setdefault("LUDOMETER_CACHE", str(Path(folder) / "cache"))
        trees: Queue[Path] = Queue()
        for number in range(jobs):
            copy_tree(root, Path(folder) / str(number))
            trees.put(Path(folder) / str(number))

        def with_tree(work: Callable[..., Any], *arguments: Any) -> Any:
            tree = trees.get()
            try:
                return work(tree, *arguments)
            finally:
                trees.put(tree)

        def settled_aloud(tests: str) -> Selection:
            selection: Selection = with_tree(settled, tests, marks)
            left_out = f", without {', '.join(selection.left_out)}, which fail" if selection.left_out else ""
            say(f"unchanged {selection.seconds:6.0f} s  {tests}{left_out}")
            return selection

        wanted = list(dict.fromkeys(name for mutant in mutants for name in mutant.tests))
        known = dict(zip(wanted, pool.map(settled_aloud, wanted)))

        def one(mutant: Mutant) -> tuple[str, str]:
            verdict, test, seconds = with_tree(judged, mutant, joined([known[name] for name in mutant.tests]), marks, limit)
            say(f"{verdict:<9} {seconds:6.0f} s  {mutant}  {test}".rstrip())
            return verdict, test

        return list(pool.map(one, mutants))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description="Report which tests notice which faults.")
    parser.add_argument("file", type=Path, help="a JSON list of mutants")
    parser.add_argument("--jobs", type=int, default=1, help="mutants tested at the same time")
    parser.add_argument("--quick", action="store_true", help="run only the tests of `make quick`")
    parser.add_argument("--timeout", type=float, help=f"seconds for one mutant (default: {LIMIT_FACTOR} times the unchanged run)")
    parser.add_argument("--table", type=Path, help="the file for the table (default: FILE.txt beside FILE.json)")
    given = parser.parse_args(arguments)
    table: Path = given.table or given.file.with_suffix(".txt")
    try:
        mutants = read_mutants(given.file)
        with table.open("w", encoding="utf-8") as stream:

            def say(line: str) -> None:
                print(line, flush=True)
                print(line, file=stream, flush=True)

            verdicts = judge_all(mutants, jobs=given.jobs, quick=given.quick, limit=given.timeout, say=say)
            counts = {verdict: sum(one == verdict for one, _ in verdicts) for verdict in ("killed", "survived", "timeout")}
            say(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    except ListError as error:
        print(error, file=sys.stderr)
        return 2
    return 1 if counts["survived"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
