"""Declaration of the study's alpha-beta with memory, for `ludometer.studies.agents`.  No compiler is loaded."""

from __future__ import annotations

from dataclasses import replace

from ludometer.agents.search import search_options
from ludometer.core.agent import AgentKind, Option

_CHOICES = {
    "replace": ("a full table keeps its entries, or replaces the oldest, the shallowest or the least recently used", "lru"),
    "symmetry": ("symmetric positions: unrelated, one entry for all, an entry for each, or each looked up", "lookup"),
}

ALPHABETA = AgentKind(
    name="study001:alphabeta",
    title="the alpha-beta of study 001, with its ways to use memory",
    home="ludometer.studies.report_search:ReportSearchAgent",
    main="depth",
    options=(
        *(
            replace(option, help=_CHOICES[option.name][0], choices=(*option.choices, _CHOICES[option.name][1]))
            if option.name in _CHOICES
            else option
            for option in search_options("heuristic", "bounds")
        ),
        Option("keys", "updated", "keys of positions: updated by moves, or recomputed", ("updated", "anew")),
    ),
)

AGENTS = (ALPHABETA,)
