"""All games, found by looking: every module or folder here that has a `GAME`, and game files of the user's own.

To add a game, put a file or a folder with a `GAME = GameKind(…)` here, or keep it anywhere and name it by path:
`ludometer play path/to/game.py`.  docs/adding-a-game.md shows how.
"""

from __future__ import annotations

import difflib
import hashlib
import importlib
import importlib.util
import pkgutil
import sys
from functools import cache, lru_cache
from pathlib import Path

from ludometer.core.errors import GameDefinitionError, SpecError, shorten
from ludometer.core.game import Game, GameKind


@lru_cache(maxsize=1)
def kinds() -> dict[str, GameKind]:
    """The built-in kinds by name, in alphabetical order.  Imports their light declarations only."""
    found = {}
    for module in pkgutil.iter_modules(__path__):
        kind = getattr(importlib.import_module(f"{__name__}.{module.name}"), "GAME", None)
        if isinstance(kind, GameKind):
            found[kind.name] = kind
    return found


def game(spec: str | Game, trusted: bool = True) -> Game:
    """The game a spec names, such as `quixo:4`; raises SpecError that says what would be right.

    With `trusted=False` the spec is input that nobody vouches for: it can name no file, and only the sizes that the game's kind
    declares for this purpose.

    >>> game("tictactoe").spec
    'mnk:3,3,3'
    """
    if isinstance(spec, Game):
        return spec
    file, parameters = _file_and_parameters(spec)
    if file and not trusted:
        raise SpecError("a game file cannot be named from outside; games are " + ", ".join(kinds()))
    kind = kind_from_file(file) if file else None
    if kind is None:
        kind, parameters = _kind_and_parameters(spec, trusted)
    if not trusted:
        kind.check_outside(parameters)
    return kind.game(parameters)


def kind_of(spec: str) -> GameKind:
    """The kind of game that a spec names; none of its modules is loaded.  Raises SpecError if there is none."""
    file, _ = _file_and_parameters(spec)
    return kind_from_file(file) if file else _kind_and_parameters(spec)[0]


def _file_and_parameters(spec: str) -> tuple[str, str]:
    """The path that a spec begins with and what stands after its colon; an empty path if it names a built-in game."""
    text = spec.strip()
    path, _, rest = text.partition(".py")
    return (f"{path}.py", rest[1:]) if text and (text.endswith(".py") or rest.startswith(":")) else ("", "")


def _kind_and_parameters(spec: str, trusted: bool = True) -> tuple[GameKind, str]:
    """The built-in kind that a spec names, and what stands after the colon."""
    text = spec.strip()
    name, colon, parameters = text.partition(":")
    for kind in kinds().values():
        full = kind.aliases.get(name.lower())
        if full is not None and colon:
            raise SpecError(f"{name.lower()} is the name of {full} and takes nothing after a colon; write {kind.syntax}")
        if full is not None:
            name, _, parameters = full.partition(":")
    if name.lower() not in kinds():
        raise SpecError(f"no game is called {shorten(name)}; {_suggestion(name, trusted)}")
    return kinds()[name.lower()], parameters


def _suggestion(name: str, trusted: bool) -> str:
    names = [n for kind in kinds().values() for n in (kind.name, *kind.aliases)]
    close = difflib.get_close_matches(name.lower(), names, n=1)
    if close:
        return f"did you mean {close[0]}?"
    if not trusted:
        return "games are " + ", ".join(kinds())
    return "games are " + ", ".join(kind.syntax for kind in kinds().values()) + ", or a path to a game file"


def kind_from_file(path: str) -> GameKind:
    """The kind declared in a Python file of the user's own; however its path is written, it is loaded once."""
    try:
        file = Path(path).expanduser().resolve()
        found = file.is_file()
    except (OSError, ValueError, RuntimeError):  # a name no file can have
        found = False
    if not found:
        raise SpecError(f"there is no game file {shorten(path)}")
    return _kind_from_resolved_file(file)


@cache
def _kind_from_resolved_file(file: Path) -> GameKind:
    path = str(file)
    # The module is named by its path, so that compiled code kept on disk finds its classes again.
    name = f"ludometer_game_{file.stem}_{hashlib.sha256(str(file).encode()).hexdigest()[:10]}"
    module_spec = importlib.util.spec_from_file_location(name, file)
    assert module_spec is not None and module_spec.loader is not None
    module = importlib.util.module_from_spec(module_spec)
    sys.modules[name] = module
    try:
        # Read the file itself: Python's bytecode files go by time and size, and an edit can leave both as they were.
        exec(compile(file.read_bytes(), path, "exec"), vars(module))
    except Exception as error:
        del sys.modules[name]
        raise GameDefinitionError(f"game file {shorten(path)} does not load: {type(error).__name__}: {error}".replace("\n", " ")) from error
    kind = getattr(module, "GAME", None)
    if not isinstance(kind, GameKind):
        raise GameDefinitionError(f"game file {shorten(path)} has no GAME = GameKind(…)")
    object.__setattr__(kind, "file", path)  # the file declares the kind; where it lies is known here
    return kind
