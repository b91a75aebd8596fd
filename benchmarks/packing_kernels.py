"""Where many positions stand in their tables, in one call."""

from __future__ import annotations

import numpy as np

from ludometer.core import protocol
from ludometer.core.bits import popcount
from ludometer.core.compiling.compilation import kernel
from ludometer.core.protocol import tiling
from ludometer.solvers.tiles.index import entry_of
from ludometer.solvers.tiles.known_kernels import known_code


@kernel
def locate_all(rules, rows, movers, others, places):
    """Into `places` (n, 4): tiles of the mover, of the other, entry, known code (see `known_kernels`) of positions given by their tiles."""
    moves = np.empty(protocol.move_bound(rules), np.int32)
    for number in range(movers.size):
        state = tiling.state_of_tiles(rules, movers[number], others[number])
        places[number, 0] = popcount(movers[number])
        places[number, 1] = popcount(others[number])
        places[number, 2] = entry_of(rules, state, rows)
        places[number, 3] = known_code(rules, state, moves)
