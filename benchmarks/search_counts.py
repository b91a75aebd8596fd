"""How many positions a search looks at: the counts of docs/agents-search.md, each with the full spec of the agent that gives it.

python benchmarks/search_counts.py           the quick ones
python benchmarks/search_counts.py --all     all of them: a minute and a gigabyte
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from ludometer.agents import agent
from ludometer.core.random import stream
from ludometer.games import game

# agent spec, what is counted, games, and how many of these are quick
COUNTS = (
    ("minimax:25,cache=exact,shuffle=no,memory=20000000", "nodes", ("mnk:3,3,3", "mnk:4,4,3", "mnk:4,4,4"), 1),
    ("alphabeta:25,early=no,shuffle=no", "nodes", ("mnk:3,3,3", "mnk:4,4,3", "mnk:4,4,4", "mnk:5,5,3"), 4),
    ("alphabeta:25,order=history,shuffle=no", "nodes", ("mnk:3,3,3", "mnk:4,4,3", "mnk:4,4,4", "mnk:5,5,3"), 2),
    ("minimax:99,goal=win,early=no", "expanded", ("dots:1x1", "dots:1x2", "dots:2x2"), 2),
    (
        "minimax:99,goal=win,early=no,cache=exact,memory=30000000",
        "expanded",
        ("dots:1x1", "dots:1x2", "dots:2x2", "dots:2x3", "dots:3x3"),
        4,
    ),
    (
        "minimax:99,goal=win,early=no,cache=exact,symmetry=canonical,memory=30000000",
        "expanded",
        ("dots:1x1", "dots:1x2", "dots:2x2", "dots:2x3", "dots:3x3"),
        4,
    ),
    (
        "minimax:99,goal=win,early=no,cache=exact,symmetry=all,memory=30000000",
        "expanded",
        ("dots:1x1", "dots:1x2", "dots:2x2", "dots:2x3", "dots:3x3"),
        4,
    ),
    ("alphabeta:99,symmetry=canonical,shuffle=no,memory=4000000", "expanded", ("dots:3x3",), 0),
)
TOY = {"COUNTS": (("minimax:9,goal=win,early=no", "expanded", ("dots:1x1",), 1),)}


def compare() -> list[dict[str, Any]]:
    """One row for each agent and game whose count is quickly found: `ours` is the count."""
    return list(counts(everything=False))


def counts(everything: bool) -> Iterator[dict[str, Any]]:
    for spec, counted, games, quick in COUNTS:
        for name in games if everything else games[:quick]:
            report = agent(spec, game(name)).choose(game(name).start(), stream(0)).report
            label = f"{name} {spec} {counted}"
            yield {"name": label, "ours": report[counted], "peer": None, "ratio": None, "keys": report["cache_keys"]}


def main() -> None:
    for row in counts("--all" in sys.argv):
        print(f"{row['name']:<100}{row['ours']:>14,}{row['keys']:>14,} keys", flush=True)


if __name__ == "__main__":
    main()
