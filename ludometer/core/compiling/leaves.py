"""The leaves of a state: a state is a NamedTuple, possibly of tuples, in which every leaf is a uint64."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from ludometer.core.random import draw


def mix_leaves(value, word):
    """Fold every uint64 leaf of a state into one word."""
    if isinstance(value, tuple):
        for part in value:
            word = mix_leaves(part, word)
        return word
    return draw(np.uint64(value) ^ word, word)


@overload(mix_leaves)
def _mix_leaves(value, word):
    if isinstance(value, types.BaseTuple):
        if len(value) == 0:
            return lambda value, word: word
        return lambda value, word: mix_leaves(value[1:], mix_leaves(value[0], word))
    return lambda value, word: draw(value ^ word, word)


def leaves_of(value):
    """All uint64 leaves of a state as one flat tuple."""
    if isinstance(value, tuple):
        return tuple(leaf for part in value for leaf in leaves_of(part))
    return (value,)


@overload(leaves_of)
def _leaves_of(value):
    if isinstance(value, types.BaseTuple):
        if len(value) == 0:
            return lambda value: ()
        return lambda value: leaves_of(value[0]) + leaves_of(value[1:])
    return lambda value: (value,)


def state_of_leaves(like, row, place):
    """The state of the same kind as `like` whose leaves are row[place], row[place + 1], …: the inverse of `leaves_of`."""
    if not isinstance(like, tuple):
        return np.uint64(row[place])
    parts = []
    for part in like:
        parts.append(state_of_leaves(part, row, place))
        place += len(leaves_of(part))
    return type(like)(*parts) if hasattr(like, "_fields") else tuple(parts)


@overload(state_of_leaves)
def _state_of_leaves(like, row, place):
    if not isinstance(like, types.BaseTuple):
        return lambda like, row, place: row[place]
    starts, count = [], 0
    for part in like.types:
        starts.append(count)
        count += _leaf_count(part)
    parts = ", ".join(f"state_of_leaves(like[{part}], row, place + {start})" for part, start in enumerate(starts))
    made = "made" if isinstance(like, types.BaseNamedTuple) else ""
    space: dict[str, Any] = {"state_of_leaves": state_of_leaves, "made": getattr(like, "instance_class", None)}
    exec(f"def build(like, row, place):\n    return {made}({parts},)", space)
    return space["build"]


def _leaf_count(kind: Any) -> int:
    return sum(_leaf_count(part) for part in kind.types) if isinstance(kind, types.BaseTuple) else 1
