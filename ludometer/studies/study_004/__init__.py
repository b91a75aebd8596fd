"""Learning in matrix games and Dots-and-Boxes: J. Christoffels and S. Huygens, project report of a course at KU Leuven, 2023."""

from __future__ import annotations

TITLE = "Learning in matrix games, and Dots-and-Boxes"
