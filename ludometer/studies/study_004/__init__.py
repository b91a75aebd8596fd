"""Learning in matrix games and Dots-and-Boxes: J. Christoffels and S. Huygens, project report of a course at KU Leuven, 2023."""

from __future__ import annotations

from ludometer.studies.entry import Entry
from ludometer.studies.study_004 import learners, matrices, solving, windows

TITLE = "Learning in matrix games, and Dots-and-Boxes"
ENTRIES: tuple[Entry, ...] = (*matrices.ENTRIES, *learners.ENTRIES, *solving.ENTRIES, *windows.ENTRIES)
