"""All entries of study 004, in the order of the report."""

from __future__ import annotations

from ludometer.studies.entry import Entry
from ludometer.studies.study_004 import learners, matrices, solving, windows

ENTRIES: tuple[Entry, ...] = (*matrices.ENTRIES, *learners.ENTRIES, *solving.ENTRIES, *windows.ENTRIES)
