"""What a depth-first search is told, what it counts, and where it keeps what it finds: the player's mind, and names for its numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludometer.agents.transposition_kernels import BYTES_PER_ENTRY, Table

WIN = 10_000.0
MOST_CLAIMED = 9_000.0
RULE_DEPTH = 16  # the most plies a game's depth rule may ask for
BYTES_PER_KEY = BYTES_PER_ENTRY + 4  # with the place in the array of buckets

MINIMAX, ALPHABETA, EXPECTIMAX = range(3)
NO_CACHE, EXACT_ONLY, BOUNDS, UNPRUNED = range(4)
NO_SYMMETRY, CANONICAL, ALL_IMAGES, EACH_LOOKED_UP = range(4)
AS_LISTED, HEURISTIC, REVERSED, HISTORY = range(4)
NO_SHUFFLE, SHUFFLE_ROOT, SHUFFLE_ALL = range(3)
GOES_ON, TOLD_TO_STOP, NODES_USED_UP = range(3)


class Settings(NamedTuple):
    """What a search does; all are int64, the meanings of most are named above."""

    algorithm: int
    cache: int
    symmetry: int
    order: int
    shuffle: int
    beam: int  # the most moves looked at in a position; 0: all
    evaluation: int  # a place in the game's EVALUATIONS
    early: int  # 1: nearer wins are worth more
    by_margin: int  # 1: a finished game is worth its margin
    depth: int  # plies
    deepens: int  # 1: search one ply deep, then two, and so on
    depth_rule: int  # a place in the game's DEPTH_RULES, which then decides the depth; −1: none
    most_nodes: int  # 0: no limit
    nanoseconds: int  # for a move; 0: no limit
    full_root: int  # 1: every move of the root is searched with the full window
    ceiling: int  # 1: cut off as soon as nothing better can come, which is a win at once


# What a search is asked, what it counts and what it has found.
RUN = np.dtype(
    [
        ("root_player", np.int64),
        ("key", np.uint64),  # of all chance
        ("deadline", np.int64),  # nanoseconds on the clock; 0: none
        ("until_look", np.int64),  # moves to go until the next look at the clock
        ("stopped", np.int64),  # GOES_ON, or why it ended early
        ("nodes", np.int64),  # positions looked at, the root included
        ("expanded", np.int64),  # positions whose moves were looked at
        ("leaves", np.int64),  # positions evaluated at the horizon
        ("hits", np.int64),  # positions answered from the table
        ("pruned", np.int64),  # moves not looked at because of a cut-off
        ("cuts", np.int64),  # positions that were left before all of their value was known, in the search under way
        ("horizon", np.int64),  # how often a value came to depend on the depth, in the search under way
        ("best_move", np.int64),  # at the root, in the search under way
        ("traced", np.int64),  # nodes written to the trace
        ("reached", np.int64),  # depth of the last completed search, 0 if none was
        ("value", np.float64),  # found by it, for the player to move
        ("is_whole", np.int64),  # 1: no line of it was cut off by the horizon
        ("is_decided", np.int64),  # 1: its value is that of a won or lost game
    ]
)

# A node of a search as it is kept for drawing.
TRACE = np.dtype(
    [
        ("parent", np.int32),  # place of the parent in the trace, −1 for the root
        ("move", np.int32),  # the move that led here, −1 for the root
        ("ply", np.int16),
        ("player", np.int8),  # who moves here
        ("kind", np.int8),
        ("bound", np.int8),  # whether the value is exact
        ("value", np.float64),  # for the player who moves here
        ("best", np.int32),  # the move chosen here, −1 if none
    ]
)
INNER, LEAF, FINISHED, REMEMBERED, CUT = range(5)  # kinds: CUT was never looked at
NO_TRACE = np.empty(0, TRACE)


class Scratch(NamedTuple):
    """Room to work in."""

    moves: np.ndarray  # int32 (plies, move_bound): the moves of the position at each ply of the line looked at
    promises: np.ndarray  # float64 (plies, move_bound)


class UsualWays(NamedTuple):
    """Keys are updated and the table is asked once.  Which ways a mind has is known when it is compiled, so that others cost it nothing."""

    nothing: int


class StudyWays(NamedTuple):
    """Ways of the studies: keys worked out anew, all images looked up (EACH_LOOKED_UP), a table that forgets what is not used (LRU)."""

    keys_anew: int  # 1: keys are worked out anew and not updated move by move
    recency: np.ndarray  # int32 (limit, 2): see `transposition_kernels.new_recency`; (0, 2) without LRU


class SearchMind(NamedTuple):
    """A player who searches."""

    settings: Settings
    table: Table  # what is remembered of the game
    scratch: Scratch
    run: np.ndarray  # RUN (1,): the search under way, or the last one
    trace: np.ndarray  # TRACE: room for the nodes of a search; none are kept when it is empty
    stop: np.ndarray  # int64 (1,): not 0 once somebody asks for an end
    ways: UsualWays | StudyWays
