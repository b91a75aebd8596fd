"""Search trees: what they count, how they are laid out, and that pictures of them are written."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import networkx
import numpy as np
import pytest

from ludometer.agents import agent
from ludometer.agents.searchtree import SearchTree
from ludometer.cli import main
from ludometer.core.errors import LudometerError
from ludometer.core.random import stream
from ludometer.games import game
from ludometer.view.search_trees import MOST_DRAWN, MOST_ROWS, draw_tree, spread, subtree_weights, tree_figure

MIDDLE = "X.O/.X./..O x"


def tree_of(spec: str, text: str, searcher: str) -> SearchTree:
    subject = game(spec)
    return agent(searcher, subject).tree(subject.position(text), stream(1))


@pytest.mark.parametrize("searcher", ["alphabeta:9,cache=none", "minimax:9", "expectimax:3", "alphabeta:9", "alphabeta:3,order=reversed"])
def test_every_position_looked_at_is_a_node(searcher: str) -> None:
    tree = tree_of("tictactoe", MIDDLE, searcher)
    report = tree.decision.report
    assert tree.nodes == report["nodes"] and tree.pruned == report["pruned"]
    assert (tree.pruned > 0) == searcher.startswith("alphabeta")
    graph = tree.graph()
    assert networkx.is_arborescence(graph) and len(graph) == tree.nodes + tree.pruned
    for node in range(1, len(tree.parents)):
        assert tree.parents[node] < node and tree.plies[node] == tree.plies[tree.parents[node]] + 1


def test_values_are_those_of_minimax() -> None:
    """In a tree of plain minimax each value is the best of the values below, seen by who moves there."""
    tree = tree_of("tictactoe", MIDDLE, "minimax:9,shuffle=no")
    for node, children in enumerate(tree.children):
        if children:
            better = max if tree.players[node] == tree.position.player else min
            assert tree.values[node] == better(tree.values[child] for child in children)
    assert tree.values[0] == tree.decision.report["score"]
    line = tree.chosen_line
    assert tree.moves[line[1]] == tree.decision.move and all(tree.values[node] == tree.values[0] for node in line)
    position = tree.position
    for move in tree.chosen_moves:
        position = position.play(move)
    assert position.is_over and position.result == "1/2-1/2"


def test_nodes_share_the_room_without_overlap() -> None:
    tree = tree_of("quixo:4", "start", "alphabeta:3")
    weights = subtree_weights(tree)
    places = spread(tree, weights)
    assert places.min() > 0 and places.max() < 1
    for children in tree.children:
        for left, right in zip(children, children[1:]):
            assert places[right] - places[left] == pytest.approx((weights[left] + weights[right]) / 2 / weights[0])


@pytest.mark.exhaustive
def test_pictures(tmp_path: Path) -> None:
    small, large = tree_of("tictactoe", MIDDLE, "alphabeta:9"), tree_of("quixo:5", "start", "minimax:2")
    assert subtree_weights(small)[0] <= MOST_ROWS < subtree_weights(large)[0] and large.nodes > 1800
    for name, tree in (("small", small), ("large", large)):
        draw_tree(tree, tmp_path / f"{name}.svg")
        ElementTree.parse(tmp_path / f"{name}.svg")
        draw_tree(tree, tmp_path / f"{name}.png")
        assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    texts = [text.get_text() for text in tree_figure(small).axes[0].texts]
    assert len(texts) == small.nodes - 1  # every move is written


def test_pictures_that_cannot_be_drawn(tmp_path: Path) -> None:
    tree = tree_of("tictactoe", MIDDLE, "minimax:9")
    with pytest.raises(LudometerError, match=r"\.svg"):
        draw_tree(tree, tmp_path / "tree.txt")
    huge = tree_of("quixo:5", "start", "minimax:3")
    assert len(huge.parents) > MOST_DRAWN
    with pytest.raises(LudometerError, match="search less deep"):
        draw_tree(huge, tmp_path / "tree.svg")


def test_a_full_trace_ends_there() -> None:
    subject = game("quixo:5")
    tree = agent("minimax:3", subject).tree(subject.start(), stream(1), limit=5_000)
    assert len(tree.parents) == 5_000 and np.all(tree.parents[1:] >= 0)
    assert tree.decision.report["nodes"] > 5_000


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "tree.svg"
    assert main(["tree", "tictactoe", MIDDLE, "--agent", "alphabeta:9", "--plot", str(picture), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert set(answer) >= {"nodes", "depth", "pruned"} and answer["nodes"] > answer["depth"] > 0
    assert answer["nodes"] == answer["report"]["nodes"]
    ElementTree.parse(picture)
    assert main(["tree", "tictactoe", MIDDLE]) == 0
    assert "positions looked at" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["tree", "tictactoe", "--agent", "random"], "has no tree to show"),
        (["tree", "tictactoe", "XXX/OO./... o"], "the game is over"),
        (["tree", "quixo:5", "--agent", "alphabeta:variable=yes"], "without a search"),
        (["tree", "tictactoe", "--plot", "tree.bmp"], ".bmp"),
        (["tree", "matrix:sexes"], "at the same time"),
    ],
)
def test_bad_input(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert message in shown.err and shown.err.count("\n") == 1 and not shown.out
