"""Analyses that run while a page follows them: values of moves, and reviews of whole games.

The key of a topic `analysis/KEY` has the position and the engine, so the address of a page is enough to share it; `review/ID` is about the
game with that id.  The work begins with the first page and ends soon after the last one has gone.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
import logging
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ludometer.agents import agent as find_agent
from ludometer.core.agent import Decision
from ludometer.core.errors import LudometerError
from ludometer.core.position import Position
from ludometer.core.random import stream
from ludometer.core.stopping import Stop, Stopped
from ludometer.view.boards.theme import diverging, ink_on
from ludometer.view.results.reviews import estimated_judgement, exact_review, final_height, principal_line
from ludometer.web.catalogue import in_thread
from ludometer.web.play.answers import MoveValue, estimated_value, exact_document
from ludometer.web.problems import Problem

if TYPE_CHECKING:
    from ludometer.web.lab import Lab

log = logging.getLogger("ludometer.web")

ENGINES = ("auto", "mcts", "search")
SECONDS = 30.0  # deadline of one analysis
MOST = 24  # analyses at once
_LINGER = 2.0  # seconds that one goes on after the last page has left, which may be reloading
_KEPT = 60  # analyses remembered
_PLAYOUTS = tuple(250 * 2**step for step in range(11))  # up to 256,000
_LINE = 8  # moves of a principal line that is an estimate; the later ones are searched for with an eighth of the playouts each
_DEPTHS = range(1, 9)
_REVIEW_AGENT = "mcts:2000"
_DECIDED = 9000.0  # larger scores of a search are won or lost games
_MOST_PLIES = 1000  # of a game that is reviewed

Publish = Callable[[dict[str, Any]], None]


class Analysis:
    """The work of one topic and what it has found so far."""

    def __init__(self, topic: str, position: Position, state: dict[str, Any], work: Callable[[Stop, Publish], None]) -> None:
        self.topic = topic
        self.position = position
        self.state = state
        self.work = work
        self.stop = Stop()
        self.task: asyncio.Task[None] | None = None


class Analyses:
    """All analyses of a lab."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self._known: OrderedDict[str, Analysis] = OrderedDict()
        lab.hub.provide("analysis", self._position_snapshot, self._left)
        lab.hub.provide("review", self._review_snapshot, self._left)

    async def _position_snapshot(self, key: str) -> dict[str, Any] | None:
        topic = f"analysis/{key}"
        if topic not in self._known:
            try:
                wanted = _decoded(key)
                position = await self.lab.catalogue.position(wanted["game"], wanted["position"])
            except LudometerError as error:
                return {"error": str(error), "done": True, "moves": []}
            engine = wanted["engine"]
            state = _new_state(position, engine)
            self._begin(Analysis(topic, position, state, lambda stop, publish: _analyse(self.lab, position, engine, stop, publish)))
        return self._known[topic].state

    async def _review_snapshot(self, name: str) -> dict[str, Any] | None:
        try:
            played = await self.lab.games.get(name)
        except Problem:
            return None
        if played.viewer is not None:
            return {"error": "the game goes on, and what the other has chosen is hidden", "done": True, "rows": []}
        topic = f"review/{name}"
        known = self._known.get(topic)
        if known is None or known.state["version"] != played.version:
            if known is not None:
                known.stop.ask()
            positions = played.session.positions[: _MOST_PLIES + 1]
            state = {
                "game": played.session.game.spec,
                "sides": list(played.session.game.kind.players),
                "players": list(played.players),
                "version": played.version,
                "moves": [turn.text for turn in played.session.turns[:_MOST_PLIES]],
                "start": str(played.session.start),
                "scored": played.session.game.kind.scored,
                "result": played.session.result,
                "rows": [],
                "final": final_height(positions[-1]),
                "kind": "",
                "done": False,
                "error": "",
            }
            self._begin(Analysis(topic, positions[0], state, lambda stop, publish: _review(self.lab, positions, stop, publish)))
        return self._known[topic].state

    def _begin(self, analysis: Analysis) -> None:
        running = [each for each in self._known.values() if each.task is not None and not each.task.done()]
        self._known[analysis.topic] = analysis
        self._known.move_to_end(analysis.topic)
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)[1].stop.ask()
        if len(running) >= MOST:
            analysis.state |= {"error": "too many analyses are running; close one of the pages and try again", "done": True}
            return
        analysis.task = asyncio.create_task(self._run(analysis))

    async def _run(self, analysis: Analysis) -> None:
        loop = asyncio.get_running_loop()

        def publish(change: dict[str, Any]) -> None:
            loop.call_soon_threadsafe(self._apply, analysis, change)

        try:
            await self._prepare(analysis)
            await self.lab.thinking.run(lambda stop: analysis.work(stop, publish), analysis.stop, SECONDS)
            self._apply(analysis, {"done": True})
        except Stopped:
            self._apply(analysis, {"done": True})
        except LudometerError as error:
            self._apply(analysis, {"done": True, "error": str(error)})
        except Exception as error:
            log.error("an analysis failed: %s", analysis.topic, exc_info=error)
            self._apply(analysis, {"done": True, "error": "the analysis failed; the messages on the terminal say more"})

    async def _prepare(self, analysis: Analysis) -> None:
        """Compile what the analysis needs, before its deadline is counted."""
        game, engine = analysis.position.game, analysis.state.get("engine", "auto")
        is_exact = engine == "auto" and await in_thread(self.lab.catalogue.is_solved, game)
        if not game.kind.simultaneous and not is_exact:
            await self.lab.thinking.agent("alphabeta:1" if engine == "search" else "mcts:1", analysis.position, trusted=True)

    def _apply(self, analysis: Analysis, change: dict[str, Any]) -> None:
        """Add what was found to the state, and publish it."""
        row = change.pop("row", None)
        analysis.state |= change
        if row is not None:
            analysis.state["rows"].append(row)
            change = {**change, "row": row}
        self.lab.hub.publish(analysis.topic, change, urgent=bool(change.get("done")))

    def _left(self, name: str, topic: str) -> None:
        """The last page that followed this topic has gone."""
        asyncio.get_running_loop().call_later(_LINGER, self._end_unless_followed, topic)

    def _end_unless_followed(self, topic: str) -> None:
        known = self._known.get(topic)
        if known is not None and not self.lab.hub.is_followed(topic):
            known.stop.ask()
            del self._known[topic]

    async def close(self) -> None:
        tasks = [each.task for each in self._known.values() if each.task is not None]
        for each in self._known.values():
            each.stop.ask()
        if tasks:
            await asyncio.wait(tasks, timeout=1)


