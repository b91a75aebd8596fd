"""Matches and tournaments as texts, notebooks, pictures and data frames."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import ludometer as lm
from ludometer.arena.pair_counts import Interval
from ludometer.arena.statistics import elo_estimate
from ludometer.view.estimates import digits_for, elo_texts, interval_text, p_value_text, percent_text, signed_text, time_text


def test_numbers_in_words() -> None:
    assert [percent_text(share) for share in (0, 0.5, 1, 0.0001, 0.9999, 0.12345)] == [
        "0.0 %",
        "50.0 %",
        "100.0 %",
        "< 0.1 %",
        "> 99.9 %",
        "12.3 %",
    ]
    assert [digits_for(Interval(0.5 - width, 0.5 + width)) for width in (0.2, 0.01, 0.001, 1e-9, 0)] == [1, 1, 2, 4, 1]
    assert interval_text(Interval(0.48112, 0.53)) == "48.1 to 53.0 %"
    assert [signed_text(elo) for elo in (0, 0.04, -3.21, 12.4, -812)] == ["0", "0", "−3.2", "+12", "−812"]
    assert elo_texts(elo_estimate((0, 0, 0, 0, 50)))[0] == "over +446" and elo_texts(elo_estimate((50, 0, 0, 0, 0)))[0] == "under −446"
    assert [p_value_text(p) for p in (1.0, 0.31, 1.6e-8, 0.0)] == ["1", "0.31", "1.6e-08", "< 1e-300"]
    assert [time_text(seconds) for seconds in (None, 2.3e-7, 4.1e-6, 0.012, 1.3)] == ["not timed", "230 ns", "4.1 µs", "12 ms", "1.3 s"]


def test_a_match_shows_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = lm.match("dots:1x1", "random", "random", games=40, sprt=(0, 5))
    text = str(result)
    assert "random (A) against random (B), 40 games" in text and "margin" in text and "SPRT" in text
    assert result._repr_html_().count("<tr>") >= 9 and "<script" not in result._repr_html_()
    figure = result.plot(str(tmp_path / "m.png"))
    assert (tmp_path / "m.png").stat().st_size > 5000 and len(figure.axes[0].collections) == 2
    frame = result.to_frame()
    assert list(frame.columns[:2]) == ["games", "wins"] and frame["games"].iloc[-1] == 40
    assert frame["score"].iloc[-1] == result.score and len(frame) == len(result.history)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(lm.LudometerError, match="needs the package pandas"):
        result.to_frame()


def test_a_tournament_shows_itself(tmp_path: Path) -> None:
    result = lm.tournament("tictactoe", ["random", "mcts:3", "mcts:9"], games=20)
    assert "is 0 by definition" in str(result) and "<table>" in result._repr_html_()
    assert len(result.plot(str(tmp_path / "t.svg")).axes) == 2 and (tmp_path / "t.svg").is_file()
    assert list(result.to_frame()["agent"]) == [player.agent for player in result.players]
