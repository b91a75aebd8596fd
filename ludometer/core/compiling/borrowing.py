"""Passing NamedTuples of many arrays to compiled functions without reference counting.

Compiled functions update the reference count of every array atomically at every call.  For a NamedTuple of a dozen arrays passed down a
recursion, this takes longer than the work itself.  A lent array has no reference count, and an inlined function is not called.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic, overload

inlined = njit(inline="always")  # a decorator: the function becomes part of each one that calls it


@intrinsic
def _without_count(typing_context, array):
    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        lent = context.make_array(array)(context, builder, value=arguments[0])
        lent.meminfo = cgutils.get_null_value(lent.meminfo.type)
        lent.parent = cgutils.get_null_value(lent.parent.type)
        return lent._getvalue()

    return array(array), generate


def lend(value):
    """The same number, array or tuple of such without reference counts; valid while the caller holds the original."""
    return value


@overload(lend)
def _lend(value):
    if isinstance(value, types.Array):
        return lambda value: _without_count(value)
    if not isinstance(value, types.BaseTuple):
        return lambda value: value
    parts = "".join(f"lend(value[{place}]), " for place in range(len(value)))
    made = "made" if isinstance(value, types.BaseNamedTuple) else ""
    space: dict[str, Any] = {"lend": lend, "made": getattr(value, "instance_class", None)}
    exec(f"def build(value):\n    return {made}({parts})", space)
    return space["build"]
