"""Agents of the user's own: from a Python file, or from a function or class of the running program.

A file declares `AGENT = AgentKind(…)`, as the modules of this package do, or holds a plain program: a function `choose(position)`, or a
class with the method `choose(self, position)`.  Keyword parameters with defaults, of the function or of the constructor, are the
options; `OPTIONS` in the file may say what they mean.  `plain.py` plays with such programs.
"""

from __future__ import annotations

import inspect
import sys
import typing
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from ludometer.core.agent import Agent, AgentKind, Option
from ludometer.core.errors import SpecError, shorten
from ludometer.core.game import Game
from ludometer.core.own_modules import InstalledPart, digest_of, find_file, load_file

Program = Any  # a function, a class, or an Agent, which is a kind of its own

CHOOSE = "choose"
RANDOM_SOURCE = "rng"  # a parameter of this name is given a random.Random that depends on the seed alone
_INSIDE = "it runs a program of the owner"
_TYPES = (bool, int, float, str)

local_kinds: dict[str, AgentKind] = {}  # functions and classes of this process, by the names given to them
_programs: dict[int, AgentKind] = {}  # the same by the identity of the object, which the kind keeps alive


@dataclass(frozen=True)
class PlainKind(AgentKind):
    """Agents made of a function or class."""

    program: Program = None

    def agent(self, game: Game, parameters: str = "") -> Agent:
        from ludometer.agents.plain import PlainAgent

        options = self.options_for(game, parameters)
        program = self.program
        assert program is not None
        if isinstance(program, Agent):
            if program.game != game:
                raise SpecError(f"{program} was made for {program.game.spec} and cannot play {game.spec}")
            return program
        made: Agent
        if isinstance(program, type) and issubclass(program, Agent):
            made = program(game, self.spec(options), **options)
        else:
            made = PlainAgent(game, self.spec(options), program, options, self.where)
        made.identity = self.identity(options, game)
        return made


def kind_of_program(program: Program) -> AgentKind:
    """The kind of a function or class of this process, under a name by which this process finds it.

    Raises SpecError for an object that cannot choose moves.
    """
    if id(program) in _programs:
        return _programs[id(program)]
    if not callable(program) and not isinstance(program, Agent):
        raise SpecError(f"an agent is a spec, an Agent, or a function or class that chooses a move, not {shorten(repr(program))}")
    base = _name(program).strip("<>").lower()
    options = () if isinstance(program, Agent) else options_of(program, f"agent {base}")
    number = 1
    while _is_taken(name := base if number == 1 else f"{base}#{number}"):
        number += 1
    kind = PlainKind(
        name=name,
        title=_title(program, "a program of your own"),
        home=f"{getattr(program, '__module__', '')}:{base}",
        options=options,
        main=options[0].name if options else "",
        simultaneous=True,
        inside_only=_INSIDE,
        version=uuid.uuid4().hex[:12],
        local=True,
        program=program,
    )
    local_kinds[name] = _programs[id(program)] = kind
    return kind


def _is_taken(name: str) -> bool:
    from ludometer.agents import kinds

    return name in local_kinds or name in kinds()


def kind_from_file(path: str) -> AgentKind:
    """The kind of agent in a Python file; after an edit it is loaded anew.  Raises SpecError that names the line of a mistake."""
    file = find_file(path, "agent")
    return _kind_from_version(file, version_of(file))


def kind_of_installed(part: InstalledPart) -> AgentKind:
    """The kind of agent that an installed package declares: an `AgentKind`, a function, or a class; raises SpecError for others."""
    where, version = f"agent {part.name} of package {part.package}", f"{part.package}-{part.version}"
    if isinstance(part.value, AgentKind):
        if part.value.name != part.name:
            raise SpecError(f"{where} is called {part.value.name}; an entry point has the name of its AgentKind")
        return replace(part.value, version=version)
    if not callable(part.value):
        raise SpecError(f"{where} is {shorten(repr(part.value))}, which is no AgentKind, function or class")
    options = options_of(part.value, where, getattr(sys.modules.get(part.value.__module__), "OPTIONS", None))
    return PlainKind(
        name=part.name,
        title=_title(part.value, f"an agent of the package {part.package}"),
        home=f"{part.value.__module__}:{_name(part.value)}",
        options=options,
        main=options[0].name if options else "",
        simultaneous=True,
        inside_only=_INSIDE,
        version=version,
        program=part.value,
    )


def version_of(file: Path) -> str:
    """A digest of an agent file and of what it imports from its folder."""
    try:
        return digest_of(file)
    except OSError as error:
        raise SpecError(f"cannot read {shorten(str(file))}: {(error.strerror or str(error)).lower()}") from error


@cache
def _kind_from_version(file: Path, version: str) -> AgentKind:
    try:
        module = load_file(file, "agent", version=version)
    except ValueError as error:
        raise SpecError(f"agent file {shorten(file.name)} does not load: {error}") from error
    where = f"agent file {shorten(file.name)}"
    declared = getattr(module, "AGENT", None)
    if isinstance(declared, AgentKind):
        return _declared_kind(declared, module, file, version, where)
    if declared is not None:
        raise SpecError(f"{where}: AGENT is {shorten(repr(declared))}; write AGENT = AgentKind(…)")
    return _plain_kind(module, file, version, where)


def _declared_kind(declared: AgentKind, module: ModuleType, file: Path, version: str, where: str) -> AgentKind:
    """A kind declared in a file as the modules of this package declare theirs."""
    class_name = declared.home.rpartition(":")[2]
    found = getattr(module, class_name, None)
    if not (isinstance(found, type) and issubclass(found, Agent)):
        raise SpecError(f"{where}: AGENT has home={shorten(declared.home)}; write home=':NAME' with a subclass of Agent in this file")
    if (dispatch := sys.modules.get("ludometer.core.compiling.dispatch")) is not None:
        dispatch.name_classes(module)
    return replace(declared, name=str(file), home=f"{module.__name__}:{class_name}", inside_only=_INSIDE, version=version)


