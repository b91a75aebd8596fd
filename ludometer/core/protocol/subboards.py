"""Small boards inside a large one, for agents that have solved the small one (`agents.window`).

    window_layouts(rules, text)    plain Python: for each way to turn a window of the size written in `text`, the rules of the small game
                                   and places[window, move] (int32), the move on the large board that is this move of the small one
                                   (−1: none); raises SpecError if the text is no size or the window does not fit

The remaining gain must depend only on the set of moves made, each of which can be made once.  The small game numbers its states
(`core.protocol.numbering`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.core.compiling.dispatch import Group

if TYPE_CHECKING:
    from ludometer.core.game import Game

WINDOWS = Group("windows", plain=("window_layouts",), declared=True)


def window_layouts(game: Game, text: str) -> list[tuple[Any, np.ndarray]]:
    """The windows of the size written in `text` on the board of this game; raises SpecError."""
    found: list[tuple[Any, np.ndarray]] = WINDOWS.plain_member(game, "window_layouts")(game.rules, text)
    return found
