"""Choices of a depth-first search, named once for options, compiled code and search trees."""

from __future__ import annotations

from enum import IntEnum


class Algorithm(IntEnum):
    MINIMAX = 0
    ALPHABETA = 1
    EXPECTIMAX = 2


class Cache(IntEnum):
    """What the transposition table stores."""

    NONE = 0
    EXACT = 1  # exact values
    BOUNDS = 2  # exact values and bounds


class Replacement(IntEnum):
    """What a full transposition table does with a new entry."""

    KEEP = 0  # reject it
    FIFO = 1  # replace the oldest entry
    DEEP = 2  # replace the shallowest of a few old entries, if it is not deeper than the new one


class Symmetry(IntEnum):
    """How the transposition table treats symmetric positions."""

    NONE = 0
    CANONICAL = 1  # one entry for all of them
    ALL = 2  # an entry for each of them


class Order(IntEnum):
    """Order in which moves are searched."""

    NONE = 0  # as listed
    HEURISTIC = 1  # best static evaluation first
    REVERSED = 2  # worst static evaluation first
    HISTORY = 3  # by the values of the search one ply shallower


class Shuffle(IntEnum):
    """Where moves of equal rank are shuffled."""

    NO = 0
    ROOT = 1
    YES = 2


class Bound(IntEnum):
    """What a value is."""

    EXACT = 0
    LOWER = 1
    UPPER = 2


class Status(IntEnum):
    """Whether a search goes on, or why it ended early."""

    RUNNING = 0
    STOPPED = 1  # by the clock or by request
    NODES_USED_UP = 2


class NodeKind(IntEnum):
    """Kind of a node in the trace of a search."""

    INNER = 0
    LEAF = 1
    FINISHED = 2
    REMEMBERED = 3  # answered from the transposition table
    CUT = 4  # never visited


def names(choices: type[IntEnum]) -> tuple[str, ...]:
    """The names of choices as options spell them."""
    return tuple(one.name.lower() for one in choices)
