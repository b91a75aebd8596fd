"""How rules become machine code: one decorator, a disk cache that is never stale, and a count of compilations.

Numba's own cache looks only at the file a function stands in, so an edited rules file could silently run old code.
Here the folder of a cached kernel is named by a hash of every source file that the kernel, the game and the minds it is compiled for,
and the functions chosen by their classes can reach through imports, and of the numbers and tables found there.  Change any of these and
the old entry is not even looked at; change one game and the others keep theirs.  Code without a source file (typed into a notebook) is
not kept at all.
"""

from __future__ import annotations

import ast
import hashlib
import os
import pickle
import shutil
import sys
import sysconfig
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
from numba import njit, types
from numba.core import event
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from ludometer.core.files import replacing

DAYS_KEPT = 30  # folders of older sources are removed when unused for so long

_STANDARD_LIBRARY = Path(sysconfig.get_paths()["stdlib"]).resolve()
_INSTALLED = ("site-packages", "dist-packages")
_DIGEST_SIZE = hashlib.sha256().digest_size

# rules class -> the modules its game is written in; filled by `dispatch.register`
game_modules: dict[type, tuple[ModuleType, ...]] = {}

# class -> names of the modules with bodies for it, which a kernel that is compiled for the class may call without importing them; filled
# by `dispatch.family`
body_modules: dict[type, set[str]] = {}


