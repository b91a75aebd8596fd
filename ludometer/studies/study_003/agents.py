"""Declaration of the alpha-beta of the third week, for `ludometer.studies.agents`.  No compiler is loaded."""

from __future__ import annotations

from dataclasses import replace

from ludometer.agents.search import search_options
from ludometer.core.agent import AgentKind, Option

_DEFAULTS = {"order": "none", "shuffle": "no", "early": False}
_CACHE = Option("cache", "unpruned", "transposition table: none, or of values below which nothing was cut off", ("none", "unpruned"))

ALPHABETA = AgentKind(
    name="study003:alphabeta",
    title="the alpha-beta of study 003: full windows at the root, and no stop at a win",
    home="ludometer.studies.report_search:ThirdWeekAgent",
    main="depth",
    options=(
        *(
            _CACHE if option.name == "cache" else replace(option, default=_DEFAULTS.get(option.name, option.default))
            for option in search_options("none", "none")
        ),
        Option("keys", "updated", "keys of positions: updated by moves, or recomputed", ("updated", "anew")),
    ),
)

AGENTS = (ALPHABETA,)
