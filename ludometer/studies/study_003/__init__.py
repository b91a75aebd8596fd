"""N×N tic-tac-toe with k in a row: a course report of four weeks, from random moves to alpha-beta with a time limit, 2020.

Counts of visited states come from the report and from the raw data published beside it (github ENM185/tic-tac-toe-assignment).
"""

from __future__ import annotations

TITLE = "N×N tic-tac-toe with k in a row"
