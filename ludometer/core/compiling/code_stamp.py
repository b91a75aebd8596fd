"""Stamps of code: a hash of everything that can change the machine code of a compiled function, and of nothing else.

A stamp starts at a function and follows the names that the function uses: functions, classes, constants, overloads, and the bodies that
`dispatch` selects by the classes of the arguments.  Each function enters by its syntax tree without docstrings, so comments, layout,
docstrings and every function that is not called leave the stamp as it is.

    stamp(mcts_kernels.search, classes=(QuixoRules, CompiledMcts))     # 'a2034a12966048e9'

A function without a source file, typed into a notebook for instance, has no stamp.
"""

from __future__ import annotations

import ast
import enum
import hashlib
import os
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import types
from numba.core.typing.templates import builtin_registry
from numba.extending import is_jitted

Function = Callable[..., Any]

_STANDARD_LIBRARY = Path(sysconfig.get_paths()["stdlib"]).resolve()
_INSTALLED = ("site-packages", "dist-packages")
_VERSIONED = ("numba", "numba_cuda", "numpy", "llvmlite", "builtins")


class NoSource(Exception):
    """Code without a source file: no stamp can be given."""


def stamp(*functions: Function, classes: Iterable[type] = (), without: Iterable[Function] = ()) -> str | None:
    """The stamp of these functions when compiled for arguments of these NamedTuple classes; None if some code has no source file.

    Functions in `without`, and what only they use, are left out.
    """
    facts = _facts(functions, classes, without)
    if facts is None:
        return None
    whole = hashlib.sha256()
    for name, digest in sorted(facts):
        whole.update(name.encode() + digest)
    return whole.hexdigest()[:16]


def reached(*functions: Function, classes: Iterable[type] = ()) -> list[str]:
    """Names of the functions, classes and constants behind a stamp, such as `function ludometer.games.quixo.rules.play`."""
    return sorted({name for name, _ in _facts(functions, classes, ()) or ()})


def _facts(functions: Iterable[Function], classes: Iterable[type], without: Iterable[Function]) -> set[tuple[str, bytes]] | None:
    walk = _Walk(without)
    try:
        for value in (*functions, *classes):
            walk.visit(value)
    except NoSource:
        return None
    return walk.facts


class _Walk:
    """Everything that compiled code can reach from some functions, as pairs of a full name and a digest."""

    def __init__(self, without: Iterable[Function]) -> None:
        self._without = {id(getattr(function, "py_func", function)) for function in without}
        self.facts: set[tuple[str, bytes]] = set()
        self._seen: dict[int, Any] = {}  # id -> object, which must live as long as its id stands for it
        self._classes: list[type] = []
        self._selections: list[Callable[[type], list[Function]]] = []

    def visit(self, value: Any, name: str = "") -> None:
        """Add a value that compiled code refers to by `name`."""
        if _is_constant(value):
            self.facts.add((f"constant {name}", _constant_digest(value)))
        elif isinstance(value, types.Type):
            self.facts.add((f"type {name}", str(value).encode()))
        elif id(value) not in self._seen:
            self._seen[id(value)] = value
            if hasattr(value, "selected_for"):  # a function of `dispatch`
                self._add_selection(value.selected_for)
            elif is_jitted(value):
                self._add_function(value.py_func)
            elif hasattr(value, "_defn"):  # an intrinsic
                self._add_function(value._defn)
            elif isinstance(value, FunctionType):
                # Compiled code cannot call a plain function; it uses what is registered as the function's overload.
                for body in overloads(value) or [value]:
                    self._add_function(body)
            elif isinstance(value, type):
                self._add_class(value)

    def _add_selection(self, selected_for: Callable[[type], list[Function]]) -> None:
        self._selections.append(selected_for)
        for each in list(self._classes):
            self._add_bodies(selected_for(each))

    def _add_class(self, value: type) -> None:
        if not _is_hashed(value.__module__):
            return
        name = f"class {value.__module__}.{value.__qualname__}"
        if issubclass(value, enum.Enum):
            self.facts.add((name, repr([(one.name, one.value) for one in value]).encode()))
        elif hasattr(value, "_fields"):
            self.facts.add((name, repr((value._fields, getattr(value, "_field_defaults", {}))).encode()))
            self._classes.append(value)
            for selected_for in list(self._selections):
                self._add_bodies(selected_for(value))

    def _add_bodies(self, functions: Iterable[Function]) -> None:
        for function in functions:
            self.visit(function) if is_jitted(function) else self._add_function(function)

    def _add_function(self, function: Any) -> None:
        if id(function) in self._without or not _is_hashed(function.__module__):
            return
        if id(function) in self._seen and id(function.__code__) in self._seen:
            return
        self._seen |= {id(function): function, id(function.__code__): function.__code__}
        self.facts.add((f"function {function.__module__}.{function.__qualname__}", _function_digest(function)))
        used = _names_of(function.__code__)
        for name, value in _referred(function, used).items():
            if not isinstance(value, ModuleType):
                self.visit(value, f"{function.__module__}.{name}")
            elif _is_hashed(value.__name__):
                for attribute in used & vars(value).keys():
                    self.visit(vars(value)[attribute], f"{value.__name__}.{attribute}")


def _referred(function: Any, used: set[str]) -> dict[str, Any]:
    """Name -> value of the global and enclosing variables that a function uses."""
    found = {name: function.__globals__[name] for name in used if name in function.__globals__}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not filled yet
            continue
    return found


