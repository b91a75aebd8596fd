"""Positions visited by depth, ordering and rule of depth."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from ludometer.agents import agent
from ludometer.core.position import Position
from ludometer.games import game
from ludometer.studies.decisions import decided
from ludometer.studies.entry import Measured
from ludometer.studies.laboratory import Laboratory
from ludometer.studies.study_002.player import COMMON, QUIXO, RULES, middle_positions


def nodes(spec: str, positions: Sequence[Position]) -> int:
    player = agent(spec, game(QUIXO))
    return sum(int(decided(player, position, place).report["nodes"]) for place, position in enumerate(positions))


def ordering(lab: Laboratory) -> Measured:
    positions = middle_positions(lab.pick(10, 200), lab.seed)
    found = {}
    for depth in range(1, lab.pick(3, 4) + 1):
        found[str(depth)] = {
            order: nodes(f"alphabeta:{depth},order={order},shuffle=no,cache=none,early=no", positions)
            for order in ("heuristic", "none", "reversed")
        }
    text = "; ".join(f"depth {depth}: {' / '.join(f'{one:,}' for one in row.values())}" for depth, row in found.items())
    return Measured(found, f"positions looked at by promise / as listed / reversed over {len(positions)} positions: {text}")


def ordering_helps(found: dict[str, dict[str, int]]) -> bool:
    return all(row["heuristic"] < row["none"] < row["reversed"] for depth, row in found.items() if int(depth) > 2)


def growth(lab: Laboratory) -> Measured:
    positions = middle_positions(lab.pick(3, 20), lab.seed)
    found: dict[str, list[int]] = {}
    for kind, deepest in (("minimax", lab.pick(3, 4)), ("alphabeta", lab.pick(4, 5))):
        more = "shuffle=no,cache=none,early=no"
        found[kind] = [nodes(f"{kind}:{depth},{more}", positions) // len(positions) for depth in range(1, deepest + 1)]
    began = time.perf_counter()
    nodes("alphabeta:4,shuffle=no,cache=none,early=no", positions)
    seconds = (time.perf_counter() - began) / len(positions)
    text = "; ".join(f"{kind}: {', '.join(f'{one:,}' for one in counts)}" for kind, counts in found.items())
    return Measured(found, f"positions per move at depth 1, 2, …: {text}; alpha-beta at depth 4 takes {1000 * seconds:.2g} ms")


def grows_steeply(found: dict[str, list[int]]) -> bool:
    ratios = [after / before for before, after in zip(found["minimax"][1:], found["minimax"][2:])]
    plain, pruned = found["minimax"][-1], found["alphabeta"][len(found["minimax"]) - 1]
    return all(15 < ratio < 45 for ratio in ratios) and pruned < plain / 3


def rules(lab: Laboratory) -> Measured:
    """The three rules against each other, and the positions each looks at for a move."""
    positions = middle_positions(lab.pick(10, 100), lab.seed)
    specs = {rule: f"study002:alphabeta:variable={rule},{COMMON}" for rule in RULES}
    nodes = {rule: nodes(spec, positions) // len(positions) for rule, spec in specs.items()}
    scores, texts = {}, []
    for one, other in (("longest", "advantage"), ("losing", "advantage"), ("longest", "losing")):
        result = lab.match(QUIXO, specs[one], specs[other], lab.games(10, 200))
        low, high = result.score_interval.low, result.score_interval.high
        scores[f"{one}-{other}"] = [result.score, low, high]
        texts.append(f"{one} against {other} {100 * result.score:.0f} % [{100 * low:.0f}, {100 * high:.0f}]")
    text = f"positions per move: {', '.join(f'{rule} {count:,}' for rule, count in nodes.items())}; {', '.join(texts)}"
    return Measured({"nodes": nodes, "scores": scores}, text)


def longest_is_best_and_slowest(found: dict[str, Any]) -> bool:
    nodes = found["nodes"]
    return bool(nodes["advantage"] < nodes["longest"] and found["scores"]["longest-advantage"][2] >= 0.5)


def plain_minimax(lab: Laboratory) -> Measured:
    start, middle = [game(QUIXO).start()], middle_positions(lab.pick(2, 10), lab.seed)
    depth = lab.pick(3, 4)
    found = {}
    for name, positions in (("empty", start), ("middle", middle)):
        plain, pruned = (nodes(f"{kind}:{depth},shuffle=no,cache=none,early=no", positions) for kind in ("minimax", "alphabeta"))
        found[name] = [plain // len(positions), pruned // len(positions)]
    text = ", ".join(f"{name} board {a:,} against {b:,} ({a / b:.0f} ×)" for name, (a, b) in found.items())
    return Measured(found, f"positions at depth {depth}, minimax against alpha-beta: {text}")
