"""Runs of pairs of games in a store, and notes on stored games that are not used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludometer.arena.measurements.pairs import Pairing
from ludometer.arena.work.store import Store

_ORIGIN = ("rules", "knowledge", "decisions", "version")  # entries of a key that may differ between results of one request


def begin_pair_run(
    store: Store, kind: str, wants: Sequence[tuple[Pairing, int]], request: dict[str, Any], players: Sequence[str] | None = None
) -> int:
    """Number of the run with this request and its (pairing, pairs), created if it is new.

    A request for more games is the same run.  `players` are the names shown in lists of runs, by default all of the pairings.
    """
    keys = [pairing.key() for pairing, _ in wants]
    names = players or list(dict.fromkeys(name for pairing, _ in wants for name in (pairing.a, pairing.b)))
    run = store.begin_run(kind, keys[0]["game"], tuple(names), {**request, "pairings": keys})
    for (pairing, pairs), key in zip(wants, keys):
        store.want(run, store.series(key, pairing.document()), pairs)
    return run


def note_unused_games(store: Store, pairings: Sequence[Pairing]) -> tuple[str, ...]:
    """Note on games of these pairings that are not used because other rules or decisions produced them; empty without such games."""
    others = [found for pairing in pairings for found in store.otherwise(pairing.key(), _ORIGIN)]
    if not others:
        return ()
    own = pairings[0].key()
    games = 2 * sum(units for _, units in others)
    versions = sorted({str(key["version"]) for key, _ in others if "version" in key})
    changed = [key for key, _ in others if "version" not in key and key["rules"] == own["rules"]]
    if versions:
        why = f"by version {', '.join(versions)}"
    elif changed:
        why = "by agents that decide otherwise" if changed[0]["knowledge"] == own["knowledge"] else "with another evaluation of the game"
    else:
        why = "with other rules of the game"
    return (f"{games:,} games that the store has of the same request are not used: they were played {why}",)