def _names_of(code: CodeType) -> set[str]:
    """Names of globals and attributes in a function and in those defined inside it."""
    names = set(code.co_names) | set(code.co_freevars)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names_of(constant)
    return names


def overloads(function: Function) -> list[Any]:
    """What `numba.extending.overload` has registered for a plain function."""
    found = []
    for value, kind in builtin_registry.globals:
        if value is function:
            found += [template._overload_func for template in getattr(kind, "templates", ()) if hasattr(template, "_overload_func")]
    return found


# ---- constants ----


def _is_constant(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(_is_constant(part) for part in value)
    return value is None or isinstance(value, (bool, int, float, complex, str, bytes, np.generic, np.ndarray))


def _constant_digest(value: Any) -> bytes:
    digest = hashlib.sha256()
    _add_constant(digest, value)
    return digest.digest()


def _add_constant(digest: Any, value: Any) -> None:
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            raise NoSource
        digest.update(f"{value.dtype.str} {value.shape} ".encode())
        digest.update(np.ascontiguousarray(value).tobytes())
    elif isinstance(value, tuple):
        digest.update(f"{type(value).__name__} {len(value)} ".encode())
        for part in value:
            _add_constant(digest, part)
    else:
        digest.update(f"{type(value).__name__} {value!r} ".encode())


# ---- functions as syntax trees ----


def _function_digest(function: Any) -> bytes:
    """A hash of a function's syntax tree without docstrings, or of its bytecode where it has no definition in a source file.

    Raises NoSource when its module has no source file.
    """
    code = function.__code__
    module = sys.modules.get(function.__module__)
    source = None if module is None else _source(module)
    if source is None:
        raise NoSource
    if code.co_filename == getattr(module, "__file__", None):
        node = _definitions(source).get((code.co_name, code.co_firstlineno))
        if node is not None:
            return _tree_digest(node)
    return hashlib.sha256(repr(_code_facts(code)).encode()).digest()


_parsing = threading.Lock()  # Python 3.11 fails with a SystemError when several threads parse at once


@cache
def _definitions(source: bytes) -> dict[tuple[str, int], ast.AST]:
    """(name, first line) -> function definition or lambda in a source."""
    with _parsing:
        tree = ast.parse(source)
    found: dict[tuple[str, int], ast.AST] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found[(node.name, min([node.lineno, *(one.lineno for one in node.decorator_list)]))] = node
    return found


@cache
def _tree_digest(node: ast.AST) -> bytes:
    return hashlib.sha256("".join(_tree_text(node)).encode()).digest()


def _tree_text(node: Any) -> Iterator[str]:
    """A syntax tree as text without docstrings, annotations and places; the same in every version of Python for the same program."""
    if isinstance(node, ast.AST):
        yield f"({type(node).__name__}"
        for name, value in ast.iter_fields(node):
            if name in _IGNORED_FIELDS or value is None or value == []:
                continue
            yield f" {name}="
            yield from _tree_text(_without_docstring(value) if name == "body" and _has_docstring(node) else value)
        yield ")"
    elif isinstance(node, list):
        for one in node:
            yield from _tree_text(one)
            yield ","
    else:
        yield f"{type(node).__name__} {node!r}"


_IGNORED_FIELDS = ("annotation", "returns", "type_comment", "type_params", "kind", "ctx")


def _has_docstring(node: ast.AST) -> bool:
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and ast.get_docstring(node, clean=False) is not None


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    return body[1:] or [ast.Pass()]


def _code_facts(code: CodeType) -> tuple[Any, ...]:
    """What a function does, without names of files and line numbers."""
    constants = tuple(_code_facts(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars


# ---- sources ----

# module name -> (its spec, its source); the spec is another object after a reload, and then the source is read again
_sources: dict[str, tuple[Any, bytes]] = {}


def read_sources() -> None:
    """Read the sources of the modules of this package and of the user that were imported since the last call.

    Called whenever a kernel or a game is defined.  A file that is edited later, while this process runs, must not vouch for the code
    that was loaded before.
    """
    for name, module in list(sys.modules.items()):
        if name not in _looked_at or _looked_at[name] is not module:
            _looked_at[name] = module
            if name.partition(".")[0] == "ludometer" or _is_own_file(getattr(module, "__file__", None)):
                _source(module)


_looked_at: dict[str, Any] = {}


def _source(module: ModuleType) -> bytes | None:
    """The source a module was loaded from, as it was when first asked for; None if there is none."""
    file = getattr(module, "__file__", None)
    if not file or not file.endswith(".py"):
        return None
    spec = getattr(module, "__spec__", None)
    if module.__name__ not in _sources or _sources[module.__name__][0] is not spec:
        if not os.path.isfile(file):
            return None
        _sources[module.__name__] = (spec, Path(file).read_bytes())
    return _sources[module.__name__][1]


@cache
def _is_own_file(file: str | None) -> bool:
    """True for a file that belongs neither to Python nor to an installed library."""
    if not file:
        return False
    path = Path(file).resolve()
    return not path.is_relative_to(_STANDARD_LIBRARY) and not any(part in _INSTALLED for part in path.parts)


@cache
def _is_hashed(module: str) -> bool:
    """False for modules whose versions are part of the key of compiled code (Python, NumPy, Numba): their functions are not followed."""
    top = module.partition(".")[0]
    return top not in _VERSIONED and top not in sys.stdlib_module_names or module == "__main__"
