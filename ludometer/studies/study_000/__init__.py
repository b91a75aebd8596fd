"""The depth of Quixo: J. T. Chan, "The notion of 'depth' in games: a case study with Quixo".

Quixo on 5×5, 4×4 and 3×3 boards is solved; MCTS and Q-learning climb ladders against the perfect player, measured by outcomes of games, by
the accuracy of moves and by the length of games.
"""

from __future__ import annotations

TITLE = "The depth of Quixo"
