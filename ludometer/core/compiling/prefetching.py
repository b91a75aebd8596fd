"""Memory prefetching in compiled code."""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

_TO_READ, _NEAR, _DATA = 0, 3, 1  # arguments of LLVM's prefetch


@intrinsic
def _ask_for(typing_context, array, place):
    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        data = context.make_array(array)(context, builder, value=arguments[0]).data
        address = builder.bitcast(builder.gep(data, [arguments[1]]), cgutils.voidptr_t)
        number = cgutils.int32_t
        wanted = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, number, number, number])
        ask = builder.module.declare_intrinsic("llvm.prefetch", [cgutils.voidptr_t], wanted)
        builder.call(ask, [address, number(_TO_READ), number(_NEAR), number(_DATA)])
        return context.get_dummy_value()

    return types.void(array, place), generate


def prefetch(array, place):
    """Prefetch an element of a one-dimensional array.  It has no effect but on time, and any index is allowed."""


@overload(prefetch)
def _prefetch(array, place):
    if isinstance(array, types.Array) and array.ndim == 1 and array.layout == "C" and isinstance(place, types.Integer):
        return lambda array, place: _ask_for(array, place)
    return None
