"""Games and agents of the user's own: in Python files, and in installed packages."""

from __future__ import annotations

import ast
import hashlib
import importlib.abc
import importlib.machinery
import importlib.metadata
import importlib.util
import sys
from pathlib import Path
from types import CodeType, ModuleType, TracebackType
from typing import Any, NamedTuple

from ludometer.core.errors import LudometerError, SpecError, shorten

_DIGEST = 12  # hexadecimal digits


def find_file(path: str, what: str) -> Path:
    """The absolute path of a file; raises SpecError if there is none.  `what` it holds is for the message: `game`, `agent`."""
    try:
        file = Path(path).expanduser().resolve()
        found = file.is_file()
    except (OSError, ValueError, RuntimeError):  # a name no file can have
        found = False
    if not found:
        raise SpecError(f"there is no {what} file {shorten(path)}")
    return file


def load_file(file: Path, what: str, version: str = "") -> ModuleType:
    """The module in a file, run anew; raises ValueError with one line that names the place of the mistake.

    It is named by its path, so that compiled code kept on disk finds its classes again.  It can import modules beside it.
    """
    name = f"ludometer_{what}_{file.stem}_{hashlib.sha256(str(file).encode()).hexdigest()[:10]}{version and '_' + version}"
    module_spec = importlib.util.spec_from_file_location(name, file)
    assert module_spec is not None and module_spec.loader is not None
    module = importlib.util.module_from_spec(module_spec)
    sys.modules[name] = module
    try:
        _search(file)
        exec(compile(file.read_bytes(), str(file), "exec", dont_inherit=True), vars(module))
    except Exception as error:
        del sys.modules[name]
        raise ValueError(one_line(error, file)) from error
    return module


class InstalledPart(NamedTuple):
    """What an installed package offers under a name."""

    name: str
    value: Any
    package: str
    version: str


def installed_parts(group: str) -> list[InstalledPart]:
    """What installed packages offer by entry points of this group, by name; raises LudometerError for one that does not load."""
    found = {}
    for entry in importlib.metadata.entry_points(group=group):
        package, version = (entry.dist.name, entry.dist.version) if entry.dist is not None else ("?", "?")
        try:
            found[entry.name] = InstalledPart(entry.name, entry.load(), package, version)
        except Exception as error:
            text = " ".join(str(error).split())
            raise LudometerError(
                f"package {package}: {entry.name} = {entry.value} does not load: {type(error).__name__}: {text}"
            ) from error
    return [found[name] for name in sorted(found)]


class _FreshLoader(importlib.machinery.SourceFileLoader):
    """Reads the source: Python's bytecode files go by time and size, and an edit can leave both as they were."""

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.get_data(self.path), self.path, "exec", dont_inherit=True)


class _Beside(importlib.abc.MetaPathFinder):
    """Finds modules beside the files of the user's own, after those of the library and of installed packages."""

    def __init__(self) -> None:
        self.folders: list[Path] = []  # the latest first

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        for folder in self.folders if path is None else ():
            file = folder / f"{fullname}.py"
            if file.is_file():
                return importlib.util.spec_from_file_location(fullname, file, loader=_FreshLoader(fullname, str(file)))
        return None


_beside = _Beside()


def _search(file: Path) -> None:
    """Let modules beside this file be imported, anew if they were imported before, or from another folder."""
    if _beside not in sys.meta_path:
        sys.meta_path.append(_beside)
    _beside.folders = [file.parent, *(folder for folder in _beside.folders if folder != file.parent)]
    for part in sources_of(file)[1:]:
        if isinstance(getattr(getattr(sys.modules.get(part.stem), "__spec__", None), "loader", None), _FreshLoader):
            del sys.modules[part.stem]


def one_line(error: BaseException, file: Path) -> str:
    """An error as one line that begins with the line of the file where it happened, if it happened there.

    `line 7, in choose: ZeroDivisionError: division by zero`
    """
    text = " ".join(str(error).split())
    said = text if isinstance(error, LudometerError) and text else f"{type(error).__name__}: {text}" if text else type(error).__name__
    if isinstance(error, SyntaxError):
        return f"{said}"
    place = place_of(error.__traceback__, file)
    if place is None:
        return said
    line, function = place
    return f"line {line}{'' if function.startswith('<') else f', in {function}'}: {said}"


def place_of(trace: TracebackType | None, file: Path) -> tuple[int, str] | None:
    """(line, function) of the innermost call in this file; None if it was never reached."""
    found = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(file):
            found = trace.tb_lineno, trace.tb_frame.f_code.co_name
        trace = trace.tb_next
    return found


def digest_of(file: Path) -> str:
    """A digest of a Python file and of the modules beside it that it imports, directly or through others."""
    found = hashlib.sha256()
    for part in sources_of(file):
        found.update(f"{part.name}\0".encode() + part.read_bytes())
    return found.hexdigest()[:_DIGEST]


def sources_of(file: Path) -> list[Path]:
    """A Python file and the modules beside it that it imports, directly or through others; the file first, the others by name."""
    found: dict[Path, None] = {}
    open_ones = [file]
    while open_ones:
        part = open_ones.pop()
        if part in found:
            continue
        found[part] = None
        open_ones += [beside for name in _imported(part) if (beside := file.parent / f"{name}.py").is_file()]
    return [file, *sorted(part for part in found if part != file)]


def _imported(file: Path) -> set[str]:
    """The first parts of the names of the modules that a file imports; none if it cannot be read as Python."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return set()
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.partition(".")[0])
    return names
