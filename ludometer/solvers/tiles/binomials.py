"""How many subsets there are: the one table of binomial coefficients that both Python and compiled code read."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from math import comb

import numpy as np
from numba import njit

MOST_CELLS = 36
WAYS = np.array([[comb(n, k) for k in range(MOST_CELLS + 1)] for n in range(MOST_CELLS + 1)], np.int64)  # [n, k]: k-subsets of n


@njit
def columns_of(cells, more, fewer):
    """Columns of a pair's tables: ways to place the O tiles beside the X tiles; 0 beyond the full board."""
    if cells - more < fewer:
        return np.int64(0)
    return WAYS[cells - more, fewer]
