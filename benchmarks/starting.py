"""How long Python works before anything is asked: importing the package, listing games and agents, `--help`; processor time in ms.

The peer is `import numpy` in a process of its own.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

ROUNDS = 5
_STATEMENTS = {
    "import ludometer": "import ludometer",
    "list games": "from ludometer import games; games.kinds()",
    "list agents": "from ludometer import agents; agents.kinds()",
    "ludometer --help": "from ludometer.cli import main; sys.argv[1:] = ['--help']; sys.stdout = io.StringIO(); run(main)",
}
_FRAME = """
import io, sys, time
def run(main):
    try:
        main()
    except SystemExit:
        pass
out, since = sys.stdout, time.process_time()
{statement}
print(1000 * (time.process_time() - since), file=out)
"""
TOY = {"ROUNDS": 1}


def compare() -> list[dict[str, Any]]:
    """A row for each statement: the least of a few runs."""
    peer = _milliseconds("import numpy")
    found = {name: _milliseconds(statement) for name, statement in _STATEMENTS.items()}
    return [{"name": f"start {name} ms", "ours": ours, "peer": peer, "ratio": ours / peer} for name, ours in found.items()]


def _milliseconds(statement: str) -> float:
    command = [sys.executable, "-c", _FRAME.format(statement=statement)]
    return min(float(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(ROUNDS))
