"""Names of positions in tables: words of `core.protocol.proving.pack`, or numbers of `core.protocol.numbering`."""

from __future__ import annotations

from ludometer.core.errors import GameDefinitionError
from ludometer.core.game import Game
from ludometer.solvers.acyclic.table_kernels import facts


class Naming:
    """The form of keys or numbers by which tables of one game know positions."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.start = game.start()
        words, used, fixed, expected, dense, least, most = facts(game.rules, self.start.state)
        self.used = int(used or words)  # words of a position
        # Images of reachable positions are reachable only if every symmetry leaves the start unchanged.
        self.reduced = bool(fixed)  # whether one entry stands for all images of a position
        self.expected = float(expected)  # positions, 0 if the game does not say
        self.dense = int(dense)  # numbers of states, 0 if they are not numbered
        self.bounds = int(least), int(most)  # what can be gained from the start, by the game's own bounds
        if self.dense and not game.kind.scored:
            raise GameDefinitionError(f"{game.spec} numbers its states (dense_size), which is for games with points (scored=True) only")
