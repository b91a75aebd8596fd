"""What the lower floors of this package ask of the upper ones, by name.

Imports go one way: `core` knows nothing of games, agents or pictures.  Yet a position in a notebook draws itself, a record finds its game,
and the list of agents has the players of `bridges` in it.  The package itself, `ludometer/__init__.py`, which stands above all of them,
says here where these things are; they are imported when they are first asked for.
"""

from __future__ import annotations

import importlib
from typing import Any

_homes: dict[str, str] = {}  # name -> "module:attribute"


def provide(name: str, home: str) -> None:
    """Say where something is: `home` is "module:attribute"."""
    _homes[name] = home


def provided(name: str) -> Any:
    """What was provided under this name, imported now; a KeyError is a mistake of the program."""
    module, _, attribute = _homes[name].partition(":")
    return getattr(importlib.import_module(module), attribute)
