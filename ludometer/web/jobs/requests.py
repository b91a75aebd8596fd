"""What can be started from a page: the requests, what they may contain, and how each is worked off.

A request is a plain dictionary with `kind`; `checked` makes sure that it names no file, that its agents are within what input from outside
may ask for, and that its size is bounded.  `carry_out` does the work, in a process of its own (see `worker`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludometer.core.errors import LudometerError, shorten
from ludometer.core.progress import OnProgress
from ludometer.core.stopping import Stop
from ludometer.web import untrusted

if TYPE_CHECKING:
    from ludometer.arena.work.execution import Execution

MOST_GAMES = 100_000  # of a pairing, or positions of a rung
MOST_AGENTS = 12
MOST_RUNGS = 16
MOST_GAMES_AT_ONCE = 4  # games (rules) of one ladder, depth or report
MOST_SECONDS = 3600.0  # of a depth or report
MOST_SOLVING = 1800.0  # seconds that a solver may be expected to take
MOST_ENTRIES = 200_000_000  # of a table that is solved from here
MOST_DISK = 2 * 10**9
LARGEST_SEED = 2**53 - 1

KINDS = ("match", "tournament", "ladder", "depth", "report", "solve")


def checked(request: dict[str, Any]) -> dict[str, Any]:
    """The request with games and agents in canonical spelling; raises LudometerError that says what is wrong."""
    check = {"match": _match, "tournament": _tournament, "ladder": _ladder, "depth": _depth, "report": _depth, "solve": _solve}
    kind = request.get("kind")
    if kind not in check:
        raise LudometerError(f"an experiment is one of {', '.join(KINDS)}, not {shorten(str(kind))}")
    return {**request, **check[kind](request)}


def title(request: dict[str, Any]) -> str:
    """What was asked for, in a few words."""
    kind = request["kind"]
    if kind == "match":
        return f"{request['a']} against {request['b']}"
    if kind == "tournament":
        return ", ".join(request["agents"])
    if kind == "ladder":
        opponent = "" if request["measure"] == "accuracy" else f" against {request['versus']}"
        return f"{', '.join(request['agents'])} at {', '.join(request['rungs'])}{opponent}"
    return {"depth": "how deep is it?", "report": "report card", "solve": "every position, exactly"}[kind]


def games_of(request: dict[str, Any]) -> list[str]:
    """The specs of its games."""
    return list(request["games"]) if "games" in request and isinstance(request["games"], list) else [request["game"]]


# ---- what is allowed ----


def _check_rung(family: str, rung: str, game: Any) -> None:
    from ludometer.arena.experiments.families import Family

    untrusted.agent_spec(Family.of(family).rung(rung), game)


def _match(request: dict[str, Any]) -> dict[str, Any]:
    game = untrusted.game(request["game"])
    return {"game": game.spec, "a": untrusted.agent_spec(request["a"], game), "b": untrusted.agent_spec(request["b"], game)}


def _tournament(request: dict[str, Any]) -> dict[str, Any]:
    game = untrusted.game(request["game"])
    named = [untrusted.agent_spec(agent, game) for agent in request["agents"]]
    if len(set(named)) < len(named):
        raise LudometerError("an agent is named twice; a tournament takes each agent once")
    return {"game": game.spec, "agents": named}


def _ladder(request: dict[str, Any]) -> dict[str, Any]:
    from ludometer.arena.experiments.families import Family

    games = [untrusted.game(game) for game in request["games"]]
    for agent in request["agents"]:
        untrusted.check_family(agent)
    families = [Family.of(agent).spec for agent in request["agents"]]
    for game in games:
        for family in families:
            for rung in request["rungs"]:
                _check_rung(family, rung, game)
        if request["measure"] != "accuracy" and request["versus"] != "rungs":
            untrusted.agent_spec(request["versus"], game)
    if request["versus"] == "rungs" and (request["measure"] != "outcome" or len(request["rungs"]) < 2):
        raise LudometerError("rungs against each other need two rungs or more, and the measure is the outcome")
    if len(set(request["rungs"])) < len(request["rungs"]):
        raise LudometerError("a budget is named twice among the rungs")
    return {"games": _distinct(games), "agents": families}


def _depth(request: dict[str, Any]) -> dict[str, Any]:
    games = [untrusted.game(game) for game in request["games"]]
    for game in games:
        if game.kind.simultaneous:
            raise LudometerError(f"{game.spec}: moves are made at the same time; the page Dynamics is for such games")
    return {"games": _distinct(games)}


def _distinct(games: Sequence[Any]) -> list[str]:
    specs = [game.spec for game in games]
    if len(set(specs)) < len(specs):
        raise LudometerError("a game is named twice")
    return specs


def _solve(request: dict[str, Any]) -> dict[str, Any]:
    from ludometer.solvers import check_room, forecast
    from ludometer.solvers.solvable import tables_root

    game = untrusted.game(request["game"])
    expected = forecast(game, tables=tables_root())
    if (expected.seconds or 0) > MOST_SOLVING or (expected.entries or 0) > MOST_ENTRIES or expected.disk > MOST_DISK:
        raise LudometerError(f"{game.spec} is too large to solve from a page; run `ludometer solve {game.spec}` on a terminal")
    check_room(game, expected, tables_root())
    return {"game": game.spec}


# ---- the work ----


def carry_out(
    request: dict[str, Any],
    store_file: Path | None,
    tables: Path | None,
    workers: int,
    progress: OnProgress,
    began: Callable[[int], None],
    stop: Stop,
) -> str:
    """Do what a checked request asks for; returns why it ended: `done` or `stopped`.  `began` is told the number of the run."""
    if request["kind"] == "solve":
        return _carry_out_solving(request, tables, progress, stop)
    from ludometer.arena.work.execution import Execution
    from ludometer.arena.work.store import Store

    class TellingStore(Store):
        """Tells the number of the first run that is begun: what was asked for, not what that needs."""

        told = False

        def begin_run(self, *given: Any, **named: Any) -> int:
            run = super().begin_run(*given, **named)
            if not self.told:
                self.told = True
                began(run)
            return run

    with TellingStore(store_file) as store:
        execution = Execution(store, workers, progress=progress, stop=stop)
        return _MEASURING[request["kind"]](request, execution, str(tables or ""))


def _play_match(request: dict[str, Any], execution: Execution, tables: str) -> str:
    from ludometer.arena.experiments.match import match

    result = match(
        request["game"],
        request["a"],
        request["b"],
        request["number"],
        seed=request["seed"],
        opening_plies=request["opening_plies"],
        until_decided=request["until"] == "decided",
        execution=execution,
    )
    return "stopped" if result.ended == "stopped" else "done"


def _play_tournament(request: dict[str, Any], execution: Execution, tables: str) -> str:
    from ludometer.arena.experiments.tournament import tournament

    result = tournament(
        request["game"],
        request["agents"],
        request["number"],
        seed=request["seed"],
        opening_plies=request["opening_plies"],
        execution=execution,
    )
    return "stopped" if result.ended == "stopped" else "done"


def _climb_ladder(request: dict[str, Any], execution: Execution, tables: str) -> str:
    from ludometer.arena.experiments.ladder import ladder

    is_judged = request["measure"] == "accuracy"
    result = ladder(
        *request["games"],
        agent=request["agents"],
        rungs=request["rungs"],
        versus=request["versus"],
        blunder=request["blunder"],
        measure=request["measure"],
        games=None if is_judged else request["number"],
        positions=request["number"] if is_judged else None,
        seed=request["seed"],
        tables=tables,
        execution=execution,
    )
    return "stopped" if result.ended == "stopped" else "done"


def _measure_depth(request: dict[str, Any], execution: Execution, tables: str) -> str:
    from ludometer.arena.experiments.depth import depth

    depth(
        *request["games"],
        precision=request["precision"],
        budget=request["seconds"],
        seed=request["seed"],
        tables=tables,
        execution=execution,
    )
    return "stopped" if execution.is_stopped else "done"


def _make_report(request: dict[str, Any], execution: Execution, tables: str) -> str:
    from ludometer.arena.experiments.report import DEPTH_SECONDS, report

    report(
        *request["games"],
        games=request["number"],
        positions=request["positions"],
        budget=DEPTH_SECONDS if request["seconds"] is None else request["seconds"],
        seed=request["seed"],
        tables=tables,
        execution=execution,
    )
    return "done"


_MEASURING: dict[str, Callable[[dict[str, Any], Execution, str], str]] = {
    "match": _play_match,
    "tournament": _play_tournament,
    "ladder": _climb_ladder,
    "depth": _measure_depth,
    "report": _make_report,
}


def _carry_out_solving(request: dict[str, Any], tables: Path | None, progress: OnProgress, stop: Stop) -> str:
    from ludometer.solvers import solving
    from ludometer.solvers.solvable import tables_root

    solving.solve(request["game"], tables=tables or tables_root(), progress=progress, stop=stop)
    return "done"
