"""The depth of Quixo: J. T. Chan, "The notion of 'depth' in games: a case study with Quixo".

Quixo on 5×5, 4×4 and 3×3 boards is solved; MCTS and Q-learning climb ladders against the perfect player, measured by outcomes of games, by
the accuracy of moves and by the length of games.
"""

from __future__ import annotations

from ludometer.studies.entry import Entry
from ludometer.studies.study_000 import accuracy, depth, lengths, outcomes, qlearning, solving, times

TITLE = "The depth of Quixo"
ENTRIES: tuple[Entry, ...] = (
    *solving.ENTRIES,
    *outcomes.ENTRIES,
    *times.ENTRIES,
    *accuracy.ENTRIES,
    *lengths.ENTRIES,
    *qlearning.ENTRIES,
    *depth.ENTRIES,
)
