"""The clock as compiled code reads it."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import time
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

HAS_CLOCK = hasattr(time, "CLOCK_MONOTONIC")  # else `nanoseconds` is always 0

_CLOCK = time.CLOCK_MONOTONIC if HAS_CLOCK else 0
_WORD = ir.IntType(64)
_NUMBER = ir.IntType(32)


@intrinsic
def _clock_gettime(typing_context):
    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        pair = cgutils.alloca_once(builder, ir.ArrayType(_WORD, 2))  # seconds and nanoseconds, as the system writes them
        kind = ir.FunctionType(_NUMBER, [_NUMBER, pair.type])
        function = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
        builder.call(function, [_NUMBER(_CLOCK), pair])
        seconds, rest = (builder.extract_value(builder.load(pair), place) for place in range(2))
        return builder.add(builder.mul(seconds, _WORD(1_000_000_000)), rest)

    return types.int64(), generate


if HAS_CLOCK:

    @njit
    def nanoseconds():
        """The time on CLOCK_MONOTONIC."""
        return _clock_gettime()

else:

    @njit
    def nanoseconds():
        """No clock can be read here."""
        return np.int64(0)
