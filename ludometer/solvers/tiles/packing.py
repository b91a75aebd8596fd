"""Values without distances, four to a byte: 0 draw, 1 win, 2 loss, the first entry in the lowest bits."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.compiling.compilation import kernel
from ludometer.solvers.tiles.codes import LOSS_BASE, WIN_BASE, WIN_IN_1, is_loss, is_win

CODE_OF_PACKED = (0, WIN_BASE, LOSS_BASE, 255)  # 3 is never written into a file
LEFT_OUT = 3  # marks what the rules decide at once, finished games and wins in one, until `tiles.filling` fills it


@njit
def packed_value(code):
    """Two bits for a code."""
    if is_win(code):
        return np.uint8(1)
    return np.uint8(2) if is_loss(code) else np.uint8(0)


@kernel
def pack_values(codes, packed):
    """Fill `packed` (⌈entries/4⌉, uint8) from `codes` (entries, uint8)."""
    for place in range(packed.size):
        byte = np.uint8(0)
        for part in range(min(4, codes.size - 4 * place)):
            byte |= packed_value(codes[4 * place + part]) << np.uint8(2 * part)
        packed[place] = byte


@kernel
def pack_marked_values(codes, packed):
    """The same with LEFT_OUT for what the rules decide at once."""
    for place in range(packed.size):
        byte = np.uint8(0)
        for part in range(min(4, codes.size - 4 * place)):
            code = codes[4 * place + part]
            value = np.uint8(LEFT_OUT) if code in (WIN_BASE, LOSS_BASE, WIN_IN_1) else packed_value(code)
            byte |= value << np.uint8(2 * part)
        packed[place] = byte


@njit
def code_at(table, packed, entry):
    """The code of an entry; of a packed table only win (0), loss (0) or draw can be known."""
    if not packed:
        return np.int64(table[entry])
    bits = (np.int64(table[entry >> 2]) >> (2 * (entry & 3))) & 3
    if bits == 1:
        return np.int64(WIN_BASE)
    return np.int64(LOSS_BASE) if bits == 2 else np.int64(255 if bits == 3 else 0)
