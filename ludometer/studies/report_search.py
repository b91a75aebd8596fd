"""Alpha-beta as the programs of studies 001, 002 and 003 search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.agents.search import AlphaBetaAgent
from ludometer.core.errors import SpecError
from ludometer.core.game import Game

if TYPE_CHECKING:
    from ludometer.studies.report_search_kernels import ReportVariant


class ReportSearchAgent(AlphaBetaAgent):
    """Alpha-beta with further ways to use its window and its table."""

    full_root = False  # search every move of the root with the full window
    has_ceiling = True  # cut off after a move that wins at once

    def __init__(
        self, game: Game, spec: str, *, keys: str = "updated", cache: str, replace: str = "deep", symmetry: str = "none", **options: Any
    ) -> None:
        if symmetry != "none" and cache == "none":
            raise SpecError(f"agent {spec}: symmetry={symmetry} needs a cache; add cache=exact or cache=bounds")
        self._new_keys = keys == "anew"
        self._unpruned_only = cache == "unpruned"
        self._lru = replace == "lru"
        self._all_looked_up = symmetry == "lookup"
        super().__init__(
            game,
            spec,
            cache="exact" if self._unpruned_only else cache,
            replace="deep" if self._lru else replace,
            symmetry="none" if self._all_looked_up else symmetry,
            **options,
        )

    def _variant(self) -> ReportVariant:
        from ludometer.studies.report_search_kernels import ReportVariant, new_ends, new_recency

        return ReportVariant(
            new_keys=int(self._new_keys),
            all_looked_up=int(self._all_looked_up),
            unpruned_only=int(self._unpruned_only),
            full_root=int(self.full_root),
            no_ceiling=int(not self.has_ceiling),
            lru=int(self._lru),
            recency=new_recency(self.options.entries if self._lru else 0),
            ends=new_ends(),
            cuts=np.zeros(1, np.int64),
        )


class FullRootAgent(ReportSearchAgent):
    """The program of study 002."""

    full_root = True


class ThirdWeekAgent(ReportSearchAgent):
    """The program of the third week of study 003."""

    full_root = True
    has_ceiling = False
