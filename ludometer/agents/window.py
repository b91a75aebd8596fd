"""Perfect play on a small board, slid over a large one as a window.

The small game is solved exactly, so every placement of the window on the large board has a value and best moves.  `choice` selects a
move from them:

    random   a random one of the best moves in the windows with the highest value
    sum      the move with the highest sum of values over all windows that contain it
    careful  the move that simple play rates highest (take what can be taken, or stop and leave the rest, and give as little as
             possible); ties are broken by `sum`

A window that covers the whole board makes its best moves.  Games support this agent by the group `core.protocol.subboards`.
"""

from __future__ import annotations

import re
import time
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.agents.search_choices import names
from ludometer.core.agent import Agent, AgentKind, Decision, Option
from ludometer.core.errors import SpecError
from ludometer.core.game import Game
from ludometer.core.stopping import Stop

if TYPE_CHECKING:
    from ludometer.agents.window_kernels import CompiledWindow
    from ludometer.core.position import Position

MOST_ENTRIES = 2**24  # of a window's table: 16 MB, filled in a second


class Choice(IntEnum):
    """How a move is chosen from the values of all windows; see above."""

    CAREFUL = 0
    SUM = 1
    RANDOM = 2


class WindowKind(AgentKind):
    """Plays games that support windows."""

    def given(self, text: str) -> dict[str, Any]:
        """Option values with the shorter side of the window first: both orientations are used."""
        values = super().given(text)
        size = re.fullmatch(r"([1-9])[xX×]([1-9])", values.get("size", ""), re.ASCII)
        return values if size is None else {**values, "size": "x".join(sorted(size.groups()))}

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
        Option("choice", "careful", "choose by simple play, by the sum of all windows, or in the best windows", choices=names(Choice)),
    ),
)


class WindowAgent(Agent):
    """Chooses by the values of all windows."""

    def __init__(self, game: Game, spec: str, size: str, choice: str) -> None:
        super().__init__(game, spec)
        from ludometer.core.protocol.subboards import window_layouts

        self.choice = choice
        try:
            self.layouts = [_layout(game, size, rules, places) for rules, places in window_layouts(game, size)]
        except SpecError as error:
            raise SpecError(f"agent window at {game.spec}: {error}") from error

    def compiled_player(self, stop: Stop | None = None) -> CompiledWindow:
        from ludometer.agents import window_kernels as kernels

        first, *others = self.layouts
        second = others[0] if others else first._replace(places=first.places[:0])
        bound = self.game.move_bound
        return kernels.CompiledWindow(
            layouts=(first, second),
            choice=int(Choice[self.choice.upper()]),
            is_open=np.zeros(bound, np.bool_),
            opinions=np.zeros((bound, kernels.COLUMNS), np.int64),
            gains=np.zeros(bound, np.int64),
            best=np.zeros(bound, np.int32),
            choices=np.zeros(1, np.int64),
        )

    def choose(self, position: Position, key: np.uint64, stop: Stop | None = None) -> Decision:
        from ludometer.agents.window_kernels import best_and_ranks
        from ludometer.core.random import below

        since = time.perf_counter()
        player = self.compiled_player()
        gain, opinion = best_and_ranks(self.game.rules, player, position.state, np.empty(self.game.move_bound, np.int32))
        best = player.best[: int(player.choices[0])]
        windows = sum(len(layout.places) for layout in self.layouts)
        report: dict[str, Any] = {"windows": windows, "choices": len(best)}
        if self.choice == "random":
            report["window_value"] = int(opinion)
        elif self.choice == "careful" and windows > 1:
            report["margin"] = position.margin + int(gain)  # at the end, by simple play
        report["seconds"] = time.perf_counter() - since
        return Decision(int(best[below(np.uint64(key), len(best))]), None, report)

    def opinions(self, position: Position) -> np.ndarray:
        """The values of each move in the windows, int64 [move, column]; `window_kernels` names the columns."""
        from ludometer.agents.window_kernels import gather_opinions

        player = self.compiled_player()
        gather_opinions(self.game.rules, player, position.state, np.empty(self.game.move_bound, np.int32))
        return player.opinions


def _layout(game: Game, size: str, rules: Any, places: np.ndarray) -> Any:
    from ludometer.agents import window_kernels as kernels

    entries = int(kernels.table_size(rules))
    if not 0 < entries <= MOST_ENTRIES:
        raise SpecError(f"a window of {size} is too large for a table of {MOST_ENTRIES:,} entries")
    bits = np.zeros(places.shape[1], np.int64)
    kernels.move_bits(rules, np.flatnonzero(places[0] >= 0), bits)
    return kernels.Layout(rules, _table(rules), bits, places)


@lru_cache(maxsize=4)
def _table(rules: Any) -> np.ndarray:
    """The table of the small game; cached, since every agent of a match asks for it."""
    from ludometer.agents import window_kernels as kernels

    values = np.zeros(int(kernels.table_size(rules)), np.int8)
    kernels.fill_table(rules, values)
    values.flags.writeable = False
    return values
