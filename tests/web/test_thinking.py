"""Agents as the lab makes them."""

from __future__ import annotations

import asyncio

import pytest

from ludometer.core.errors import SpecError
from ludometer.core.stopping import Stop
from ludometer.games import game
from ludometer.solve import solve
from ludometer.web.analysis import _search_row, encoded
from ludometer.web.thinking import Thinking


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


def test_scores_of_a_search_are_shown_as_wins_only_where_they_are() -> None:
    assert [_search_row("A1", score, 5.0)["label"] for score in (9999.0, -9998.0, 1.25, -0.5)] == ["W", "L", "+1.2", "−0.5"]


def test_the_key_of_an_analysis_is_safe_in_an_address() -> None:
    assert set(encoded("quixo:4", "???>>>~~~ x")) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
