"""What was asked for when a run of the store was begun, so that it can go on from a page, also where it was begun on a terminal."""

from __future__ import annotations

from typing import Any

from ludometer.arena.work.store import Run, Store
from ludometer.core.errors import LudometerError
from ludometer.games import game as find_game


def request_of(store: Store, run: Run) -> dict[str, Any]:
    """The request that goes on with a run; raises LudometerError for kinds that cannot be continued from here."""
    common = {"kind": run.kind, "seed": run.key.get("seed", 0)}
    if run.kind == "match":
        pairing, games = _only_pairing(store, run)
        seed, plies = pairing["seed"], pairing["opening_plies"]
        return {
            **common,
            "seed": seed,
            "game": pairing["game"],
            "a": pairing["a"],
            "b": pairing["b"],
            "number": games,
            "opening_plies": plies,
            "until": "games",
        }
    if run.kind == "tournament" and run.key.get("gauntlet") is None:
        pairing, games = _only_pairing(store, run)
        plies = pairing["opening_plies"]
        return {**common, "game": pairing["game"], "agents": list(run.key["agents"]), "number": games, "opening_plies": plies}
    if run.kind == "ladder":
        return {**common, **_ladder(store, run)}
    raise LudometerError(f"run {run.id}, a {run.kind}, goes on with the command that began it")


def _only_pairing(store: Store, run: Run) -> tuple[dict[str, Any], int]:
    """The first pairing, and the games of each."""
    for series, pairs in store.parts(run.id):
        if store.key_of(series).get("unit") == "pair":
            pairing = store.subject_of(series)
            if pairing["ply_limit"] != find_game(pairing["game"]).kind.ply_limit:
                raise LudometerError(f"run {run.id} has a limit of moves of its own; it goes on with the command that began it")
            return pairing, 2 * pairs
    raise LudometerError(f"run {run.id} has no games")


def _ladder(store: Store, run: Run) -> dict[str, Any]:
    curves = run.key["curves"]
    games, families = ([*dict.fromkeys(curve[place] for curve in curves)] for place in (0, 1))
    blunders = [*dict.fromkeys(curve[4] for curve in curves if curve[4] is not None)]
    versus = {_without_blunder(curve[3]) for curve in curves}
    if len(versus) > 1 or run.key["opening_plies"] is not None or run.key["ply_limit"] is not None:
        raise LudometerError(f"run {run.id}, a ladder, goes on with the command that began it")
    each = 1 if run.key["measure"] == "accuracy" else 2
    units = max((units for _, units in store.parts(run.id)), default=0)
    return {
        "games": games,
        "agents": families,
        "rungs": list(curves[0][2]),
        "versus": versus.pop() or "optimal",
        "blunder": blunders,
        "measure": run.key["measure"],
        "number": each * units,
    }


def _without_blunder(spec: str | None) -> str:
    """An opponent without the blunders that a ladder sets."""
    name, _, parameters = (spec or "").partition(":")
    left = ",".join(part for part in parameters.split(",") if part and not part.startswith("blunder="))
    return f"{name}:{left}" if left else name
