"""Scales that come with the package: measured once, on one machine, for the built-in games.

Each is the document of a `GameScale`, counts included, in `reference/GAME.json`.  A scale is used only while the rules of its game, and the
decisions of the yardstick, are those that it was measured with.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

from ludometer.arena.experiments.scale_documents import GameScale
from ludometer.core.errors import LudometerError
from ludometer.core.files import write_text
from ludometer.core.game import Game
from ludometer.core.rules_stamp import rules_stamp

HALF_LEVEL = 0.5  # levels above the top that still mean perfect play
FOLDER = Path(__file__).with_name("reference")


def reference_scale(game: Game) -> GameScale | None:
    """The scale of a built-in game; None if there is none, or if it was measured with other rules."""
    return _read(game) if not game.reference.endswith(".py") and file_of(game).is_file() else None


def file_of(game: Game) -> Path:
    """Where the scale of a game lies."""
    return FOLDER / f"{game.spec.replace(':', '-').replace(',', '-')}.json"


def reference_games() -> list[str]:
    """Specs of the games that have a scale."""
    return sorted(json.loads(file.read_text(encoding="utf-8"))["game"] for file in FOLDER.glob("*.json"))


def write_reference(scale: GameScale, folder: Path = FOLDER) -> Path:
    """Keep a scale beside the others."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / file_of(_game(scale)).name
    write_text(file, json.dumps(scale.document(), separators=(",", ":")) + "\n")
    return file


def _game(scale: GameScale) -> Game:
    from ludometer.games import game

    return game(scale.game)


def player_of_level(game: Game, level: float) -> tuple[str | None, str]:
    """The spec of the player nearest to a level of a game's reference scale, or None and why there is none.

    Perfect play stands for levels between the last rung and the top of a solved game.
    """
    from ludometer.arena.experiments.rating import equivalent_budget

    scale = reference_scale(game)
    if scale is None:
        return None, f"{game.spec} has no reference scale; name a player by its iterations, such as uct:100"
    result = scale.result
    last = result.fit.levels[len(result.rungs)]
    if level <= 0:
        return "random", ""
    if level <= last:
        return f"{scale.plan.yardstick}:{max(1, round(equivalent_budget(scale, level) or 1.0))}", ""
    top = result.level(result.best).level
    if result.perfect and level <= top + HALF_LEVEL:
        return result.best, ""
    return None, f"the scale of {game.spec} reaches level {max(last, top):.1f}; give a level up to that"


@lru_cache(maxsize=64)
def _read(game: Game) -> GameScale | None:
    scale = GameScale.from_document(json.loads(file_of(game).read_text(encoding="utf-8")))
    if scale.game != game.spec:
        raise LudometerError(f"{file_of(game).name} holds the scale of {scale.game}, not of {game.spec}")
    return scale if scale.origin.get("rules") == rules_stamp(game) else None
