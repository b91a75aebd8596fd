"""The words a state is made of: a state is a NamedTuple, perhaps of tuples, in which every leaf is a uint64."""

from __future__ import annotations

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
