"""Every command line in the documents can be typed: its command and options exist, and its games and agents are read.

What is printed there is compared where it is short: `tests/commands/test_measuring.py` (docs/measuring.md), `tests/test_tutorial.py`.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from ludometer import agents
from ludometer.cli import app
from ludometer.core.agent import split_spec
from ludometer.games import game

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b|\bN\b|…|\[|\|")  # GAME, RUN, FILE: what the reader puts in
_MINE = "my_game.py"  # a file that the reader would have
_MY_AGENTS = ("greedy", "greedy.py", "my_agent.py")  # of adding-an-agent.md
_AGENTS = ("a", "b", "first", "second", "versus", "gauntlet", "anchor")  # parameters that name an agent


def command_lines(text: str) -> list[str]:
    """Lines of blocks, indented or fenced, that begin with `ludometer`, and what stands between backticks."""
    blocks = re.findall(r"^```.*?^```", text, re.MULTILINE | re.DOTALL) + re.findall(r"^ {4}.*$", text, re.MULTILINE)
    found = [line for block in blocks for line in re.findall(r"^ *(?:\$ )?(ludometer [a-z].*)$", block, re.MULTILINE)]
    found += re.findall(r"`(ludometer [^`]+)`", text)
    return [line for line in found if not _PLACEHOLDER.search(re.sub(r'"[^"]*"', "", line.partition(" #")[0]))]


def parsed(line: str) -> tuple[str, dict[str, Any]]:
    """The command and its parameters, without running it; raises what the parser raises."""
    group = typer.main.get_command(app)
    words = shlex.split(line, comments=True)[1:]
    context = group.make_context("ludometer", list(words))
    name, command, rest = group.resolve_command(context, list(words))  # type: ignore[attr-defined]
    while hasattr(command, "commands") and rest:
        name, command, rest = command.resolve_command(context, rest)
    return str(name), command.make_context(name, list(rest), parent=context).params


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_can_be_typed(document: Path) -> None:
    for line in command_lines(document.read_text()):
        if len(line.split()) == 2:  # a command named in a sentence
            assert line.split()[1] in typer.main.get_command(app).commands, line  # type: ignore[attr-defined]
            continue
        name, parameters = parsed(line)
        specs = parameters.get("games") if isinstance(parameters.get("games"), (list, tuple)) else [parameters.get("game")]
        for spec in specs or []:
            if isinstance(spec, str) and name not in ("dynamics", "bench", "runs") and spec != _MINE:
                game(str(ROOT / spec) if spec.endswith(".py") else spec)
        for where in _AGENTS:
            spec = parameters.get(where)
            if isinstance(spec, str) and spec not in ("rungs",):
                kind, options = split_spec(spec)
                if kind not in _MY_AGENTS:
                    agents.kind(kind).parse_options(options)


def test_wrong_lines_are_seen() -> None:
    for line in ("ludometer mach quixo:3 random random", "ludometer match quixo:3 random random --gams 5", "ludometer perft quixo:3 deep"):
        with pytest.raises(Exception, match="(?i)no such|a valid integer"):
            parsed(line)
    assert len(command_lines((ROOT / "docs" / "dynamics.md").read_text())) >= 5
    assert sum(len(command_lines(document.read_text())) for document in DOCUMENTS) >= 60