def _plain_kind(module: ModuleType, file: Path, version: str, where: str) -> AgentKind:
    """A kind made of the function or class in a file."""
    program = _program_of(module, where)
    options = options_of(program, where, getattr(module, "OPTIONS", None))
    return PlainKind(
        name=str(file),
        title=_title(program, (module.__doc__ or "").strip().partition("\n")[0].rstrip(".") or "an agent of your own"),
        home=f"{module.__name__}:{program.__name__}",
        options=options,
        main=options[0].name if options else "",
        simultaneous=True,
        inside_only=_INSIDE,
        version=version,
        program=program,
    )


def _program_of(module: ModuleType, where: str) -> Program:
    """The function `choose` of a module, or the one class in it that has such a method."""
    function = getattr(module, CHOOSE, None)
    if callable(function):
        return typing.cast(Program, function)
    classes = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ == module.__name__ and callable(getattr(value, CHOOSE, None))
    ]
    own = [each for each in classes if not any(other is not each and issubclass(other, each) for other in classes)]
    if len(own) > 1:
        names = ", ".join(each.__name__ for each in own)
        raise SpecError(f"{where}: the classes {names} all have {CHOOSE}; keep one, or write a function {CHOOSE}(position)")
    if not own:
        raise SpecError(f"{where} has no function {CHOOSE}(position), no class with {CHOOSE}(self, position), and no AGENT = AgentKind(…)")
    return own[0]


def _title(program: Program, otherwise: str) -> str:
    """The first line of the program's docstring."""
    lines = (inspect.getdoc(program) or "").splitlines() if not isinstance(program, type) or program.__doc__ else []
    return lines[0].rstrip(".") if lines else otherwise


# ---- options ----


def options_of(program: Program, where: str, declared: Any = None) -> tuple[Option, ...]:
    """The options of a program: its keyword parameters with defaults, or those of its constructor.

    `declared` is what a file says in OPTIONS: what each option means ({"depth": "plies looked ahead"}), or the options themselves,
    a tuple of `Option`.  Raises SpecError for parameters that cannot be set by a spec.
    """
    is_class = isinstance(program, type)
    if is_class and not callable(getattr(program, CHOOSE, None)):
        raise SpecError(f"{where}: class {program.__name__} has no method {CHOOSE}(self, position)")
    parameters = [] if is_class and program.__init__ is object.__init__ else list(_signature(program, where).parameters.values())
    if is_class and issubclass(program, Agent):
        parameters = parameters[2:]  # after the game and the spec
    if not is_class:
        if not parameters or parameters[0].kind not in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD):
            raise SpecError(f"{where}: {_name(program)} takes no position; write {CHOOSE}(position)")
        parameters = [each for each in parameters[1:] if each.name != RANDOM_SOURCE]
    hints = _hints(program)
    meanings = dict(declared) if isinstance(declared, Mapping) else {}
    made = tuple(
        _option(each, hints.get(each.name), str(meanings.pop(each.name, "")), where, "the constructor" if is_class else _name(program))
        for each in parameters
        if each.kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    )
    if meanings:
        raise SpecError(f"{where}: OPTIONS explains {', '.join(map(str, meanings))}, which is no keyword parameter")
    if declared is None or isinstance(declared, Mapping):
        return made
    given = (declared,) if isinstance(declared, Option) else declared
    if not isinstance(given, (tuple, list)) or not all(isinstance(each, Option) for each in given):
        raise SpecError(f"{where}: OPTIONS is a dict from names to what they mean, or a tuple of Option(…)")
    takes_any = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters)
    names = [each.name for each in parameters]
    unknown = [] if takes_any else [each.name for each in given if each.name not in names]
    if unknown:
        raise SpecError(f"{where}: OPTIONS declares {', '.join(unknown)}, which {_name(program)} does not take")
    listed = {each.name for each in given}
    return (*given, *(each for each in made if each.name not in listed))


def _option(parameter: inspect.Parameter, hint: Any, meaning: str, where: str, owner: str) -> Option:
    default = parameter.default
    if default is inspect.Parameter.empty:
        raise SpecError(f"{where}: {owner} takes {parameter.name} without a default; write {parameter.name}=VALUE")
    choices = typing.get_args(hint) if typing.get_origin(hint) is typing.Literal else ()
    wanted = hint if hint in _TYPES else type(default)
    if wanted is float and isinstance(default, int) and not isinstance(default, bool):
        default = float(default)
    if not isinstance(default, _TYPES) or (hint in _TYPES and not isinstance(default, hint)):
        raise SpecError(f"{where}: the default of {parameter.name} is {shorten(repr(default))}; options are yes or no, numbers or texts")
    return Option(parameter.name, default, meaning or "an option of your own", choices=tuple(str(each) for each in choices))


def _signature(program: Program, where: str) -> inspect.Signature:
    try:
        return inspect.signature(program)
    except (TypeError, ValueError):
        raise SpecError(f"{where}: {_name(program)} does not tell its parameters; write a function {CHOOSE}(position)") from None


def _hints(program: Program) -> dict[str, Any]:
    """The types of the parameters, as far as they can be resolved."""
    try:
        return typing.get_type_hints(vars(program).get("__init__", program) if isinstance(program, type) else program)
    except (NameError, TypeError, AttributeError):
        return {}


def _name(program: Program) -> str:
    return getattr(program, "__name__", type(program).__name__)
