"""Accuracy and self-play as text, HTML tables, JSON and data frames."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import numpy as np
import pytest

from ludometer.arena.measurements.accuracy import Accuracy, accuracy
from ludometer.arena.statistics.pair_counts import PairCounts
from ludometer.view.results.scales import endings
from tests.view.handmade import facts, scale


def judged(scored: bool = False, has_distances: bool = True, visits: float = 20.0) -> Accuracy:
    """Four moves: three keep the value, two are fastest, one loses half a point."""
    units = {
        "keeps": np.array([1, 1, 1, 0]),
        "best": np.array([1, 1, 0, 0]),
        "lost": np.array([0, 0, 0, 0.5]),
        "margin": np.array([0, 0, 0, 2.0]),
        "seconds": np.full(4, 0.002),
        "positions": np.full(4, visits),
    }
    return accuracy(units, scored, has_distances)


def test_accuracy_as_text() -> None:
    lines = str(judged()).splitlines()
    assert lines[0] == "moves judged at 4 positions" and lines[1].split() == ["value", "95", "%", "interval"]
    assert [line.split("  ")[0] for line in lines[2:]] == [
        "moves that keep the value",
        "moves that are also fastest",
        "points lost per move",
        "time per move",
        "positions per move",
    ]
    assert "75.0 %" in lines[2] and "50.0 %" in lines[3] and "0.1250" in lines[4] and "2 ms" in lines[5] and lines[6].endswith("20")
    text = str(judged(scored=True, has_distances=False, visits=np.nan))
    assert "margin lost per move" in text and "0.500" in text and "fastest" not in text and "positions per move" not in text


def test_accuracy_as_json_html_and_frame() -> None:
    pytest.importorskip("pandas")
    found = judged()
    document = json.loads(json.dumps(found.document()))
    assert list(document) == [field.name for field in fields(Accuracy)]
    assert document["lenient"] == 0.75 and document["lenient_interval"] == [found.lenient_interval.low, found.lenient_interval.high]
    assert document["margin_lost"] is None and document["margin_lost_interval"] is None
    html = found._repr_html_()
    assert html.count("<tr>") == 6 and "75.0 %" in html
    frame = found.to_frame().set_index("measure")
    assert list(frame.index) == ["lenient", "strict", "lost", "seconds_per_move", "positions_per_move"]
    assert frame.loc["strict", "value"] == 0.5 and frame.loc["lenient", "low"] == found.lenient_interval.low


def test_self_play_as_text_html_and_frame() -> None:
    pytest.importorskip("pandas")
    found = facts("mcts:16", 0.125)
    lines = str(found).splitlines()
    assert lines[0] == "mcts:16 against itself, 1,200 games of at most 17 moves"
    assert "5.25" in lines[2] and "4.75 to 5.75" in lines[2] and "12.5 %" in lines[3] and "+12.5 %" in lines[5] and "1.0 %" in lines[7]
    assert "&lt;b&gt;" in replace(found, agent="<b>")._repr_html_() and found._repr_html_().count("<tr>") == 8
    frame = found.to_frame().set_index("measure")
    assert list(frame.index) == ["branching", "single", "length", "first_player", "draws", "tree"]
    assert frame.loc["length", "low"] == found.length.interval.low and frame.loc["tree", "value"] == 7.5


@pytest.mark.parametrize(("counts", "said"), [((0, 0, 40, 0, 0, 0, 0, 0, 0), "0%"), ((0, 0, 0, 0, 0, 0, 40, 0, 0), "100%"), (None, None)])
def test_a_scale_warns_of_games_decided_by_who_moves_first(counts: tuple[int, ...] | None, said: str | None) -> None:
    """Pairs in which both games went to the second player, or both to the first; synthetic players move first with no advantage."""
    found = scale("mnk:3,3,3")
    last = found.result.rungs[-1]
    if counts is not None:
        contests = tuple(replace(one, counts=PairCounts(counts)) if one.a == last else one for one in found.result.contests)
        found = replace(found, result=replace(found.result, contests=contests))
    warnings = [line for line in endings([found]) if "the first player scores" in line]
    assert [f"scores {said} at the top" in line for line in warnings] == ([] if said is None else [True])
