"""Files of weights, and what was learnt as rows for people."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from dataclasses import MISSING, asdict, fields
from pathlib import Path
from typing import Any

import numpy as np

from ludometer.agents.qlearning import LEARNERS, Knowledge, LearningSettings, new_memory, new_table
from ludometer.core.errors import LudometerError, shorten
from ludometer.core.game import Game

FORMAT = "ludometer weights"
VERSION = 2  # 2: keys of m,n,k positions are others
_FIRST_PLACES = 1 << 14  # places of a table at least


def save(knowledge: Knowledge, path: str | Path) -> Path:
    """Write a file of weights atomically; raises LudometerError."""
    from ludometer.core.files import write_text

    memory = knowledge.memory
    if knowledge.settings.learner == "tabular":  # only the places in use
        used = memory.keys != 0
        order = np.argsort(memory.keys[used])
        arrays = {"keys": memory.keys[used][order], "values": memory.values[used][order]}
    else:
        arrays = {name: array for name, array in memory._asdict().items() if name != "seen"}
    document = {
        "format": FORMAT,
        "version": VERSION,
        "game": knowledge.game.spec,
        "settings": asdict(knowledge.settings),
        "moves_made": knowledge.moves_made,
        "arrays": {name: _encoded(array) for name, array in arrays.items()},
    }
    document["checksum"] = _checksum(document)
    return write_text(path, json.dumps(document, indent=1) + "\n")


def load(path: str | Path, game: Game) -> Knowledge:
    """Read a file of weights for this game; raises LudometerError for a file that is damaged or of another game."""
    from ludometer.core.files import read_text

    def refused(reason: str) -> LudometerError:
        return LudometerError(f"weights {shorten(str(path))}: {reason}")

    try:
        document = json.loads(read_text(path))
    except (ValueError, RecursionError):
        raise refused("not a file of weights; `ludometer learn` writes them") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise refused("not a file of weights; `ludometer learn` writes them")
    if document.get("version") != VERSION:
        raise refused(f"written in format version {shorten(str(document.get('version')))}, this program reads {VERSION}")
    if document.get("game") != game.spec:
        raise refused(f"learnt for {shorten(str(document.get('game')))}, not for {game.spec}")
    if document.pop("checksum", None) != _checksum(document):
        raise refused("damaged, its checksum is wrong; learn again")
    try:
        said = document["settings"]
        settings = LearningSettings(
            **{field.name: said[field.name] for field in fields(LearningSettings) if field.default is MISSING or field.name in said}
        )
        arrays = {name: _decoded(array) for name, array in document["arrays"].items()}
        memory = _memory_of(game, settings, arrays)
        moves_made = int(document["moves_made"])
    except (KeyError, TypeError, ValueError, AttributeError, binascii.Error):
        raise refused(f"its contents do not fit {game.spec}; learn again") from None
    return Knowledge(game, settings, memory, moves_made)


def _memory_of(game: Game, settings: LearningSettings, arrays: dict[str, np.ndarray]) -> Any:
    """The memory with these arrays; raises ValueError or KeyError if they do not fit the learner."""
    if settings.learner == "tabular":
        keys, values = arrays["keys"], arrays["values"]
        if keys.dtype != np.uint64 or values.dtype != np.float64 or keys.shape != values.shape or keys.ndim != 1:
            raise ValueError("not a table")
        if not np.isfinite(values).all() or (keys == 0).any():
            raise ValueError("not a table")
        memory = new_table(max(_FIRST_PLACES, 1 << (4 * len(keys)).bit_length()))
        from ludometer.agents.qlearning_memory_kernels import move_pairs

        move_pairs(keys, values, memory.keys, memory.values)
        memory.pairs[0] = len(keys)
        return memory
    if settings.learner not in LEARNERS:
        raise ValueError(settings.learner)
    memory = new_memory(game, settings)
    for name, place in memory._asdict().items():
        if name == "seen":
            continue
        array = arrays[name]
        if array.dtype != place.dtype or array.shape != place.shape or not np.isfinite(array).all():
            raise ValueError(name)
        place[...] = array
    return memory


def _encoded(array: np.ndarray) -> dict[str, Any]:
    little = array.astype(array.dtype.newbyteorder("<"))
    return {"type": array.dtype.name, "shape": list(array.shape), "data": base64.b64encode(little.tobytes()).decode()}


def _decoded(entry: dict[str, Any]) -> np.ndarray:
    if entry["type"] not in ("float64", "uint64", "int64"):
        raise ValueError(entry["type"])
    data = base64.b64decode(entry["data"], validate=True)
    return np.frombuffer(data, np.dtype(entry["type"]).newbyteorder("<")).reshape(entry["shape"]).astype(entry["type"])


def _checksum(document: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def inspect(knowledge: Knowledge, most: int = 20) -> list[dict[str, Any]]:
    """What was learnt, as rows for people.

    linear: a row per feature with its mean, highest and lowest weight and the moves of the last two.  heuristic: a row per feature with
    its weight.  binary: the `most` patterns corrected most often, with their values.  tabular: one row with the number of pairs and the
    range of their values.
    """
    from ludometer.core.protocol.learning import feature_names, pattern_names

    game, memory, learner = knowledge.game, knowledge.memory, knowledge.settings.learner
    if learner == "tabular":
        values = memory.values[memory.keys != 0]
        return [{"pairs": int(memory.pairs[0]), "lowest": float(values.min(initial=0.0)), "highest": float(values.max(initial=0.0))}]
    if learner == "binary":
        questions = pattern_names(game)
        often = [int(place) for place in np.argsort(-memory.visits, kind="stable")[:most] if memory.visits[place]]
        return [
            {
                "visits": int(memory.visits[place]),
                "value": float(memory.values[place]),
                "pattern": ", ".join(text for bit, text in enumerate(questions) if place >> bit & 1) or "none of all",
            }
            for place in often
        ]
    names = feature_names(game)
    if learner == "heuristic":
        return [{"feature": name, "weight": float(weight)} for name, weight in zip(names, memory.weights)]
    start = game.start()
    return [
        {
            "feature": name,
            "mean": float(column.mean()),
            "highest": float(column.max()),
            "for": start.move_text(int(column.argmax())),
            "lowest": float(column.min()),
            "against": start.move_text(int(column.argmin())),
        }
        for name, column in zip(names, memory.weights.T)
    ]
