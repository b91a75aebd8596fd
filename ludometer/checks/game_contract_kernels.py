"""Compiled parts of the contract of games."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np

from ludometer.core import protocol
from ludometer.core.compiling.compilation import kernel
from ludometer.core.random import draw


@kernel
def count_by_rules(rules, state):
    """The number of legal moves as the rules count them."""
    return np.int64(protocol.count_moves(rules, state))


@kernel
def draw_moves(rules, state, key, buffer, chosen):
    """Fill `chosen` with moves drawn at random."""
    for index in range(len(chosen)):
        chosen[index] = protocol.random_move(rules, state, draw(key, np.uint64(index)), buffer)
