"""All agents: every module here that declares an `AGENT` (or several, as `AGENTS`), the players of other systems that `ludometer.bridges`
declares, the programs of the studies, `study000:mcts` and so on, and agents of the user's own: files, and Python functions and classes.

An agent module loads no compiler when imported: compiled code lives in modules of its own, imported when an agent is made.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from ludometer import games
from ludometer.agents.own import kind_from_file, kind_of_installed, kind_of_program, local_kinds
from ludometer.core.agent import Agent, AgentKind, is_study_name, names_file, split_spec
from ludometer.core.errors import SpecError, shorten
from ludometer.core.game import Game
from ludometer.core.own_modules import installed_parts

ENTRY_POINTS = "ludometer.agents"  # of installed packages
AgentLike = Agent | str | Callable[..., Any]  # an agent, its spec, or a function or class of the user's own


@lru_cache(maxsize=1)
def kinds() -> dict[str, AgentKind]:
    """All agent kinds by name, without those of the studies: of this package, of bridges, of installed packages.

    A package declares an agent by an entry point of the group `ludometer.agents`; a built-in agent of that name takes precedence.
    """
    found = {}
    for module in pkgutil.iter_modules(__path__):
        if module.name.endswith("_kernels"):
            continue
        loaded = importlib.import_module(f"{__name__}.{module.name}")
        for kind in getattr(loaded, "AGENTS", ()) or (getattr(loaded, "AGENT", None),):
            if isinstance(kind, AgentKind):
                found[kind.name] = kind
    from ludometer.bridges import AGENTS

    found |= {kind.name: kind for kind in AGENTS}
    for part in installed_parts(ENTRY_POINTS):
        if part.name not in found:
            found[part.name] = kind_of_installed(part)
    return found


def study_kinds() -> dict[str, AgentKind]:
    """The agent kinds of the studies by name."""
    from ludometer.studies.agents import kinds as found

    return found()


def kind(name: str) -> AgentKind:
    """The agent kind of this name, also of a study or a file; raises SpecError that says what would be right."""
    if names_file(name):
        return kind_from_file(name.strip())
    wanted = name.strip().lower()
    if wanted in local_kinds:
        return local_kinds[wanted]
    known = study_kinds() if is_study_name(wanted) else kinds()
    found = known.get(wanted)
    if found is None:
        close = difflib.get_close_matches(wanted, list(known), n=1)
        hint = f"did you mean {close[0]}?" if close else "agents are " + ", ".join(known) + ", or a path to a Python file"
        raise SpecError(f"no agent is called {shorten(name)}; {hint}")
    return found


def kinds_of(name: str = "") -> list[AgentKind]:
    """The agents for every game; with the name of a study, such as `study000`, its agents; otherwise the agent of this name or file.

    Raises SpecError that says what would be right.
    """
    if not name:
        return list(kinds().values())
    wanted = name.strip().lower()
    return [found for known, found in study_kinds().items() if known.startswith(f"{wanted}:")] or [kind(name)]


def kind_and_parameters(spec: str) -> tuple[AgentKind, str]:
    """The agent kind that a spec names, and the spec's parameters; raises SpecError."""
    name, parameters = split_spec(spec)
    return kind(name), parameters


def spec_of(given: AgentLike) -> str:
    """The spec of an agent; an object, function or class of the user's own gets one by which this process finds it."""
    return given if isinstance(given, str) else kind_of_program(given).name


def agent(spec: AgentLike, game: Game | str) -> Agent:
    """Make an agent for a game from its spec; raises SpecError that says what would be right.

        spec    such as "random", "mcts:1000" or "alphabeta:depth=4"; `ludometer agents` lists all agents and their options;
                also the path of a Python file, "my_agent.py:depth=4", or a function or class that chooses a move
        game    a game or its spec

    An agent made for this game is returned as it is.

    >>> lm.agent("mcts:iterations=30", "quixo:3")
    agent('mcts:30', 'quixo:3')
    """
    game = games.game(game)
    if isinstance(spec, Agent):
        if spec.game != game:
            raise SpecError(f"{spec} was made for {spec.game.spec} and cannot play {game.spec}")
        return spec
    found, parameters = kind_and_parameters(spec_of(spec))
    return found.agent(game, parameters)


def canonical_spec(spec: str, game: Game) -> str:
    """The canonical spec of the agent that a spec names.  No agent is made: no table is opened, nothing is trained.

    Raises SpecError as `agent` does, as far as the spec and the kind of game tell.
    """
    found, parameters = kind_and_parameters(spec)
    return found.spec(found.options_for(game, parameters))
