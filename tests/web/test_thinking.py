"""Agents as the lab makes them."""

from __future__ import annotations

import asyncio
import time

import pytest

from ludometer.arena.play.session import Session
from ludometer.core.agent import Decision
from ludometer.core.errors import SpecError
from ludometer.core.stopping import Stop
from ludometer.games import game
from ludometer.solvers import solve
from ludometer.solvers.solution import Value
from ludometer.web.play import analysis
from ludometer.web.play.analysis import _search_row, encoded
from ludometer.web.play.answers import value_words
from ludometer.web.play.thinking import Thinking, Thought


def test_the_folder_of_tables_is_the_labs_own(tmp_path) -> None:
    solve("quixo:2", tables=tmp_path)
    own = Thinking(tmp_path)
    agent = asyncio.run(own.agent("optimal:steps", game("quixo:2").start()))
    assert str(tmp_path) in agent.spec
    with pytest.raises(SpecError, match="names a file"):
        asyncio.run(own.agent("optimal:tables=/etc", game("quixo:2").start()))
    with pytest.raises(SpecError, match="names a file"):
        asyncio.run(Thinking().agent("optimal:tables=/etc", game("quixo:2").start()))


def test_a_thought_ends_at_its_deadline() -> None:
    async def run() -> bool:
        def work(stop: Stop) -> bool:
            while not stop.asked:
                pass
            return True

        return await Thinking().run(work, seconds=0.05)

    assert asyncio.run(run())


def test_a_request_that_goes_away_asks_its_agent_to_stop() -> None:
    async def run() -> tuple[bool, bool]:
        stop, begun = Stop(), asyncio.Event()
        loop = asyncio.get_running_loop()

        def work(stop: Stop) -> None:
            loop.call_soon_threadsafe(begun.set)
            while not stop.asked:
                time.sleep(0.01)

        request = asyncio.create_task(Thinking().run(work, stop))
        await begun.wait()
        before = stop.asked
        request.cancel()
        with pytest.raises(asyncio.CancelledError):
            await request
        after = stop.asked
        stop.ask()  # the thread ends in any case
        return before, after

    assert asyncio.run(run()) == (False, True)


def test_a_thought_sees_the_game_as_it_was() -> None:
    session = Session("tictactoe")
    session.make("A1")
    session.make("B2")
    thought = Thought(session, 0, "random", None)
    session.take_back(0)
    asyncio.run(thought.sit_down(Thinking()))
    choice = thought.choose(Stop())
    assert isinstance(choice, Decision) and thought._session.moves == ["A1", "B2"]
    assert thought._session.position.move_text(choice.move) not in ("A1", "B2")
    thought._session.redo()
    assert session.moves == [] and session.redo() and session.moves == ["A1", "B2"], "neither changes the other"


def test_scores_of_a_search_are_shown_as_wins_only_where_they_are() -> None:
    assert [_search_row("A1", score, 5.0)["label"] for score in (9999.0, -9998.0, 1.25, -0.5)] == ["W", "L", "+1.2", "−0.5"]


def test_an_estimate_has_a_line_that_can_be_played(monkeypatch) -> None:
    monkeypatch.setattr(analysis, "_PLAYOUTS", (400, 800))
    found: list[dict] = []
    start = game("quixo:3").start()
    analysis._analyse_by_playouts(start, Stop(), found.append)
    assert [change["work"] for change in found if "work" in change] == ["400 playouts", "800 playouts"]
    lines = [change["line"] for change in found if "line" in change]
    assert len(lines) == 2
    for line, best in zip(lines, (change["best"] for change in found if "best" in change)):
        assert line[0] == best[0] and 2 <= len(line) <= 8
        position = start
        for move in line:
            position = position.play(move)  # raises for a move that is not allowed


def test_points_are_said_in_words() -> None:
    said = [value_words(Value(0, None, margin)) for margin in (3, 1, 0, -1, -3)]
    assert said == ["wins by 3 points", "wins by 1 point", "ends level", "loses by 1 point", "loses by 3 points"]
    assert value_words(Value(1, 5, None)) == "win in 5"


@pytest.mark.browser
def test_the_key_of_an_analysis_is_safe_in_an_address() -> None:
    assert set(encoded("quixo:4", "???>>>~~~ x")) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
