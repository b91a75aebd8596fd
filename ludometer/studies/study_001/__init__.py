"""Ultimate Tic-Tac-Toe: E. Lifshitz and D. Tsurel, "AI Approaches to Ultimate Tic-Tac-Toe", report of a course at the Hebrew University.

What the report does not say and is assumed here: equal moves are chosen from at random, a win is worth the same at any depth
(`early=no`), a free choice is one among the boards that are not won, and games come in pairs with seats swapped instead of a first
player drawn by lot.  Its time limits are turned into numbers of positions: its own time for a search of two moves each, 1,033 ms for
minimax, where ours looks at 5,000 positions, makes 0.1 s about 500.
"""

from __future__ import annotations

TITLE = "Ultimate Tic-Tac-Toe"
