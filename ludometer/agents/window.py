"""A player who knows a small board by heart and looks at a large one through a window of that size.

The small game is solved exactly; every place of the window on the large board then has a value and best moves.  `choice` says what is
made of them:

    random   a random one of the best moves in the windows with the highest value
    sum      the move that is worth most in all windows that contain it together
    careful  the move that simple play rates highest: take what can be taken, or stop and leave the rest, and give as little as
             possible; where several are equal, the one among them that is worth most in all windows together

A window that covers the whole board knows all, and its best moves are made.

A game offers itself to this player by the group `core.windows`.
"""

from __future__ import annotations

import time
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludometer.core.agent import Agent, AgentKind, Decision, Option
from ludometer.core.errors import SpecError
from ludometer.core.game import Game

if TYPE_CHECKING:
    from ludometer.core.position import Position

CHOICES = ("careful", "sum", "random")
MOST_ENTRIES = 2**24  # of a window's table: 16 MB, filled in a second


class WindowKind(AgentKind):
    """Plays games that say where windows lie on their boards."""

    def refuses(self, game: Game) -> str | None:
        reason = super().refuses(game)
        if reason is None and "windows" not in game.kind.offers:
            return "its boards are not made of windows"
        return reason


AGENT = WindowKind(
    name="window",
    title="solved small boards, slid over a large one",
    home="ludometer.agents.window:WindowAgent",
    main="size",
    options=(
        Option("size", "2x2", "the size of the window, rows x columns, in either orientation", outside=True),
        Option("choice", CHOICES[0], "how a move is chosen from what the windows say", choices=CHOICES),
    ),
)


class Layout(NamedTuple):
    """The windows of one shape on a board."""

    rules: Any  # of the small game
    values: np.ndarray  # int8 [state number]: what the player to move still gains there
    bits: np.ndarray  # int64 [small move]: what it adds to the number of a state
    places: np.ndarray  # int32 [window, small move]: the move on the large board, −1 for none


class WindowAgent(Agent):
    """Asks all windows about every move."""

    def __init__(self, game: Game, spec: str, size: str, choice: str) -> None:
        super().__init__(game, spec)
        self.choice = choice
        from ludometer.core.windows import window_layouts

        try:
            found = window_layouts(game, size)
            self.layouts = [_layout(game, size, rules, places) for rules, places in found]
        except SpecError as error:
            raise SpecError(f"agent window at {game.spec}: {error}") from error

    def choose(self, position: Position, key: np.uint64, stop: Any = None) -> Decision:
        from ludometer.agents import window_kernels as kernels

        since = time.perf_counter()
        moves = np.array(position.legal, np.int32)
        opinions = self.opinions(position)[moves]
        windows = sum(len(layout.places) for layout in self.layouts)
        report: dict[str, Any] = {"windows": windows}
        value = None
        if self.choice == "random":
            best = moves[opinions[:, kernels.TOP] == opinions[:, kernels.TOP].max()]
            report["window_value"] = int(opinions[:, kernels.TOP].max())
        else:
            rank = opinions[:, kernels.SUM]
            best = moves[rank == rank.max()]
            if self.choice == "careful" and windows > 1:
                gains = np.zeros(moves.size, np.int64)
                kernels.count_gains(self.game.rules, position.state, moves, gains)
                top = gains == gains.max()
                best = moves[top & (rank == rank[top].max())]
                value = float(position.margin + gains.max())
        report |= {"choices": len(best), "seconds": time.perf_counter() - since}
        return Decision(int(best[int(key) * len(best) >> 64]), value, report)

    def opinions(self, position: Position) -> np.ndarray:
        """What the windows say of each move, int64 [move, column]; the columns are named in `window_kernels`."""
        from ludometer.agents import window_kernels as kernels

        is_open = np.zeros(self.game.move_bound, np.bool_)
        is_open[list(position.legal)] = True
        opinions = np.zeros((self.game.move_bound, kernels.COLUMNS), np.int64)
        opinions[:, kernels.TOP] = kernels.NO_VALUE
        for layout in self.layouts:
            kernels.ask_windows(layout.rules, layout.values, layout.bits, layout.places, is_open, opinions)
        return opinions


def _layout(game: Game, size: str, rules: Any, places: np.ndarray) -> Layout:
    from ludometer.agents import window_kernels as kernels

    entries = int(kernels.table_size(rules))
    if not 0 < entries <= MOST_ENTRIES:
        raise SpecError(f"a window of {size} is too large for a table of {MOST_ENTRIES:,} entries")
    bits = np.zeros(places.shape[1], np.int64)
    kernels.move_bits(rules, np.flatnonzero(places[0] >= 0), bits)
    return Layout(rules, _table(rules), bits, places)


@lru_cache(maxsize=4)
def _table(rules: Any) -> np.ndarray:
    """The solved small game; kept, because every agent of a match asks for it."""
    from ludometer.agents import window_kernels as kernels

    values = np.zeros(int(kernels.table_size(rules)), np.int8)
    kernels.fill_table(rules, values)
    values.flags.writeable = False
    return values
