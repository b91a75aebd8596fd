"""Matches and tournaments as texts, notebooks, pictures and data frames."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import ludometer as lm
from ludometer.arena.experiments.depth import Depth
from ludometer.arena.experiments.scale_climb import ScaleClimb
from ludometer.arena.experiments.scale_plan import ScalePlan
from ludometer.arena.statistics.match_statistics import elo_estimate, match_statistics
from ludometer.arena.statistics.pair_counts import Interval, PairCounts
from ludometer.arena.statistics.scale_results import ScaleResult
from ludometer.view.results import matches, report_pages, scales
from ludometer.view.results.estimates import digits_for, elo_texts, interval_text, p_value_text, percent_text, signed_text, time_text
from tests.arena.experiments.synthetic_players import budget_of, playing
from tests.view import handmade


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


def test_a_match_of_pairs_that_agree_has_the_p_value_of_its_interval() -> None:
    """Between players who split every pair but a few, games as if independent hide what pairs show."""
    counts = PairCounts.from_results([1, 1] * 400 + [-1, 1] * 22)  # 400 pairs split by who moved first; B wins both games of 22
    found = match_statistics(counts)
    assert found.p_value > 0.1 and found.pair_p_value < 1e-5 and found.score_interval.high < 0.5
    text = matches.match_text(handmade.match_result(statistics=found))
    assert f"p-value       {p_value_text(found.pair_p_value)}" in text and p_value_text(found.p_value) in text
    stopped = matches.match_text(handmade.match_result("decided", statistics=found))
    assert stopped.count("fixed beforehand") == 3, "score, Elo and p-value of a match that a rule ended"


def test_how_to_measure_a_depth_again() -> None:
    """The command has all that the numbers depend on, as a shell takes it."""

    def said(**changes: object) -> list[str]:
        found = handmade.scale()
        plan = replace(found.plan, **changes)
        return shlex.split(scales.command(replace(found, plan=plan, game=plan.game)))

    usual = ["ludometer", "depth", "quixo:3", "--precision", "0.5", "--rungs", "8"]
    assert said(seed=0) == usual and said() == [*usual, "--seed", "3"]
    odd = said(game="/my games/a.py", opening_plies=5, ply_limit=40, yardstick="mcts:c=1", perfect=())
    assert odd[2] == "/my games/a.py"
    assert odd[9:] == ["--opening-plies", "5", "--limit", "40", "--yardstick", "mcts:c=1", "--no-perfect"]


def test_a_page_warns_where_one_scale_does_not_fit_and_says_at_least() -> None:
    page = report_pages.report_page(handmade.report())
    assert "at least" in page and "open (the last planned rung was reached)" in page
    circle = handmade.scale("mnk:3,3,3", result=contradicting())
    text = scales.depth_text(Depth.of([circle]))
    assert "one scale does not fit all matches" in text and "a cycle: " in text


def contradicting() -> ScaleResult:
    """Each rung beats the one below it and loses to the one below that."""

    def score(a: str, b: str) -> float | None:
        return {2.0: 0.75, 4.0: 0.25}.get((budget_of(a) or 0.5) / (budget_of(b) or 0.5), 0.5)

    climb = ScaleClimb(ScalePlan("mnk:3,3,3", 7, 0.5), playing(lambda player: 0.0, score=score))
    while climb.advance():
        pass
    return climb.result()
