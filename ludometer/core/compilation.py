"""How rules become machine code: one decorator, a disk cache that is never stale, and a count of compilations.

Numba's own cache looks only at the file a function stands in, so an edited rules file could silently run old code.
Here the folder of a cached kernel is named by a hash of every source file the kernel can reach through imports,
with a subfolder named in the same way for the game it is compiled for.  Change any of these files and the old entry is not
even looked at; change one game and the others keep theirs.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from numba import njit, types
from numba.core import event
from numba.core.caching import FunctionCache, IndexDataCacheFile

DAYS_KEPT = 30  # folders of older sources are removed when unused for so long

_IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|import[ \t]+([^\n]*))", re.MULTILINE)
_NOT_OURS = ("site-packages", "dist-packages", f"python{sys.version_info.major}.{sys.version_info.minor}")

# rules class -> the modules its game is written in; filled by `protocol.register`
game_modules: dict[type, tuple[ModuleType, ...]] = {}


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
    dispatcher._can_compile = True
    return dispatcher


class _SourceCache(FunctionCache):  # type: ignore[misc]
    """A function cache whose folder depends on all sources behind one kernel and one game."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._files: dict[tuple[type, ...], IndexDataCacheFile] = {}
        self._name = repr(function)
        self._py_func = function
        self._impl = self._impl_class(function)
        self._cache_path = str(cache_folder())
        self._base_name = f"{function.__qualname__}-{function.__code__.co_firstlineno}"
        # Read the sources now: a file edited while this process runs must not vouch for the code that was loaded before.
        source_stamp(sys.modules[function.__module__])
        self.enable()

    def _file_for(self, signature: Any) -> IndexDataCacheFile:
        arguments = signature.args if hasattr(signature, "args") else signature
        games = tuple(t.instance_class for t in arguments if isinstance(t, types.BaseNamedTuple) and t.instance_class in game_modules)
        if games not in self._files:
            stamp = source_stamp(*([sys.modules[self._function.__module__]] + [m for g in games for m in game_modules[g]]))
            folder = cache_folder() / f"{self._function.__module__}-{stamp}" / ("+".join(g.__name__ for g in games) or "plain")
            folder.mkdir(parents=True, exist_ok=True)
            os.utime(folder.parent)
            self._files[games] = IndexDataCacheFile(cache_path=str(folder), filename_base=self._base_name, source_stamp=stamp)
        return self._files[games]

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        self._cache_file = self._file_for(sig)
        return super()._load_overload(sig, target_context)

    def _save_overload(self, sig: Any, data: Any) -> None:
        self._cache_file = self._file_for(sig)
        if self._impl.check_cachable(data):
            self._cache_file.save(self._index_key(sig, data.codegen), self._impl.reduce(data))


def source_stamp(*modules: ModuleType) -> str:
    """A hash of the sources of these modules and of all of our or the user's modules they import, however far."""
    digest = hashlib.sha256()
    for name, file in sorted(_reachable(modules).items()):
        digest.update(name.encode())
        digest.update(hashlib.sha256(_source(file)).digest())
    return digest.hexdigest()[:16]


@cache
def _source(file: str) -> bytes:
    return Path(file).read_bytes()


def _reachable(modules: tuple[ModuleType, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        file = getattr(module, "__file__", None)
        if module.__name__ in found or not file or not file.endswith(".py"):
            continue
        if not module.__name__.startswith("ludometer.") and any(part in Path(file).parts for part in _NOT_OURS):
            continue
        found[module.__name__] = file
        waiting.extend(sys.modules[name] for name in _names_in_imports(module.__name__, file) if name in sys.modules)
    return found


@cache
def _names_in_imports(name: str, file: str) -> list[str]:
    package = name if Path(file).name == "__init__.py" else name.rpartition(".")[0]
    names: list[str] = []
    for origin, members, plain in _IMPORT.findall(_source(file).decode()):
        if plain:
            names += [part.split(" as ")[0].strip() for part in plain.split("#")[0].split(",")]
            continue
        dots = len(origin) - len(origin.lstrip("."))
        base = origin
        if dots:
            parents = package.split(".")
            base = ".".join(parents[: len(parents) - dots + 1] + ([origin[dots:]] if origin[dots:] else []))
        names.append(base)
        names += [f"{base}.{part.split(' as ')[0].strip()}" for part in members.split("#")[0].strip("() \n").split(",")]
    return names


class _Compilations(event.Listener):  # type: ignore[misc]
    """Counts what Numba really compiles and says so once on standard error."""

    def __init__(self) -> None:
        self.count = 0
        self.seconds = 0.0
        self.quiet = False
        self._since = 0.0
        self._depth = 0

    def on_start(self, event: Any) -> None:
        if self._depth == 0:
            self._since = time.perf_counter()
            if self.count == 0 and not self.quiet:
                print("ludometer: compiling for the first time here; later runs start at once", file=sys.stderr, flush=True)
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
