"""Whole tables on a GPU: the last step of retrograde analysis, counting, searching and packing."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import cuda

from ludometer.solvers.tiles.codes import LOSS_BASE, SAFE, UNDECIDED, WIN_BASE, WIN_IN_1
from ludometer.solvers.tiles.packing import LEFT_OUT


@cuda.jit
def close(codes, columns, weight, counts):
    """Step 4, and the number of positions by code into `counts` (256, int64), each with its row's weight."""
    by_code = cuda.shared.array(256, np.uint32)
    thread = cuda.threadIdx.x
    threads = cuda.blockDim.x
    for index in range(thread, 256, threads):
        by_code[index] = 0
    cuda.syncthreads()
    place = cuda.grid(1)
    stride = cuda.gridsize(1)
    while place < codes.size:
        code = codes[place]
        if code == SAFE:
            code = np.uint8(UNDECIDED)
            codes[place] = code
        cuda.atomic.add(by_code, np.int32(code), np.uint32(weight[np.uint32(place) // np.uint32(columns)]))
        place += stride
    cuda.syncthreads()
    for index in range(thread, 256, threads):
        cuda.atomic.add(counts, index, np.int64(by_code[index]))


@cuda.jit
def find_code(codes, code, first):
    """`first[0]` becomes the first entry with this code if that is smaller than what it was."""
    place = cuda.grid(1)
    while place < codes.size:
        if codes[place] == code:
            cuda.atomic.min(first, 0, place)
            break
        place += cuda.gridsize(1)


@cuda.jit
def pack_values(codes, packed, marked):
    """Two bits for each entry, four to a byte, as in `tiles.packing`; `marked`: with LEFT_OUT where the rules decide at once."""
    place = cuda.grid(1)
    while place < packed.size:
        byte = np.uint8(0)
        for part in range(4):
            entry = np.int64(place) * 4 + part
            if entry < codes.size:
                code = codes[entry]
                if marked and code in (WIN_BASE, LOSS_BASE, WIN_IN_1):
                    byte |= np.uint8(LEFT_OUT << (2 * part))
                elif code >= 128:
                    byte |= np.uint8(2 << (2 * part))
                elif code > 0:
                    byte |= np.uint8(1 << (2 * part))
        packed[place] = byte
        place += cuda.gridsize(1)
