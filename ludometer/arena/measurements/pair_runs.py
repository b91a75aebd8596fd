"""Runs made of pairs of games: entered in a store, with a note about stored games that do not count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludometer.arena.measurements.pairs import Pairing
from ludometer.arena.work.store import Store

_ORIGIN = ("rules", "knowledge", "decisions", "version")  # entries of a key that may differ between results of one request


def begin_pair_run(
    store: Store, kind: str, wants: Sequence[tuple[Pairing, int]], request: dict[str, Any], players: Sequence[str] | None = None
) -> int:
    """The number of the run with this request, entered if it is new, with the (pairing, pairs) that it wants.

    A request for more games is the same run.  `players` are the names shown in lists of runs, by default all of the pairings.
    """
    keys = [pairing.key() for pairing, _ in wants]
    names = players or list(dict.fromkeys(name for pairing, _ in wants for name in (pairing.a, pairing.b)))
    run = store.begin_run(kind, keys[0]["game"], tuple(names), {**request, "pairings": keys})
    for (pairing, pairs), key in zip(wants, keys):
        store.want(run, store.series(key, pairing.document()), pairs)
    return run


def note_unused_games(store: Store, pairings: Sequence[Pairing]) -> tuple[str, ...]:
    """A note if the store has games of these pairings that do not count, because they were played with other rules or decisions."""
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
