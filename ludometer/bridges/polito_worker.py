"""The process in which a Quixo player of the course runs; started by `polito` as a script, it imports nothing of this package.

    python -P polito_worker.py PLAYER_FILE CLASS ARGUMENTS

Lines of JSON come in on standard input and go out on standard output.  What the player prints goes to standard error.

    {"side": 0}                                   -> {"ready": "ClassName"}
    {"board": [[…], …], "side": 0, "seed": 12}    -> {"move": [x, y, side]}    the seed may be null: do not seed again
    anything that goes wrong                      -> {"error": "one line"}     and the process ends
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import json
import os
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

MODULE = "game"  # what players import
SIDE_WORD = "side"  # among the arguments: 0 or 1


def load(name: str, file: Path) -> ModuleType:
    """The module in a file, under this name."""
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file.name} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def player_class(module: ModuleType, name: str, base: type) -> type:
    """The class of this name, or the only player written in the file."""
    if name:
        found = getattr(module, name, None)
        if not isinstance(found, type):
            raise LookupError(f"has no class {name}")
        return found
    players = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, base) and value.__module__ == module.__name__ and not inspect.isabstract(value)
    ]
    if not players:
        raise LookupError("has no class that is a Player")
    if len(players) > 1:
        raise LookupError(f"has the players {', '.join(player.__name__ for player in players)}; choose one with class=NAME")
    return players[0]


def read_arguments(text: str, side: int) -> list[Any]:
    """The constructor's arguments, separated by semicolons: Python literals, or `side` for the player's number."""
    words = [word.strip() for word in text.split(";")] if text else []
    return [side if word == SIDE_WORD else ast.literal_eval(word) for word in words]


def encoded(answer: Any, moves: Any) -> list[int]:
    """[x, y, side] of a player's answer; raises ValueError or TypeError if it has another form."""
    (x, y), side = answer
    if int(x) != x or int(y) != y:
        raise ValueError("a place has whole numbers")
    return [int(x), int(y), moves(side).value]


def asked(player: Any, game_module: ModuleType, board: list[list[int]], side: int) -> dict[str, Any]:
    """The player's answer; one that cannot be understood is a move that cannot be made."""
    game = game_module.Game()
    game._board[:] = board
    game.current_player_idx = side
    answer = player.make_move(game)
    try:
        return {"move": encoded(answer, game_module.Move)}
    except (TypeError, ValueError):
        return {"move": None, "answer": repr(answer)[:80]}


def main() -> None:
    file, name, arguments = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    # The pipes are kept out of the player's way: it reads nothing, and what it prints goes to standard error.
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)

    def answer(content: dict[str, Any]) -> None:
        answers.write(json.dumps(content) + "\n")
        answers.flush()

    try:
        sys.path.insert(0, str(file.parent))
        game_module = load(MODULE, Path(__file__).with_name("polito_game.py"))
        random.seed(0)
        np.random.seed(0)
        side = json.loads(requests.readline())["side"]
        chosen = player_class(load(file.stem if file.stem != MODULE else "player", file), name, game_module.Player)
        player = chosen(*read_arguments(arguments, side))
        answer({"ready": chosen.__name__})
        for line in requests:
            request = json.loads(line)
            if request["seed"] is not None:
                random.seed(request["seed"])
                np.random.seed(request["seed"] & 0xFFFFFFFF)
            answer(asked(player, game_module, request["board"], request["side"]))
    except BaseException as error:  # also SystemExit: whatever ends the player is told
        text = " ".join(str(error).split())
        answer({"error": (f"{type(error).__name__}: {text}" if text else type(error).__name__)[:200]})
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
