"""All games, found by looking: every module or folder here that has a `GAME`, and game files of the user's own.

To add a game, put a file or a folder with a `GAME = GameKind(…)` here, or keep it anywhere and name it by path:
`ludometer play path/to/game.py`.  docs/adding-a-game.md shows how.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import cache, lru_cache
from pathlib import Path

from ludometer.core.errors import GameDefinitionError, SpecError, shorten
from ludometer.core.game import Game, GameKind
from ludometer.core.own_modules import find_file, installed_parts, load_file

ENTRY_POINTS = "ludometer.games"  # of installed packages


@lru_cache(maxsize=1)
def kinds() -> dict[str, GameKind]:
    """The built-in kinds by name, in alphabetical order, then those of installed packages.  Imports their light declarations only.

    A package declares a kind by an entry point of the group `ludometer.games`; a built-in kind of that name takes precedence.
    """
    found = {}
    for module in pkgutil.iter_modules(__path__):
        kind = getattr(importlib.import_module(f"{__name__}.{module.name}"), "GAME", None)
        if isinstance(kind, GameKind):
            found[kind.name] = kind
    for part in installed_parts(ENTRY_POINTS):
        if not isinstance(part.value, GameKind) or part.value.name != part.name:
            raise GameDefinitionError(f"package {part.package}: entry point {part.name} is no GameKind of the name {part.name}")
        found.setdefault(part.name, part.value)
    return found


def game(spec: str | Game) -> Game:
    """Look up a game by its spec, such as `quixo:4`, or by the path of a game file; raises SpecError that says what would be right.

        spec    name and parameters with a colon between them; `ludometer games` lists all games

    >>> lm.game("tictactoe")
    game('mnk:3,3,3')
    >>> lm.game("quixo:3").start().moves()[:2]
    ['A1>bottom', 'A1>right']
    """
    if isinstance(spec, Game):
        return spec
    file, parameters = _file_and_parameters(spec)
    if file:
        return kind_from_file(file).game(parameters)
    kind, parameters = built_in(spec, ", or a path to a game file")
    return kind.game(parameters)


def kind_of(spec: str) -> GameKind:
    """The kind of game that a spec names; none of its modules is loaded.  Raises SpecError if there is none."""
    file, _ = _file_and_parameters(spec)
    return kind_from_file(file) if file else built_in(spec)[0]


def names_file(spec: str) -> bool:
    """Whether a spec is the path of a game file."""
    return bool(_file_and_parameters(spec)[0])


def _file_and_parameters(spec: str) -> tuple[str, str]:
    """The path that a spec begins with and what stands after its colon; an empty path if it names a built-in game."""
    text = spec.strip()
    path, _, rest = text.partition(".py")
    return (f"{path}.py", rest[1:]) if text and (text.endswith(".py") or rest.startswith(":")) else ("", "")


def built_in(spec: str, also: str = "") -> tuple[GameKind, str]:
    """The built-in kind of a spec and its parameters; raises SpecError, which lists the names of all kinds and `also`."""
    name, colon, parameters = spec.strip().partition(":")
    for kind in kinds().values():
        full = kind.aliases.get(name.lower())
        if full is not None and colon:
            raise SpecError(f"{name.lower()} is the name of {full} and takes nothing after a colon; write {kind.syntax}")
        if full is not None:
            name, _, parameters = full.partition(":")
    if name.lower() not in kinds():
        raise SpecError(f"no game is called {shorten(name)}; {_similar(name) or 'games are ' + ', '.join(kinds()) + also}")
    return kinds()[name.lower()], parameters


def _similar(name: str) -> str:
    names = [n for kind in kinds().values() for n in (kind.name, *kind.aliases)]
    close = difflib.get_close_matches(name.lower(), names, n=1)
    return f"did you mean {close[0]}?" if close else ""


def kind_from_file(path: str) -> GameKind:
    """The kind declared in a Python file of the user's own; however its path is written, it is loaded once."""
    return _kind_from_resolved_file(find_file(path, "game"))


@cache
def _kind_from_resolved_file(file: Path) -> GameKind:
    path = str(file)
    try:
        module = load_file(file, "game")
    except ValueError as error:
        raise GameDefinitionError(f"game file {shorten(path)} does not load: {error}") from error
    kind = getattr(module, "GAME", None)
    if not isinstance(kind, GameKind):
        raise GameDefinitionError(f"game file {shorten(path)} has no GAME = GameKind(…)")
    object.__setattr__(kind, "file", path)  # the file declares the kind; where it lies is known here
    return kind
