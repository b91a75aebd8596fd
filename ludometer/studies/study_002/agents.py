"""Declaration of the study's alpha-beta, for `ludometer.studies.agents`.  No compiler is loaded."""

from __future__ import annotations

from ludometer.agents.search import search_options
from ludometer.core.agent import AgentKind

ALPHABETA = AgentKind(
    name="study002:alphabeta",
    title="the alpha-beta of study 002: every move of the root is searched with the full window",
    home="ludometer.studies.report_search:FullRootAgent",
    main="depth",
    options=search_options("heuristic", "bounds"),
)

AGENTS = (ALPHABETA,)
