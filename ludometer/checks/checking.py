"""Checks a game file or an agent file, in processes of its own, with a time limit for each step."""

from __future__ import annotations

import ast
import json
import os
import select
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ludometer.checks.worker import AGENT, COMPILED, PLAIN
from ludometer.core.own_modules import find_file

SECONDS = 10.0  # for a step of plain Python
COMPILING = 300.0  # seconds for a step that compiles
GAME = "tictactoe"  # at which agents are checked unless told otherwise


@dataclass(frozen=True)
class FileFinding:
    """A mistake in a file: the function and what to do."""

    function: str
    message: str


@dataclass(frozen=True)
class FileReport:
    """What a check of a file found."""

    file: str
    kind: str  # game or agent
    findings: tuple[FileFinding, ...]

    @property
    def ok(self) -> bool:
        return not self.findings

    def document(self) -> dict[str, Any]:
        """For JSON."""
        return {"ok": self.ok, "file": self.file, "kind": self.kind, "findings": [asdict(each) for each in self.findings]}

    def __str__(self) -> str:
        name = Path(self.file).name
        if self.ok:
            return f"{name}: this {self.kind} keeps the contract"
        return "\n".join(f"{name}: {each.function}: {each.message}" for each in self.findings)


def check_file(path: str, seconds: float = SECONDS, game: str = GAME) -> FileReport:
    """Check a game file or an agent file; raises SpecError if there is no such file.

    `seconds` limits a step of plain Python; `game` is where an agent plays.
    """
    file = find_file(path, "game or agent")
    kind = kind_of_file(file)
    if kind == "agent":
        return FileReport(str(file), kind, tuple(_ran(AGENT, file, seconds, COMPILING, game)))
    found = _ran(PLAIN, file, seconds, 3 * seconds + 60)
    return FileReport(str(file), kind, tuple(found or _ran(COMPILED, file, COMPILING, COMPILING)))


def kind_of_file(file: Path) -> str:
    """`game` for a file with GAME = …, or that imports what games are made of; otherwise `agent`."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return "game" if b"GameKind" in file.read_bytes() else "agent"
    named = {name.id for node in ast.walk(tree) if isinstance(node, ast.Assign) for name in node.targets if isinstance(name, ast.Name)}
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    return "game" if "GAME" in named or {"legal_moves", "rules_from_text"} & functions else "agent"


def _ran(mode: str, file: Path, seconds: float, patience: float, *more: str) -> list[FileFinding]:
    """The findings of a process; one that does not go on within `patience` seconds is ended, which is a finding."""
    paths = os.pathsep.join(path for path in sys.path if path)
    process = subprocess.Popen(
        [sys.executable, "-m", "ludometer.checks.worker", mode, str(file), f"{seconds}", *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={
            **os.environ,
            **({"NUMBA_DISABLE_JIT": "1"} if mode == PLAIN else {}),
            "PYTHONPATH": paths,
        },
    )
    assert process.stdout is not None
    found: list[FileFinding] = []
    stage, rest = "the file", b""
    deadline = time.monotonic() + patience
    try:
        while True:
            if not select.select([process.stdout], [], [], max(0.0, deadline - time.monotonic()))[0]:
                found.append(FileFinding(stage, f"does not return within {patience:g} s; look for a loop that never ends"))
                return found
            part = os.read(process.stdout.fileno(), 65536)
            if not part:
                found.append(FileFinding(stage, "ends the process; it must not call exit, nor write outside its arrays"))
                return found
            *lines, rest = (rest + part).split(b"\n")
            for line in map(json.loads, lines):
                deadline = time.monotonic() + patience
                stage = line.get("stage", stage)
                if "message" in line:
                    found.append(FileFinding(line["function"], line["message"]))
                if "done" in line:
                    return list(dict.fromkeys(found))
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
