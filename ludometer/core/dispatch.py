"""Functions whose body is chosen by the type of one argument, in compiled code while compiling and in plain Python when called.

Compiled code knows a NamedTuple's class, so the choice costs nothing at run time.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import overload

Function = Callable[..., Any]


def dispatched_on(place: int, function: Function, find: Callable[[type], Function]) -> Function:
    """`function`, a signature and a docstring, made callable: find(class of argument number `place`) does the work.

    The argument is a NamedTuple.
    """

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        return find(type(arguments[place]))(*arguments)

    def choose(*arguments: Any) -> Any:
        if not isinstance(arguments[place], types.BaseNamedTuple):
            return None
        chosen = find(arguments[place].instance_class)
        return getattr(chosen, "py_func", chosen)

    choose.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    overload(call, strict=False)(choose)
    return call


def family(by: str, fallback: Function | None = None) -> Callable[[Function], Any]:
    """Make a function with a body for each class of its argument `by`; classes without one use the fallback, or raise TypeError.

        @family(by="memory")
        def quality(rules, memory, state, move): ...

        @quality.for_class(TableMemory)
        def _(rules, memory, state, move): ...
    """

    def make(function: Function) -> Any:
        bodies: dict[type, Function] = {}
        parameters = tuple(inspect.signature(function).parameters)

        def find(wanted: type) -> Function:
            found = bodies.get(wanted, fallback)
            if found is None:
                raise TypeError(f"{function.__name__} is not defined for {wanted.__name__}")
            return found

        def for_class(*classes: type) -> Callable[[Function], Function]:
            """Enter a body for these classes; its parameters have the same names."""

            def enter(body: Function) -> Function:
                given = tuple(inspect.signature(getattr(body, "py_func", body)).parameters)
                if given != parameters:
                    raise TypeError(f"{function.__name__} takes ({', '.join(parameters)}), not ({', '.join(given)})")
                bodies.update(dict.fromkeys(classes, body))
                return body

            return enter

        call: Any = dispatched_on(parameters.index(by), function, find)
        call.for_class = for_class
        return call

    return make
