"""The kernel decorator, the disk cache of compiled code, and a count of compilations.

Numba's own cache looks only at the file a function is defined in, so an edited rules file could silently run old code.  Here the folder of
a cached kernel is named by the stamp of its code (`code_stamp`): the functions, constants and classes that the kernel, the game and the
compiled players use.  After a change in any of these the old entry is not found; a change elsewhere, a comment or a message for instance,
leaves the entry valid.  Code without a source file (typed into a notebook) is not kept.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import njit, types
from numba.core import event
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.errors import ForceLiteralArg, NumbaError
from numba.core.serialize import dumps

from ludometer.core.compiling import code_stamp
from ludometer.core.compiling.compile_lock import CompileLock, acquire
from ludometer.core.compiling.explanations import explain
from ludometer.core.errors import GameDefinitionError
from ludometer.core.files import replacing
from ludometer.core.folders import compiled_folder

DAYS_KEPT = 30  # after which unused folders are removed

_DIGEST_SIZE = hashlib.sha256().digest_size


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` on first use for each game, release the interpreter lock in it, and keep it on disk."""
    if numba.config.DISABLE_JIT:
        return function
    dispatcher = njit(nogil=True)(function)
    dispatcher._cache = _SourceCache(function)
    dispatcher._compiler.compile = dispatcher._cache.releasing(dispatcher._compiler.compile)
    return dispatcher


class _SourceCache(_Cache):
    """Compiled code of one kernel on disk, in folders that depend on all sources behind the kernel and each game.

    One file per signature, named by a hash of it and written at once.  A process that compiles a signature holds a lock; others that
    need the same code wait for it and load it (`compile_lock`).
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._folders: dict[tuple[type, ...], Path | None] = {}
        self._locks: dict[Path, CompileLock] = {}  # held by this process, by the file of compiled code
        self.enable()
        code_stamp.read_sources()

    @property
    def cache_path(self) -> str:
        return str(compiled_folder())

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        for folder in self._folders.values():
            for file in folder.glob(f"{self._function.__qualname__}-*") if folder else ():
                file.unlink(missing_ok=True)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function for this signature, or None if there is none or it is damaged."""
        target_context.refresh()
        file = self._file_for(sig, target_context.codegen())
        if file is None:
            return None
        content = _content_of(file)
        if content is None:
            self._lock(file)
            content = _content_of(file)  # another process may have written it meanwhile
            if content is None:
                return None
            self._release(file)
        return CompileResult._rebuild(target_context, *pickle.loads(content))

    def releasing(self, compile: Callable[..., Any]) -> Callable[..., Any]:
        """Numba's compilation of this kernel; after an error, which leaves nothing to save, its lock is released."""

        def compile_or_release(args: Any, return_type: Any) -> Any:
            try:
                compilations.nested += 1
                return compile(args, return_type)
            except BaseException as error:
                for file in list(self._locks):
                    self._release(file)
                if isinstance(error, NumbaError) and not isinstance(error, ForceLiteralArg) and compilations.nested == 1:
                    raise GameDefinitionError(explain(error)) from error  # inside another compilation the compiler goes on
                raise
            finally:
                compilations.nested -= 1

        return compile_or_release

    def _lock(self, file: Path) -> None:
        if file not in self._locks and (lock := acquire(file, lambda: _content_of(file) is not None)):
            self._locks[file] = lock

    def _release(self, file: Path) -> None:
        if lock := self._locks.pop(file, None):
            lock.release()

    def save_overload(self, sig: Any, data: Any) -> None:
        file = self._file_for(sig, data.codegen)
        if file is None:
            return
        try:
            self._write(file, data)
        finally:
            self._release(file)

    def _write(self, file: Path, data: Any) -> None:
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
            where = f"{compiled_folder()} ({error.strerror})"
            compilations.say_once(f"compiled code cannot be kept in {where}; set LUDOMETER_CACHE to another folder")
        _remove_old_caches_once()

    def _file_for(self, signature: Any, codegen: Any) -> Path | None:
        """The file for this signature; None if the code cannot be kept."""
        arguments = signature.args if hasattr(signature, "args") else signature
        games = tuple(dict.fromkeys(_named_tuples(arguments)))
        if games not in self._folders:
            self._folders[games] = self._folder_for(games)
        folder = self._folders[games]
        if folder is None or not self._enabled:
            return None
        key = f"{arguments} {codegen.magic_tuple()} {numba.__version__} {np.__version__} {sys.version}"
        return folder / f"{self._function.__qualname__}-{hashlib.sha256(key.encode()).hexdigest()[:16]}"

    def _folder_for(self, classes: tuple[type, ...]) -> Path | None:
        stamp = code_stamp.stamp(kernel, self._function, classes=classes)
        if stamp is None:
            return None
        folder = compiled_folder() / f"{self._function.__module__}.{self._function.__qualname__}-{stamp}"
        if folder.is_dir() and os.access(folder, os.W_OK):
            os.utime(folder)  # still in use: see remove_old_caches
        return folder / ("+".join(each.__name__ for each in classes) or "plain")


def _content_of(file: Path) -> bytes | None:
    """Compiled code in a file; None if it is missing or damaged."""
    try:
        content = file.read_bytes()
    except OSError:
        return None
    whole = hashlib.sha256(content[_DIGEST_SIZE:]).digest() == content[:_DIGEST_SIZE]
    return content[_DIGEST_SIZE:] if whole else None


def _named_tuples(arguments: Iterable[Any]) -> Iterator[type]:
    """The NamedTuple classes among the types of a kernel's arguments, however deep: rules and states of games."""
    for argument in arguments:
        if isinstance(argument, types.BaseNamedTuple):
            yield argument.instance_class
        if isinstance(argument, types.BaseTuple):
            yield from _named_tuples(argument.types)


class _Compilations(event.Listener):
    """Counts compilations by Numba and announces the first one on standard error."""

    def __init__(self) -> None:
        self.count = 0
        self.seconds = 0.0
        self.quiet = False
        self._since = 0.0
        self._depth = 0
        self.nested = 0  # kernels being compiled, one for the sake of another; the compiler's own lock admits one thread
        self._said: set[str] = set()

    def say_once(self, message: str) -> None:
        """Print a line on standard error, once."""
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
    for folder in compiled_folder().glob("*-????????????????"):
        if folder.is_dir() and folder.stat().st_mtime < limit:
            shutil.rmtree(folder, ignore_errors=True)
            removed += 1
    return removed


@cache
def _remove_old_caches_once() -> None:
    """Remove unused folders after the first compilation of a process, which means that sources or versions have changed."""
    remove_old_caches()
