"""N×N tic-tac-toe with k in a row: a course report of four weeks, from random moves to alpha-beta with a time limit, 2020.

Counts of visited states come from the report and from the raw data published beside it (github ENM185/tic-tac-toe-assignment).
"""

from __future__ import annotations

from ludometer.studies.entry import Entry
from ludometer.studies.study_003 import first_weeks, fourth_week, third_week

TITLE = "N×N tic-tac-toe with k in a row"
ENTRIES: tuple[Entry, ...] = (*first_weeks.ENTRIES, *third_week.ENTRIES, *fourth_week.ENTRIES)
