"""Quixo with a min-max player: L. Fezza, report on the project of a course in computational intelligence, 2024.

A player for 5×5 Quixo that searches with alpha-beta, orders moves by its longest line, shuffles equals, and chooses its depth by who leads.
"""

from __future__ import annotations

TITLE = "Quixo with a min-max player"
