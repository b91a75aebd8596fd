"""The compiled player of a depth-first search: its settings, what it counts, and its scratch buffers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludometer.agents.transposition_kernels import BYTES_PER_ENTRY, Table

WIN = 10_000.0  # value of a won game
MOST_CLAIMED = 9_000.0  # bound of evaluations
RULE_DEPTH = 16  # the most plies a game's depth rule may ask for
BYTES_PER_KEY = BYTES_PER_ENTRY + 4  # with its share of the array of buckets


class SearchSettings(NamedTuple):
    """The options of a search for compiled code; all are int64."""

    algorithm: int  # search_choices.Algorithm
    cache: int  # search_choices.Cache
    symmetry: int  # search_choices.Symmetry
    order: int  # search_choices.Order
    shuffle: int  # search_choices.Shuffle
    beam: int  # moves searched in a position at most; 0: all
    evaluation: int  # place in the game's EVALUATIONS
    early: int  # 1: nearer wins are worth more
    by_margin: int  # 1: a finished game is worth its margin
    depth: int  # plies
    deepens: int  # 1: iterative deepening
    depth_rule: int  # place in the game's DEPTH_RULES, which then decides the depth; −1: none
    most_nodes: int  # 0: no limit
    nanoseconds: int  # for a move; 0: no limit


# The search under way, or the last one.
RUN = np.dtype(
    [
        ("root_player", np.int64),
        ("key", np.uint64),  # of the random numbers
        ("deadline", np.int64),  # nanoseconds on the clock; 0: none
        ("until_check", np.int64),  # moves until the next check of the clock
        ("status", np.int64),  # search_choices.Status
        ("nodes", np.int64),  # positions visited, the root included
        ("expanded", np.int64),  # positions whose moves were generated
        ("leaves", np.int64),  # positions evaluated at the horizon
        ("hits", np.int64),  # positions answered from the table
        ("pruned", np.int64),  # moves cut off
        ("horizon", np.int64),  # values that depend on the depth, in the current iteration
        ("best_move", np.int64),  # at the root, in the current iteration
        ("traced", np.int64),  # nodes written to the trace
        ("reached", np.int64),  # depth of the last completed iteration; 0: none
        ("value", np.float64),  # its value for the player to move
        ("is_whole", np.int64),  # 1: it searched all lines to the end of the game
        ("is_decided", np.int64),  # 1: its value is that of a won or lost game
    ]
)

# A node of the trace.
TRACE = np.dtype(
    [
        ("parent", np.int32),  # place of the parent in the trace, −1 for the root
        ("move", np.int32),  # the move that leads here, −1 for the root
        ("ply", np.int16),
        ("player", np.int8),  # the player to move
        ("kind", np.int8),  # search_choices.NodeKind
        ("bound", np.int8),  # search_choices.Bound
        ("value", np.float64),  # for the player to move
        ("best", np.int32),  # the best move, −1 if none
    ]
)
NO_TRACE = np.empty(0, TRACE)


class Scratch(NamedTuple):
    """Buffers for the moves of the line being searched."""

    moves: np.ndarray  # int32 (plies, move_bound)
    promises: np.ndarray  # float64 (plies, move_bound)


class Standard(NamedTuple):
    """The standard search.  Other variants have classes of their own and are selected at compile time; unused variants cost nothing."""

    nothing: int = 0


class CompiledSearch(NamedTuple):
    """A compiled player that searches."""

    settings: SearchSettings
    table: Table  # positions of the game so far
    scratch: Scratch
    run: np.ndarray  # RUN (1,)
    trace: np.ndarray  # TRACE: filled with the nodes of a search; empty: no trace
    stop: np.ndarray  # int64 (1,): nonzero once a stop is requested
    variant: Any  # Standard, or the class of another variant
