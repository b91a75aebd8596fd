"""Filling of series other than pairs of games, such as judged positions.

A subject here is a frozen dataclass of names and numbers (see `scheduler.Subject`), and its chunks are `MeasuredUnits`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ludometer.arena.work.execution import Execution
from ludometer.arena.work.scheduler import Chunk, work_off
from ludometer.arena.work.store import Store

Arrays = dict[str, np.ndarray]


@dataclass(frozen=True)
class MeasuredUnits:
    """Results of a chunk: every array has the same number of entries for each unit."""

    units: Arrays
    seconds: float  # of work, on one core

    def arrays(self) -> Arrays:
        """For the store."""
        return self.units


def fill(wants: Sequence[tuple[Any, int]], execution: Execution, *, run: int | None = None, text: str | None = None) -> list[Arrays]:
    """Measure the units of each (subject, units) that are missing in the store; returns their arrays in the order of `wants`.

    run    its number in the store of a started execution: entered as wanting these units
    text   text for the progress callback; None: no progress is reported

    If the work is stopped, the arrays hold the units 0, 1, 2, … up to the first missing one.
    """
    with execution.started() as work:
        store = work.store
        series = [store.series(subject.key(), asdict(subject)) for subject, _ in wants]
        number = {subject: one for (subject, _), one in zip(wants, series)}
        wanted = sum(units for _, units in wants)
        done = sum(store.done(one, units) for one, (_, units) in zip(series, wants))
        if run is not None:
            for one, (_, units) in zip(series, wants):
                store.want(run, one, units)

        def keep(chunk: Chunk, result: MeasuredUnits) -> bool:
            nonlocal done
            if store.add(number[chunk.subject], chunk.first, chunk.count, result.seconds, result.arrays()):
                done += chunk.count
            if text is not None:
                work.report(min(done, wanted), wanted, text)
            return True

        while not work.stop.asked:
            missing = [(subject, gaps) for (subject, units), one in zip(wants, series) if (gaps := store.missing(one, units))]
            if not missing:
                break
            work_off(missing, work.crew, keep, work.stop)
        return [store.arrays(one, _without_gap(store, one, units)) for one, (_, units) in zip(series, wants)]


def _without_gap(store: Store, series: int, units: int) -> int:
    missing = store.missing(series, units)
    return missing[0][0] if missing else units
