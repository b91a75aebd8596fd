"""All entries of study 000, in the order of the report."""

from __future__ import annotations

from ludometer.studies.entry import Entry
from ludometer.studies.study_000 import accuracy, depth, lengths, outcomes, qlearning, solving, times

ENTRIES: tuple[Entry, ...] = (
    *solving.ENTRIES,
    *outcomes.ENTRIES,
    *times.ENTRIES,
    *accuracy.ENTRIES,
    *lengths.ENTRIES,
    *qlearning.ENTRIES,
    *depth.ENTRIES,
)
