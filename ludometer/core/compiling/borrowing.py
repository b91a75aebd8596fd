"""Calls in compiled code that cost nothing although a NamedTuple of many arrays is handed on.

Compiled functions count their references to an array, in steps that other processors must see, at every call.  In a NamedTuple of a dozen
arrays that is handed down a recursion, this takes longer than the work itself.  A lent array has no count, and an inlined function is
not called at all.
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
    """The same number, array or tuple of such; its arrays are only good while somebody else holds on to them."""
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
