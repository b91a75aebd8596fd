"""All entries of study 001, in the order of the report."""

from __future__ import annotations

from ludometer.studies.entry import Entry
from ludometer.studies.study_001 import heuristics, learning, limits, memory, searching, tests

ENTRIES: tuple[Entry, ...] = (
    *searching.ENTRIES,
    *heuristics.ENTRIES,
    *limits.ENTRIES,
    *memory.ENTRIES,
    *learning.ENTRIES,
    *tests.ENTRIES,
)