def encoded(game: str, position: str, engine: str = "auto") -> str:
    """The key of an analysis."""
    return base64.urlsafe_b64encode(json.dumps([game, position, engine]).encode()).decode().rstrip("=")


def _decoded(key: str) -> dict[str, str]:
    try:
        parts = json.loads(base64.urlsafe_b64decode(key + "=" * (-len(key) % 4)))
        game, position, engine = parts
        if not all(isinstance(part, str) and len(part) <= 2000 for part in parts) or engine not in ENGINES:
            raise ValueError("other parts")
    except (ValueError, TypeError, binascii.Error, RecursionError) as error:
        raise LudometerError(f"this names no analysis; a key is [game, position, one of {', '.join(ENGINES)}] in base64") from error
    return {"game": game, "position": position, "engine": engine}


def _new_state(position: Position, engine: str) -> dict[str, Any]:
    return {
        "game": position.game.spec,
        "position": str(position),
        "turn": position.turn,
        "result": position.result,
        "engine": engine,
        "kind": "",  # exact, mcts or search
        "text": "",
        "work": "",
        "moves": [],
        "line": [],
        "done": False,
        "error": "",
    }


def _analyse(lab: Lab, position: Position, engine: str, stop: Stop, publish: Publish) -> None:
    if position.is_over:
        return
    if position.game.kind.simultaneous:
        raise LudometerError("moves are made at the same time here, so that no move has a value of its own; see the page Dynamics")
    if engine == "auto" and lab.catalogue.is_solved(position.game):
        try:
            _analyse_exactly(lab, position, stop, publish)
            return
        except Stopped:
            raise
        except LudometerError as error:
            publish({"error": f"{error}; here is an estimate"})
    if engine == "search":
        _analyse_by_search(position, stop, publish)
    else:
        _analyse_by_playouts(position, stop, publish)


def _analyse_exactly(lab: Lab, position: Position, stop: Stop, publish: Publish) -> None:
    solution = lab.catalogue.solution(position.game)
    found = exact_document(position, solution.probe(position, stop))
    publish({key: found[key] for key in ("kind", "text", "moves", "best")} | {"work": "perfect play, no estimate"})
    publish({"line": principal_line(solution, position, stop=stop)})


