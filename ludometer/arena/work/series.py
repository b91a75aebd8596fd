"""Series that are not games between two agents: worked off into a store by the same loop as pairs of games.

A subject here is a frozen dataclass of names and numbers; see `work.Subject`.  Its chunks are `Measured`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ludometer.arena.work.executors import Workers
from ludometer.arena.work.scheduler import Chunk, work_off
from ludometer.arena.work.store import Store
from ludometer.core.stopping import Stop

OnUnits = Callable[[int, int], None]  # (done, wanted)


@dataclass(frozen=True)
class Measured:
    """Units that were worked off: every array has the same number of entries for each unit."""

    units: dict[str, np.ndarray]
    seconds: float  # of work

    def arrays(self) -> dict[str, np.ndarray]:
        """For the store."""
        return self.units


def fill(
    store: Store,
    wants: Sequence[tuple[Any, int]],
    crew: Workers,
    stop: Stop | None = None,
    run: int | None = None,
    progress: OnUnits | None = None,
) -> list[dict[str, np.ndarray]]:
    """Do what is missing of so many units of each subject; the arrays of each, in the order of `wants`.

    With `run`, the run is entered as one that wants these units.  Once `stop` is asked, the arrays are of the units 0, 1, 2, … that are
    there without a gap.
    """
    stop = stop or Stop()
    series = [store.series(subject.key(), asdict(subject)) for subject, _ in wants]
    number = {subject: one for (subject, _), one in zip(wants, series)}
    wanted = sum(units for _, units in wants)
    done = sum(store.done(one, units) for one, (_, units) in zip(series, wants))
    if run is not None:
        for one, (_, units) in zip(series, wants):
            store.want(run, one, units)

    def keep(chunk: Chunk, result: Any) -> bool:
        nonlocal done
        store.add(number[chunk.subject], chunk.first, chunk.count, result.seconds, result.arrays())
        done += chunk.count
        if progress is not None:
            progress(done, wanted)
        return True

    while not stop.asked:
        missing = [(subject, gaps) for (subject, units), one in zip(wants, series) if (gaps := store.missing(one, units))]
        if not missing:
            break
        work_off(missing, crew, keep, stop)
    return [store.arrays(one, _without_gap(store, one, units)) for one, (_, units) in zip(series, wants)]


def _without_gap(store: Store, series: int, units: int) -> int:
    missing = store.missing(series, units)
    return missing[0][0] if missing else units
