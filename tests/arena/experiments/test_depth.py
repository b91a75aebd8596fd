"""Depth and levels of real games: plans, resuming, known orders, documents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ludometer as lm
from ludometer.arena.experiments import reference_scales
from ludometer.arena.experiments.depth import Depth, depth, plan_depth
from ludometer.arena.experiments.rating import equivalent_budget, rate
from ludometer.arena.experiments.scale_climb import ScaleClimb
from ludometer.arena.experiments.scale_documents import GameScale
from ludometer.arena.experiments.scale_plan import (
    LEAST_RUNGS,
    ScalePlan,
    Speed,
    expected_error,
    plan_within,
    planned_games,
    planned_pairs,
)
from ludometer.arena.work.execution import Execution
from ludometer.arena.work.store import Store
from ludometer.core.errors import LudometerError
from ludometer.core.stopping import Stop
from ludometer.games import game
from tests.arena.experiments.synthetic_players import budget_of, playing

QUICK = {"precision": 1.0, "rungs": 6}


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Depth:
    store = tmp_path_factory.mktemp("depth") / "store"
    return depth("tictactoe", "quixo:3", **QUICK, seed=1, execution=Execution(store))


# ---- plans ----


@pytest.mark.parametrize(("rungs", "precision"), [(6, 1.0), (10, 0.4), (13, 0.3), (16, 0.6)])
def test_plans_reach_their_precision_and_no_more(rungs: int, precision: float) -> None:
    pairs = planned_pairs(rungs, precision)
    assert len(pairs) == rungs and list(pairs) == sorted(pairs, reverse=True)
    assert 1.96 * expected_error(pairs) <= precision
    assert 1.96 * expected_error([pair * 0.97 for pair in pairs]) > precision or min(pairs) == 16


def test_a_budget_chooses_the_rungs_and_is_kept() -> None:
    template, speed = ScalePlan("quixo:3", 20, 0.4), Speed(1e-4, 1e-6, 2)
    plans = [plan_within(template, speed, budget) for budget in (5.0, 50.0, 500.0)]
    assert [plan.rungs for plan in plans] == sorted({plan.rungs for plan in plans})
    for plan, budget in zip(plans, (5.0, 50.0, 500.0)):
        assert speed.seconds(plan) <= budget
        assert plan.rungs == 20 or speed.seconds(ScalePlan("quixo:3", plan.rungs + 1, 0.4)) > budget


def test_a_budget_that_cannot_reach_the_precision_is_refused_with_one_that_can() -> None:
    speed = Speed(1e-3, 1e-4, 1)
    with pytest.raises(LudometerError, match=r"±0.1 levels cannot be reached in 10 s: 6 rungs, the least, take (\d+) s") as refused:
        plan_within(ScalePlan("quixo:3", 20, 0.1), speed, 10.0)
    needed = float(str(refused.value).split("give ")[1].split(" s")[0])
    assert plan_within(ScalePlan("quixo:3", 20, 0.1), speed, needed).rungs >= LEAST_RUNGS
    coarser = float(str(refused.value).split("or ±")[1].split(" levels")[0])
    assert plan_within(ScalePlan("quixo:3", 20, coarser), speed, 10.0).rungs >= LEAST_RUNGS


def test_a_plan_says_what_will_be_played() -> None:
    found = plan_depth("tictactoe", **QUICK)
    (one,) = found.scales
    document = found.document()["plans"][0]
    assert one.plan.rungs == 6 and one.seconds is not None and one.seconds > 0
    assert document["games"] == planned_games(one.plan) and document["digest"] == one.plan.digest
    assert "uct:32" in str(found)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rungs": 3}, "from 6 to 24 rungs, not 3"),
        ({"precision": 0.001}, "from 0.05 to 2, not 0.001"),
        ({"budget": "soon"}, "a time is written as 60s"),
        ({"budget": -1.0}, "a time above 0"),
        ({"yardstick": "nobody"}, "no agent is called"),
        ({"yardstick": "random"}, "no budget"),
        ({"opening_plies": -1}, "0 or more plies"),
    ],
)
def test_what_cannot_be_measured_is_refused(changes: dict[str, object], words: str) -> None:
    with pytest.raises(LudometerError, match=words):
        depth("tictactoe", **{"precision": 1.0, **changes})
    with pytest.raises(LudometerError, match="named twice"):
        depth("tictactoe", "mnk:3,3,3")
    with pytest.raises(LudometerError, match="needs a game"):
        depth()
    with pytest.raises(LudometerError, match="same time"):
        depth("matrix:prisoners")


# ---- measuring ----


def test_scales_rise_and_have_all_that_the_contract_names(measured: Depth) -> None:
    document = json.loads(json.dumps(measured.document()))
    for one in document["games"]:
        assert {"game", "depth", "interval", "open", "growth", "rungs", "within", "mastery", "perfect", "fit"} <= set(one)
        levels = [rung["level"] for rung in one["rungs"]]
        assert [rung["budget"] for rung in one["rungs"]] == [1 << k for k in range(len(levels))]
        assert levels[-1] > levels[2] > 0.3 and abs(levels[0]) < 0.6, "one playout is random play"
        assert [rung["positions"] for rung in one["rungs"]] == sorted(rung["positions"] for rung in one["rungs"])
        assert one["interval"][0] < one["depth"] < one["interval"][1]
        assert set(one["mastery"]) == {"50", "90"} and set(one["within"]) == {"100", "1000", "10000", "100000"}
        assert sum(2 * sum(contest["pairs"]) for contest in one["contests"]) == one["games"]
    (comparison,) = document["comparisons"]
    assert {"a", "b", "difference", "interval", "decided"} <= set(comparison)


def test_positions_are_those_of_the_games() -> None:
    """One iteration from a position with n empty cells plays at most n moves, so tic-tac-toe's first rung visits fewer than 9."""
    found = depth("tictactoe", **QUICK, perfect=False).games[0].result
    assert 1 <= found.positions[0] < 9
    assert all(1.3 < high / low < 2.5 for low, high in zip(found.positions, found.positions[1:]))


