"""How a generic algorithm reaches a game's own functions: groups of protocol functions, chosen by the type of `rules`.

A protocol function belongs to a group.  Its body is its docstring; each game provides the implementation as a module-level function of
that name with exactly these parameters.  A generic algorithm passes the game's rules first.  In compiled code the implementation is
selected at compile time by the type of the rules, so the call costs nothing.  In plain Python (in a test, or in the CUDA simulator) the
same call finds the same function.

    NUMBERING = Group("numbering", together=(("dense_size", "dense_index"),))

    @NUMBERING.function(fallback)
    def dense_size(rules): …

    supports(game, NUMBERING)

A game's modules are searched in the order in which it names them, so its own functions take precedence over those of a shared module.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

from numba import types
from numba.extending import overload

from ludometer.core.compiling import code_stamp
from ludometer.core.errors import GameDefinitionError

if TYPE_CHECKING:
    from ludometer.core.game import Game

Function = Callable[..., Any]

GROUPS: dict[str, Group] = {}  # all groups declared so far, by name
_games: dict[type, _Definitions] = {}  # rules class -> its game's functions


class Group:
    """Protocol functions that serve one purpose.

    `together`: names of which a game defines all or none.  `needs`: a name that makes no sense without another.  `plain`: names of
    the group that are not compiled: tuples of names, functions in plain Python.  A game that defines none of a group's names does not
    support it; with `declared` a game must also name the group in `GameKind.offers`, so that it is known without loading the game.
    """

    def __init__(
        self,
        name: str,
        *,
        together: tuple[tuple[str, ...], ...] = (),
        needs: dict[str, str] | None = None,
        plain: tuple[str, ...] = (),
        declared: bool = False,
    ) -> None:
        self.name = name
        self.together = together
        self.needs = needs or {}
        self.plain = plain
        self.declared = declared
        self.parameters: dict[str, tuple[str, ...]] = {}  # compiled function -> its parameter names
        self.fallbacks: dict[str, Function | None] = {}  # None: every game defines it
        GROUPS[name] = self

    @property
    def members(self) -> tuple[str, ...]:
        """All names of the group."""
        return (*self.parameters, *self.plain)

    def required(self, function: Function) -> Function:
        """Make a protocol function that every game defines."""
        return self._enter(function, None)

    def function(self, fallback: Function) -> Callable[[Function], Function]:
        """Make an optional protocol function; `fallback` serves the games that do not define it."""
        return lambda function: self._enter(function, fallback)

    def _enter(self, function: Function, fallback: Function | None) -> Function:
        name = function.__name__
        self.fallbacks[name] = fallback
        self.parameters[name] = tuple(inspect.signature(function).parameters)
        call = chosen_by_type(function, lambda rules_class: self.implementation(rules_class, name))
        call.selected_for = lambda each: [self.implementation(each, name)] if each in _games else []  # type: ignore[attr-defined]
        return call

    def implementation(self, rules_class: type, name: str) -> Function:
        """The function a game uses for this name: its own, or the fallback."""
        chosen = _definitions(rules_class).of(self).get(name) or self.fallbacks[name]
        assert chosen is not None, "a required function was seen when the game was registered"
        return chosen

    def own_functions(self, rules_class: type) -> list[str]:
        """Names of the compiled functions of this group that the game defines itself."""
        return [name for name in self.parameters if name in _definitions(rules_class).of(self)]

    def plain_member(self, game: Game, name: str) -> Any:
        """What a game defines under one of the names in `plain`, or None."""
        assert name in self.plain, f"{name} is no plain member of {self.name}"
        return _definitions(type(game.rules)).of(self).get(name)


def chosen_by_type(function: Function, find: Callable[[type], Function], place: int = 0) -> Function:
    """A function whose implementation `find` selects by the class of argument number `place`, a NamedTuple."""

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        return find(type(arguments[place]))(*arguments)

    def choose(*arguments: Any) -> Any:
        if not isinstance(arguments[place], types.BaseNamedTuple):
            return None
        chosen = find(arguments[place].instance_class)
        return getattr(chosen, "py_func", chosen)

    choose.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    call.is_dispatched = True  # type: ignore[attr-defined]
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

        call: Any = chosen_by_type(function, find, parameters.index(by))
        call.for_class = for_class
        call.selected_for = lambda each: [body] if (body := bodies.get(each, fallback)) is not None else []
        return call

    return make


class _Definitions:
    """What one game's modules define, group by group; a group is looked at, and checked, when first asked for."""

    def __init__(self, modules: tuple[ModuleType, ...], name: str, offers: tuple[str, ...]) -> None:
        self.modules = modules
        self._name = name
        self._offers = offers
        self._found: dict[str, dict[str, Any]] = {}

    def of(self, group: Group) -> dict[str, Any]:
        """Name -> what the game defines for it; raises GameDefinitionError for a group that is defined by halves."""
        if group.name not in self._found:
            found = {name: value for name in group.members if (value := self._first(name)) is not None}
            self._check(group, found)
            self._found[group.name] = found
        return self._found[group.name]

    def _first(self, name: str) -> Any:
        for module in self.modules:
            value = vars(module).get(name)
            # A function imported from the protocol, or a module of that name, is no definition.
            if value is not None and not hasattr(value, "is_dispatched") and not isinstance(value, ModuleType):
                return value
        return None

    def _check(self, group: Group, found: dict[str, Any]) -> None:
        for name, parameters in group.parameters.items():
            wanted = f"{name}({', '.join(parameters)})"
            if name not in found:
                if group.fallbacks[name] is None:
                    raise GameDefinitionError(f"game {self._name} does not define {wanted}")
                continue
            if not callable(found[name]):
                raise GameDefinitionError(f"game {self._name}: {name} should be a function {wanted}")
            given = tuple(inspect.signature(getattr(found[name], "py_func", found[name])).parameters)
            if given != parameters:
                raise GameDefinitionError(f"game {self._name}: {name}({', '.join(given)}) should be {wanted}")
        for names in group.together:
            missing = [name for name in names if name not in found]
            if missing and len(missing) < len(names):
                has = ", ".join(name for name in names if name in found)
                raise GameDefinitionError(f"game {self._name} defines {has} but not {', '.join(missing)}; {group.name} needs all of them")
        for name, other in group.needs.items():
            if name in found and other not in found:
                raise GameDefinitionError(f"game {self._name} defines {name} but not {other}, which {group.name} needs beside it")
        if group.declared and bool(found) != (group.name in self._offers):
            says = f"offers {group.name} but defines none of {', '.join(group.members)}"
            keeps = f"defines {', '.join(found)} but its GameKind does not say offers=({group.name!r},)"
            raise GameDefinitionError(f"game {self._name} {keeps if found else says}")


