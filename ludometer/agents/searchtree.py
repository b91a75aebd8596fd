"""The tree of a search: every visited position, and the moves cut off."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.agents.search_choices import NodeKind, names
from ludometer.core.agent import Decision

if TYPE_CHECKING:
    from networkx import DiGraph

    from ludometer.core.position import Position

KINDS = names(NodeKind)


@dataclass(frozen=True)
class SearchTree:
    """A search at one position.  Node 0 is the root; a node's parent has a smaller number.

    With iterative deepening it is the tree of the last iteration, even if that was stopped.
    """

    position: Position
    agent: str
    decision: Decision
    parents: np.ndarray  # int32 (nodes,): −1 for the root
    moves: np.ndarray  # int32 (nodes,): the move that leads to the node, −1 for the root
    plies: np.ndarray  # int16 (nodes,)
    players: np.ndarray  # int8 (nodes,): the player to move; undefined for nodes cut off
    kinds: np.ndarray  # int8 (nodes,): search_choices.NodeKind
    bounds: np.ndarray  # int8 (nodes,): search_choices.Bound of the value, for the player to move there
    values: np.ndarray  # float64 (nodes,): for the player who moves at the root
    best: np.ndarray  # int32 (nodes,): the move chosen at the node, −1 if none

    @classmethod
    def from_trace(cls, position: Position, agent: str, decision: Decision, trace: np.ndarray) -> SearchTree:
        """From the records that `search_kernels.value_at` wrote."""
        sign = np.where(trace["player"] == position.player, 1.0, -1.0)
        return cls(
            position,
            agent,
            decision,
            parents=trace["parent"].copy(),
            moves=trace["move"].copy(),
            plies=trace["ply"].copy(),
            players=trace["player"].copy(),
            kinds=trace["kind"].copy(),
            bounds=trace["bound"].copy(),
            values=trace["value"] * sign + 0.0,
            best=trace["best"].copy(),
        )

    @cached_property
    def is_cut(self) -> np.ndarray:
        """bool (nodes,): True for moves cut off."""
        return np.asarray(self.kinds == NodeKind.CUT)

    @property
    def nodes(self) -> int:
        """Number of visited positions, the root included."""
        return len(self.parents) - self.pruned

    @property
    def pruned(self) -> int:
        """Number of moves cut off."""
        return int(self.is_cut.sum())

    @property
    def depth(self) -> int:
        """Plies from the root to the deepest visited position."""
        return int(self.plies[~self.is_cut].max())

    @cached_property
    def children(self) -> list[list[int]]:
        """The children of each node in the order in which they were tried."""
        found: list[list[int]] = [[] for _ in self.parents]
        for node, parent in enumerate(self.parents.tolist()[1:], start=1):
            found[parent].append(node)
        return found

    @cached_property
    def chosen_line(self) -> list[int]:
        """The principal variation: the root and the nodes that follow if both sides make the best moves found."""
        line = [0]
        while True:
            move = self.decision.move if len(line) == 1 else self.best[line[-1]]
            following = [child for child in self.children[line[-1]] if self.moves[child] == move and not self.is_cut[child]]
            if not following:
                return line
            line.append(following[0])

    @cached_property
    def chosen_moves(self) -> list[str]:
        """The moves of the principal variation as text."""
        position, texts = self.position, []
        for node in self.chosen_line[1:]:
            texts.append(position.move_text(int(self.moves[node])))
            position = position.play(int(self.moves[node]))
        return texts

    def graph(self) -> DiGraph:
        """The tree for NetworkX; nodes carry move, ply, player, kind and value."""
        import networkx

        made = networkx.DiGraph()
        for node in range(len(self.parents)):
            kind = KINDS[self.kinds[node]]
            made.add_node(
                node,
                move=int(self.moves[node]),
                ply=int(self.plies[node]),
                player=int(self.players[node]),
                kind=kind,
                value=None if kind == "cut" else float(self.values[node]),
            )
            if node:
                made.add_edge(int(self.parents[node]), node)
        return made

    def document(self) -> dict[str, Any]:
        """Counts and principal variation, for JSON."""
        counts = {name: int((self.kinds == number).sum()) for number, name in enumerate(KINDS)}
        return {
            "game": self.position.game.spec,
            "position": str(self.position),
            "agent": self.agent,
            "nodes": self.nodes,
            "depth": self.depth,
            "pruned": self.pruned,
            "kinds": counts,
            "move": self.position.move_text(self.decision.move),
            "value": self.decision.report["score"],  # on the search's own scale, like the values of its nodes
            "line": self.chosen_moves,
            "report": self.decision.report,
        }