def test_a_document_gives_the_same_scale_again(measured: Depth) -> None:
    for game_scale in measured.games:
        again = GameScale.from_document(json.loads(json.dumps(game_scale.document())))
        assert again.document() == game_scale.document()
    with pytest.raises(LudometerError, match="not the document of a scale"):
        GameScale.from_document({"format": 1})
    with pytest.raises(LudometerError, match="format 1 here, not 9"):
        GameScale.from_document({"format": 9})


def test_results_show_themselves(measured: Depth, tmp_path: Path) -> None:
    assert "quixo:3" in str(measured) and "<table>" in measured._repr_html_() and r"\begin{tabular}" in measured.to_latex()
    measured.plot(str(tmp_path / "depth.svg"))
    assert (tmp_path / "depth.svg").read_text().startswith("<?xml")
    pytest.importorskip("pandas")
    frame = measured.to_frame()
    assert len(frame) == sum(len(one.result.rungs) for one in measured.games) and {"low", "high"} <= set(frame)


def test_a_stopped_measurement_goes_on_with_the_stored_plan(tmp_path: Path) -> None:
    whole = depth("tictactoe", **QUICK, seed=2)
    stop, calls = Stop(), []

    def progress(done: int, total: int, text: str) -> None:
        calls.append(text)
        if "rung 4" in text:
            stop.ask()

    with Store(tmp_path / "store") as store:
        partly = depth("tictactoe", **QUICK, seed=2, execution=Execution(store, progress=progress, stop=stop))
        assert len(partly.games[0].result.rungs) < 6 and partly.games[0].ended == "stopped" and partly.games[0].is_open
        again = depth("tictactoe", **QUICK, seed=2, execution=Execution(store, workers=1))
    assert again.games[0].result == whole.games[0].result
    assert again.run == partly.run == 1


# ---- placing players ----


def test_ratings_of_other_seeds_are_other_runs() -> None:
    """On a scale of synthetic players, which takes no games."""
    climb = ScaleClimb(ScalePlan("mnk:3,3,3", 6, 1.0), playing(lambda player: float(budget_of(player).bit_length())))
    while climb.advance():
        pass
    scale = GameScale("mnk:3,3,3", climb.plan, climb.result(), climb.ended, (1e-5,) * climb.rungs, (), {"version": "0.0", "rules": "0"})
    with Store.in_memory() as store:
        one, other, again = (
            rate("tictactoe", "random", precision=2, scale=scale, seed=seed, execution=Execution(store, workers=1)) for seed in (1, 2, 1)
        )
        assert one.run == again.run != other.run and len(store.runs()) == 2
        assert one.document() == again.document()


def test_players_are_placed_where_they_stand(measured: Depth) -> None:
    scale = measured.games[1]
    found = rate("quixo:3", "random", "uct:4", "alphabeta:3", scale=scale, seed=5)
    by_agent = {one.agent: one for one in found.agents}
    rung = scale.result.level("uct:4")
    assert by_agent["random"].level.low < 0.1 and by_agent["random"].level.high > -0.1
    assert by_agent["uct:4"].level.low - 0.1 < rung.level < by_agent["uct:4"].level.high + 0.1
    assert by_agent["alphabeta:3"].level.low > by_agent["uct:4"].level.high
    assert {"agent", "level", "interval", "equivalent", "games"} <= set(found.document()[0])
    assert "uct:4" in str(found) and "<table>" in found._repr_html_()


def test_equivalent_budgets_are_those_of_the_rungs(measured: Depth) -> None:
    scale = measured.games[1]
    for rung in (2, 3, 4, 5):
        level = scale.result.fit.levels[rung + 1]
        assert equivalent_budget(scale, level) == pytest.approx(1 << rung, rel=1e-6)
    assert equivalent_budget(scale, 30.0) is None


def test_reference_scales_are_used_while_the_rules_are_the_same(measured: Depth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference_scales, "FOLDER", tmp_path)
    reference_scales._read.cache_clear()
    chosen = game("quixo:3")
    assert reference_scales.reference_scale(chosen) is None
    reference_scales.write_reference(measured.games[1], tmp_path)
    found = reference_scales.reference_scale(chosen)
    assert found is not None and found.document() == measured.games[1].document()
    assert rate("quixo:3", "uct:8", precision=1.0).source == "reference"
    last = found.result.fit.levels[len(found.result.rungs)]
    assert lm.agent("level:0", "quixo:3").spec == "random"
    assert lm.agent(f"level:{last - 0.01}", "quixo:3").spec.startswith("uct:3")
    with pytest.raises(LudometerError, match="reaches level"):
        lm.agent("level:30", "quixo:3")
    reference_scales._read.cache_clear()
    monkeypatch.setattr(reference_scales, "rules_stamp", lambda game: "other rules")
    assert reference_scales.reference_scale(chosen) is None
    reference_scales._read.cache_clear()
    with pytest.raises(LudometerError, match="has no reference scale"):
        lm.agent("level:1", "quixo:3")
