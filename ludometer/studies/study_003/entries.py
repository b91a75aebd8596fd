"""All entries of study 003, in the order of the report."""

from __future__ import annotations

from ludometer.studies.entry import Entry
from ludometer.studies.study_003 import first_weeks, fourth_week, third_week

ENTRIES: tuple[Entry, ...] = (*first_weeks.ENTRIES, *third_week.ENTRIES, *fourth_week.ENTRIES)
