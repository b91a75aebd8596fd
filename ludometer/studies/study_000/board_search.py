"""The study's Monte Carlo tree search: its program shares statistics between equal boards (docs/results/study-000.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludometer.agents.mcts import MctsAgent, MctsOptions
from ludometer.core.agent import Agent
from ludometer.core.errors import SpecError
from ludometer.core.game import Game
from ludometer.core.stopping import Stop

if TYPE_CHECKING:
    from ludometer.studies.study_000.board_search_kernels import BoardSearchSettings, CompiledBoardSearch


class BoardSearchAgent(MctsAgent):
    """Tree search with a table of boards, states or nodes; see `studies.study_000.agents` for its options."""

    value_of_unvisited = 0.5

    def __init__(
        self,
        game: Game,
        spec: str,
        statistics: str,
        enter: str,
        doubled: bool,
        ties: str,
        untried: str,
        horizon: int,
        **options: Any,
    ) -> None:
        Agent.__init__(self, game, spec)
        self.options = MctsOptions(**options)
        self.settings = self._settings(statistics, enter, doubled, ties, untried, horizon)
        self._prepare()

    def _settings(self, statistics: str, enter: str, doubled: bool, ties: str, untried: str, horizon: int) -> BoardSearchSettings:
        from ludometer.studies.study_000.board_search_kernels import BoardSearchSettings
        from ludometer.studies.study_000.board_table_kernels import Shared

        return BoardSearchSettings(
            iterations=self.options.iterations,
            exploration=self.options.exploration,
            shared=int(Shared[statistics.upper()]),
            enter_all=int(enter == "all"),
            doubled=int(doubled),
            ties_at_random=int(ties == "random"),
            untried_half=int(untried == "half"),
            horizon=horizon,
            by_visits=int(self.options.choice == "visits"),
            reuse=int(self.options.reuse),
            nanoseconds=self.options.nanoseconds,
        )

    def new_compiled(self, stop: Stop | None = None) -> CompiledBoardSearch:
        """A compiled player with an empty table; raises SpecError if there is not enough memory."""
        from ludometer.agents import mcts_kernels
        from ludometer.studies.study_000.board_search_kernels import CompiledBoardSearch
        from ludometer.studies.study_000.board_table_kernels import empty_table

        entries = self._entries()
        try:
            table = empty_table(entries, self.game.move_bound)
        except MemoryError:
            raise SpecError(f"agent {self.spec}: not enough memory for a table of {entries:,} entries; give less memory=…") from None
        root = mcts_kernels.empty_root(self.game.move_bound)
        return CompiledBoardSearch(self.settings, table, mcts_kernels.new_run(), root, (stop or Stop()).flag)

    def _entries(self) -> int:
        """Entries of a table: as many as its iterations can use, within the memory."""
        from ludometer.studies.study_000.board_table_kernels import BYTES_PER_ENTRY, LONGEST

        options, widest = self.options, self.game.move_bound
        memory = options.memory * 2**20
        per_iteration = widest + (LONGEST if self.settings.enter_all else 1)
        enough = memory if options.time or options.reuse else 1 + options.iterations * per_iteration
        return max(1 + 2 * widest, min(enough, memory // BYTES_PER_ENTRY, 2**29))
