"""The search trees of the report's figures."""

from __future__ import annotations

from typing import Any

from ludometer.agents import agent
from ludometer.core.random import stream
from ludometer.games import game
from ludometer.studies.decisions import decided
from ludometer.studies.entry import Measured
from ludometer.studies.figures import Picture
from ludometer.studies.laboratory import Laboratory
from ludometer.studies.study_002.player import COMMON, PLAYER, QUIXO, middle_positions

# Boards of the figures whose printed rows can be read: X is the report's player 1, who is to move.
BOARDS = {"fig1": "...../....X/....O/....X/O.XOX x", "fig7": "O...X/...../...../....X/OO..X x"}


def trees(lab: Laboratory) -> Measured:
    """Depth and best value that the rule of the advantage gives at the boards that can be read."""
    value, pictures, sizes = {}, [], []
    player: Any = agent(PLAYER, game(QUIXO))
    for name, text in BOARDS.items():
        position, key = game(QUIXO).position(text), stream(lab.seed, "game", 0)
        report = player.choose(position, key).report
        value[name] = [report["depth"], report["score"]]
        tree = player.tree(position, key)
        sizes.append(f"{name} {tree.nodes:,} positions")
        pictures.append(tree_picture(f"002-tree-{name}", tree))
    told = "; ".join(f"{name}: depth {depth}, best value {best:g}" for name, (depth, best) in value.items())
    return Measured(value, told, data=sizes, figures=tuple(pictures), note=f"trees: {', '.join(sizes)}")


def tree_picture(name: str, tree: Any) -> Picture:
    from ludometer.view.search_trees import draw_tree

    return Picture(name, lambda file: draw_tree(tree, file))


def depths_of_losing(lab: Laboratory) -> Measured:
    """All depths that the printed rule gives over positions of some games."""
    player = agent(f"study002:alphabeta:variable=losing,{COMMON}", game(QUIXO))
    depths = set()
    for position in middle_positions(lab.pick(12, 60), lab.seed):
        depths.add(int(decided(player, position, lab.seed).report["depth"]))
    return Measured(
        sorted(depths - {0, 1}), f"depths {', '.join(map(str, sorted(depths)))} at positions of random games; the rule knows 3 and 1"
    )