def cache_folder() -> Path:
    """Where compiled code is kept: `LUDOMETER_CACHE`, or the user's cache folder."""
    chosen = os.environ.get("LUDOMETER_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "ludometer" / "compiled"


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` on first use for each game, release the interpreter lock in it, and keep it on disk."""
    dispatcher = njit(nogil=True)(function)
    dispatcher._cache = _SourceCache(function)
    return dispatcher


class _SourceCache(_Cache):
    """Compiled code of one kernel on disk, in folders that depend on all sources behind the kernel and each game.

    One file per signature, named by a hash of it and written at once: processes that compile the same thing at the same
    time write equal files, and those that compile different things never touch each other's.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._folders: dict[tuple[type, ...], Path | None] = {}
        self.enable()
        # Read the sources now: a file edited while this process runs must not vouch for the code that was loaded before.
        source_stamp(sys.modules[function.__module__])

    @property
    def cache_path(self) -> str:
        return str(cache_folder())

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        for folder in self._folders.values():
            for file in folder.glob(f"{self._function.__qualname__}-*") if folder else ():
                file.unlink(missing_ok=True)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function for this signature, or None if it is not there in good order."""
        target_context.refresh()
        file = self._file_for(sig, target_context.codegen())
        if file is None or not file.is_file():
            return None
        content = file.read_bytes()
        if hashlib.sha256(content[_DIGEST_SIZE:]).digest() != content[:_DIGEST_SIZE]:
            return None
        return CompileResult._rebuild(target_context, *pickle.loads(content[_DIGEST_SIZE:]))

    def save_overload(self, sig: Any, data: Any) -> None:
        file = self._file_for(sig, data.codegen)
        if file is None:
            return
        if data.library.has_dynamic_globals or any(not part.can_cache for part in data.lifted):
            reason = "it uses a constant table of over a megabyte"
            warnings.warn(f"{self._function.__qualname__} is compiled anew in every run: {reason}", stacklevel=2)
            return
        content = dumps(data._reduce())
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with replacing(file) as stream:
                stream.write(hashlib.sha256(content).digest() + content)
        except OSError as error:
            where = f"{cache_folder()} ({error.strerror})"
            compilations.say_once(f"compiled code cannot be kept in {where}; set LUDOMETER_CACHE to another folder")
        _remove_old_caches_once()

    def _file_for(self, signature: Any, codegen: Any) -> Path | None:
        """Where the code for this signature belongs; None when it cannot be kept."""
        arguments = signature.args if hasattr(signature, "args") else signature
        games = tuple(dict.fromkeys(_named_tuples(arguments)))
        if games not in self._folders:
            self._folders[games] = self._folder_for(games)
        folder = self._folders[games]
        if folder is None or not self._enabled:
            return None
        key = f"{arguments} {codegen.magic_tuple()} {numba.__version__} {np.__version__} {sys.version}"
        return folder / f"{self._function.__qualname__}-{hashlib.sha256(key.encode()).hexdigest()[:16]}"

    def _folder_for(self, games: tuple[type, ...]) -> Path | None:
        modules = [sys.modules[self._function.__module__]]
        for game in games:
            modules += game_modules.get(game, (sys.modules[game.__module__],))
            modules += [sys.modules[name] for name in sorted(body_modules.get(game, ()))]
        stamp = source_stamp(*modules)
        if stamp is None:
            return None
        digest = hashlib.sha256(stamp.encode())
        for name in sorted(_reachable(modules)):
            digest.update(_constants(sys.modules[name]))
        folder = cache_folder() / f"{self._function.__module__}-{digest.hexdigest()[:16]}"
        if folder.is_dir() and os.access(folder, os.W_OK):
            os.utime(folder)  # still in use: see remove_old_caches
        return folder / ("+".join(game.__name__ for game in games) or "plain")


def _named_tuples(arguments: Iterable[Any]) -> Iterator[type]:
    """The NamedTuple classes among the types of a kernel's arguments, however deep: rules and states of games."""
    for argument in arguments:
        if isinstance(argument, types.BaseNamedTuple):
            yield argument.instance_class
        if isinstance(argument, types.BaseTuple):
            yield from _named_tuples(argument.types)


def source_stamp(*modules: ModuleType) -> str | None:
    """A hash of the sources of these modules and of all of our or the user's modules they import, however far.

    None when one of them has no source to read.
    """
    digest = hashlib.sha256()
    reachable = _reachable(modules)
    if any(module.__name__ not in reachable for module in modules):
        return None
    for name, source in sorted(reachable.items()):
        digest.update(name.encode())
        digest.update(hashlib.sha256(source).digest())
    return digest.hexdigest()[:16]


def _reachable(modules: Iterable[ModuleType]) -> dict[str, bytes]:
    """Name -> source of these modules and those behind their imports."""
    found: dict[str, bytes] = {}
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        name = module.__name__
        if name in found or not _is_ours(module):
            continue
        source = _source(module)
        if source is not None:
            found[name] = source
            package = name if hasattr(module, "__path__") else name.rpartition(".")[0]
            waiting.extend(sys.modules[name] for name in _imported_names(package, source) if name in sys.modules)
    return found


def _is_ours(module: ModuleType) -> bool:
    """Whether a module is of this package or the user's own, not of Python or an installed library."""
    if module.__name__.partition(".")[0] == "ludometer":
        return True
    file = getattr(module, "__file__", None)
    if not file:
        return False
    path = Path(file).resolve()
    return not path.is_relative_to(_STANDARD_LIBRARY) and not any(part in _INSTALLED for part in path.parts)


# module name -> (its spec, its source); the spec is another object after a reload, and then the source is read again
_sources: dict[str, tuple[Any, bytes]] = {}


def _source(module: ModuleType) -> bytes | None:
    """The source a module was loaded from, as it was when first asked for; None if there is none."""
    file = getattr(module, "__file__", None)
    if not file or not file.endswith(".py") or not os.path.isfile(file):
        return None
    spec = getattr(module, "__spec__", None)
    if module.__name__ not in _sources or _sources[module.__name__][0] is not spec:
        _sources[module.__name__] = (spec, Path(file).read_bytes())
    return _sources[module.__name__][1]


_parsing = threading.Lock()  # Python 3.11 fails with a SystemError when several threads parse at once


@cache
def _imported_names(package: str, source: bytes) -> tuple[str, ...]:
    """Full names of everything imported when a module is loaded, with the packages above it.

    Imports inside functions and for type checkers are left out: compiled code cannot use them, and whether they have
    happened yet would change from run to run.
    """
    names: list[str] = []
    with _parsing:
        waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            names += [base, *(f"{base}.{alias.name}" for alias in node.names)]
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.expr)) and not _is_for_type_checkers(node):
            waiting.extend(ast.iter_child_nodes(node))
    return tuple({name.rsplit(".", drop)[0] for name in names for drop in range(name.count(".") + 1)})


def _is_for_type_checkers(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).rpartition(".")[2] == "TYPE_CHECKING"


@cache
def _constants(module: ModuleType) -> bytes:
    """A hash of the numbers and tables in a module: compiled code freezes them, wherever they were read from."""
    digest = hashlib.sha256()
    for name, value in sorted(vars(module).items()):
        if not name.startswith("__"):
            _add_constant(digest, name, value)
    return digest.digest()


def _add_constant(digest: Any, name: str, value: Any) -> None:
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        digest.update(f"{name} {value.dtype.str} {value.shape} ".encode())
        digest.update(np.ascontiguousarray(value).tobytes())
    elif isinstance(value, (bool, int, float, complex, np.generic)):
        digest.update(f"{name} {value!r} ".encode())
    elif isinstance(value, tuple):
        for place, part in enumerate(value):
            _add_constant(digest, f"{name} {place}", part)


class _Compilations(event.Listener):
    """Counts what Numba really compiles and says so once on standard error."""

    def __init__(self) -> None:
        self.count = 0
        self.seconds = 0.0
        self.quiet = False
        self._since = 0.0
        self._depth = 0
        self._said: set[str] = set()

    def say_once(self, message: str) -> None:
        """One line on standard error, the first time only."""
        if message not in self._said and not self.quiet:
            print(f"ludometer: {message}", file=sys.stderr, flush=True)
        self._said.add(message)

    def on_start(self, event: Any) -> None:
        if self._depth == 0:
            self._since = time.perf_counter()
            self.say_once("compiling for the first time here; later runs start at once")
        self.count += 1
        self._depth += 1

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        if self._depth == 0:
            self.seconds += time.perf_counter() - self._since


compilations = _Compilations()
event.register("numba:compile", compilations)


def remove_old_caches(days: float = DAYS_KEPT) -> int:
    """Remove folders of compiled code not used for `days`; returns how many."""
    removed = 0
    limit = time.time() - days * 86_400
    for folder in cache_folder().glob("*-????????????????"):
        if folder.is_dir() and folder.stat().st_mtime < limit:
            shutil.rmtree(folder, ignore_errors=True)
            removed += 1
    return removed


@cache
def _remove_old_caches_once() -> None:
    """Something new was compiled, so sources have changed or a version has: a moment to look for what is no longer used."""
    remove_old_caches()
