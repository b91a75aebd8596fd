"""Uniformly random moves, compiled."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludometer.core import protocol
from ludometer.core.compiling.compiled_player import decide


class CompiledRandom(NamedTuple):
    """A compiled player that moves at random."""

    nothing: int = 0


@decide.for_class(CompiledRandom)
def _decide_at_random(rules, player, state, plies_left, key, buffer):
    return np.int64(protocol.random_move(rules, state, key, buffer))
