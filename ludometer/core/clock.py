"""The clock as compiled code reads it."""

from __future__ import annotations

import time

import numpy as np
from numba import njit, types

HAS_CLOCK = hasattr(time, "CLOCK_MONOTONIC")  # else `nanoseconds` is always 0

_CLOCK_MONOTONIC = np.int32(time.CLOCK_MONOTONIC if HAS_CLOCK else 0)
_clock_gettime = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.CPointer(types.int64)))

if HAS_CLOCK:

    @njit
    def nanoseconds(room):
        """The time on CLOCK_MONOTONIC; `room` (int64, 2) is overwritten."""
        _clock_gettime(_CLOCK_MONOTONIC, room.ctypes)
        return room[0] * 1_000_000_000 + room[1]

else:

    @njit
    def nanoseconds(room):
        """No clock can be read here."""
        return np.int64(0)