def _analyse_by_playouts(position: Position, stop: Stop, publish: Publish) -> None:
    for playouts in _PLAYOUTS:
        agent = find_agent(f"mcts:{playouts},proven", position.game)
        choice = agent.choose(position, stream(0, "analysis"), stop)
        if stop.asked:
            return
        assert isinstance(choice, Decision)
        values, visits, proven = choice.report["values"], choice.report["visits"], choice.report["proven"]
        rows = []
        for move in position.legal:
            row = estimated_value(position.move_text(move), values.get(move), visits.get(move, 0))
            if move in proven:
                row["label"], row["text"] = proven[move][:1].upper(), f"{proven[move]} (proven)"
            rows.append(row)
        best = position.move_text(choice.move)
        text = "" if choice.value is None else f"about {100 * choice.value:.0f} % of the points"
        publish({"kind": "mcts", "text": text, "moves": rows, "best": [best], "work": f"{playouts:,} playouts"})
        publish({"line": [best, *_replies(position.play(choice.move), playouts // _LINE, stop)]})


def _replies(position: Position, playouts: int, stop: Stop) -> list[str]:
    """The moves that searches of `playouts` playouts make from here on."""
    found: list[str] = []
    agent = find_agent(f"mcts:{playouts},proven", position.game)
    while len(found) < _LINE - 1 and not position.is_over and not stop.asked:
        choice = agent.choose(position, stream(0, "analysis"), stop)
        assert isinstance(choice, Decision)
        found.append(position.move_text(choice.move))
        position = position.play(choice.move)
    return found


def _analyse_by_search(position: Position, stop: Stop, publish: Publish) -> None:
    for depth in _DEPTHS:
        agent: Any = find_agent(f"alphabeta:{depth},memory=200000", position.game)
        scores: dict[int, float] = {}
        for move in position.legal:
            after = position.play(move)
            score = _score(agent, after, depth, stop)
            scores[move] = score if after.player == position.player else -score
            if stop.asked:
                return
        largest = max((abs(score) for score in scores.values() if abs(score) < _DECIDED), default=0.0) or 1.0
        rows = [_search_row(position.move_text(move), score, largest) for move, score in scores.items()]
        best = max(scores, key=lambda move: scores[move])
        text = f"{'won' if scores[best] > _DECIDED else 'lost' if scores[best] < -_DECIDED else f'{scores[best]:+.2f} by the evaluation'}"
        change = {
            "kind": "search",
            "text": text,
            "moves": rows,
            "best": [position.move_text(best)],
            "work": f"alpha-beta, {depth + 1} plies deep",
        }
        publish(change)
        line = agent.tree(position, stream(0, "analysis"), 200_000, stop).chosen_moves
        publish({"line": line or change["best"]})
        if all(abs(score) > _DECIDED for score in scores.values()):
            return


def _score(agent: Any, position: Position, depth: int, stop: Stop) -> float:
    """Score of a search for the player to move."""
    if position.is_over:
        return 10_000.0 * position.outcome if not position.game.kind.scored else float(position.margin)
    choice = agent.choose(position, stream(0, "analysis"), stop)
    return float(choice.report["score"] or 0.0)


def _search_row(move: str, score: float, largest: float) -> MoveValue:
    decided = "W" if score > _DECIDED else "L" if score < -_DECIDED else ""
    colour = diverging(1.0 if decided == "W" else -1.0 if decided == "L" else 0.8 * score / largest)
    label = decided or f"{score + 0.0:+.1f}".replace("-", "−")
    words = {"W": "win (seen by the search)", "L": "loss (seen by the search)", "": label}[decided]
    return {"move": move, "value": score, "label": label, "text": words, "colour": colour, "ink": ink_on(colour)}


def _review(lab: Lab, positions: list[Position], stop: Stop, publish: Publish) -> None:
    game = positions[0].game
    if game.kind.simultaneous:
        raise LudometerError("moves are made at the same time here, so that no move has a value of its own")
    done = 0
    if lab.catalogue.is_solved(game):
        try:
            publish({"kind": "exact"})
            for row in exact_review(positions, lab.catalogue.solution(game), stop):
                publish({"row": row})
                done += 1
            return
        except Stopped:
            raise
        except LudometerError as error:
            publish({"error": f"{error}; from here on these are estimates"})
    publish({"kind": "estimate"})
    agent = find_agent(_REVIEW_AGENT, game)
    for before, after in zip(positions[done:], positions[done + 1 :]):
        choice = agent.choose(before, stream(0, "review"), stop)
        stop.check("the review")
        assert isinstance(choice, Decision) and after.last is not None
        publish({"row": estimated_judgement(before, after.last, choice.report["values"])})