def register(rules_class: type, modules: tuple[ModuleType, ...], name: str, offers: tuple[str, ...] = ()) -> None:
    """Register a game: its protocol functions are looked up by name in `modules`, the first module that has one wins.

    Raises GameDefinitionError when a required function is missing, one has other parameter names, or a group is defined by halves.
    """
    definitions = _Definitions(modules, name, offers)
    for group in GROUPS.values():
        definitions.of(group)
    for offered in offers:
        if offered not in GROUPS:
            raise GameDefinitionError(f"game {name} offers {offered!r}; groups are {', '.join(GROUPS)}")
    for named_tuple in (rules_class, *_named_tuples(modules)):
        _make_name_unique(named_tuple)
    _games[rules_class] = definitions
    code_stamp.read_sources()


def is_registered(rules_class: type, modules: tuple[ModuleType, ...]) -> bool:
    """Whether this class was registered with these modules."""
    return rules_class in _games and _games[rules_class].modules == modules


def name_classes(module: ModuleType) -> None:
    """Make the NamedTuple classes of a module known to compiled code by names that no other class has."""
    for named_tuple in _named_tuples((module,)):
        _make_name_unique(named_tuple)
    code_stamp.read_sources()


_names: dict[str, type] = {}  # the name compiled code knows a class by -> the class


def _named_tuples(modules: tuple[ModuleType, ...]) -> list[type]:
    """The NamedTuple classes that these modules define: rules and states."""
    found = []
    for module in modules:
        for value in vars(module).values():
            if isinstance(value, type) and hasattr(value, "_fields") and value.__module__ == module.__name__:
                found.append(value)
    return found


def _make_name_unique(named_tuple: type) -> None:
    """Compiled code knows classes by name and fields alone, so those of two games with one name would be taken for each other.

    A class from outside this package is known by its module too.  A number follows only where a class replaces another one of the
    same module, as when a cell of a notebook is run again.
    """
    if _names.get(named_tuple.__name__) is named_tuple:
        return
    name = named_tuple.__name__
    if not named_tuple.__module__.startswith("ludometer."):
        name = f"{named_tuple.__module__}.{name}"
    named_tuple.__name__, number = name, 1
    while named_tuple.__name__ in _names:
        number += 1
        named_tuple.__name__ = f"{name}{number}"
    _names[named_tuple.__name__] = named_tuple


def _definitions(rules_class: type) -> _Definitions:
    if rules_class not in _games:
        raise GameDefinitionError(f"{rules_class.__name__} is not the rules of a registered game")
    return _games[rules_class]


def supports(game: Game, group: Group) -> bool:
    """Whether a game defines anything of this group."""
    return bool(_definitions(type(game.rules)).of(group))


def defines(game: Game, group: Group, name: str) -> bool:
    """Whether a game defines this name of a group itself."""
    assert name in group.members, f"{name} is not in {group.name}"
    return name in _definitions(type(game.rules)).of(group)
