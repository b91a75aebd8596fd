"""Atomic reads and writes of array elements, for kernels whose threads share a table.

All take a one-dimensional array of integers and the index of an element.  They exist in compiled code only.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _is_integer_array(array: Any) -> bool:
    return isinstance(array, types.Array) and array.ndim == 1 and array.layout == "C" and isinstance(array.dtype, types.Integer)


def _address(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
    """The address of element `arguments[1]` of the array `arguments[0]`."""
    data = context.make_array(signature.args[0])(context, builder, value=arguments[0]).data
    index = context.cast(builder, arguments[1], signature.args[1], types.intp)
    return builder.gep(data, [index])


@intrinsic
def load(typing_context, array, index):
    """The element; nothing after this is read earlier."""
    if not _is_integer_array(array):
        return None

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        return builder.load_atomic(_address(context, builder, signature, arguments), "acquire", array.dtype.bitwidth // 8)

    return array.dtype(array, index), generate


@intrinsic
def store(typing_context, array, index, value):
    """Write the element; nothing before this is written later."""
    if not _is_integer_array(array):
        return None

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        written = context.cast(builder, arguments[2], signature.args[2], array.dtype)
        builder.store_atomic(written, _address(context, builder, signature, arguments), "release", array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, index, value), generate


@intrinsic
def replace_if(typing_context, array, index, expected, value):
    """Write `value` if the element equals `expected`; returns the element before."""
    if not _is_integer_array(array):
        return None

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        old = context.cast(builder, arguments[2], signature.args[2], array.dtype)
        new = context.cast(builder, arguments[3], signature.args[3], array.dtype)
        found = builder.cmpxchg(_address(context, builder, signature, arguments), old, new, "acq_rel", "acquire")
        return builder.extract_value(found, 0)

    return array.dtype(array, index, expected, value), generate


@intrinsic
def add(typing_context, array, index, amount):
    """Add `amount` to the element; returns the element before."""
    if not _is_integer_array(array):
        return None

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        more = context.cast(builder, arguments[2], signature.args[2], array.dtype)
        return builder.atomic_rmw("add", _address(context, builder, signature, arguments), more, "monotonic")

    return array.dtype(array, index, amount), generate
