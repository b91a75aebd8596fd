"""Runs as others see them while they grow: from the store alone, at any moment, and at the end exactly what was measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ludometer.arena.experiments.depth import depth
from ludometer.arena.experiments.ladder import ladder
from ludometer.arena.experiments.match import match
from ludometer.arena.experiments.runs import games_from, stored_games, stored_result
from ludometer.arena.experiments.tournament import tournament
from ludometer.arena.measurements import pairings
from ludometer.arena.work.execution import Execution
from ludometer.arena.work.store import Store
from ludometer.core.stopping import Stop
from ludometer.view.results.growing_runs import GrowingRun
from ludometer.web.jobs.requests import checked
from ludometer.web.jobs.stored_requests import request_of

GAME = "mnk:3,3,3"


@pytest.mark.parametrize(
    "options",
    [
        {"versus": "random", "games": 40},
        {"versus": "random", "games": 40, "measure": "length"},
        {"versus": "rungs", "games": 40},
        {"versus": "optimal", "blunder": (0.0, 0.3), "games": 20},
        {"measure": "accuracy", "positions": 30},
    ],
)
def test_a_ladder_in_the_store_is_the_one_that_was_measured(tmp_path: Path, options: dict[str, Any]) -> None:
    with Store(tmp_path / "store") as store:
        known = ladder(GAME, rungs=(1, 20), seed=2, execution=Execution(store), **options)
        assert stored_result(store, known.run or 0) == known
    with GrowingRun(1, tmp_path / "store") as growing:
        document = growing.document()
    curves = len(known.curves())
    assert len(document["tables"]) == curves and len(document["charts"][0]["series"]) == curves
    assert document["charts"][0]["series"][0]["points"][0][1] == known.points[0].value
    assert document["text"] == str(known)


def test_a_match_grows_before_the_eyes_of_another_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairings, "_SECONDS_BETWEEN_REPORTS", 0.0)  # a report after every chunk, however fast the games are
    file = tmp_path / "store"
    with Store(file) as store:
        stop = Stop()

        def half(done: int, total: int, text: str) -> None:
            if done >= 10:
                stop.ask()

        first = match(GAME, "mcts:30", "random", 4000, execution=Execution(store, workers=1, progress=half, stop=stop))
        assert first.ended == "stopped"
        with GrowingRun(1, file) as growing:
            stamp, seen = growing.stamp(), growing.document()
            assert 0 < seen["done"] < 4000 and f"{first.games:,} games" in seen["headline"]
            whole = match(GAME, "mcts:30", "random", 4000, execution=Execution(store))
            assert growing.stamp() != stamp
            later = growing.document()
            result = growing.result()
        assert later["done"] == 4000 and result is not None and result.document() == whole.document()
        assert [line.strip() for line in later["text"].splitlines()] == [line.strip() for line in str(whole).splitlines()]
        points = later["charts"][0]["series"][0]["points"]
        assert points[-1][:2] == [4000, whole.score] and len(points) <= 200


def test_a_tournament_in_the_store_and_its_pictures(tmp_path: Path) -> None:
    file = tmp_path / "store"
    with Store(file) as store:
        known = tournament(GAME, ["random", "mcts:5", "mcts:40"], 20, execution=Execution(store))
    with GrowingRun(1, file) as growing:
        document = growing.document()
        assert [row["name"] for row in document["charts"][0]["rows"]] == [player.agent for player in known.players]
        assert growing.figure("svg").startswith(b"<?xml") and growing.figure("png").startswith(b"\x89PNG")


def test_games_from_a_number_on_are_those_of_the_whole_list(tmp_path: Path) -> None:
    with Store(tmp_path / "store") as store:
        tournament(GAME, ["random", "mcts:5", "mcts:9"], 10, execution=Execution(store))
        everything = list(stored_games(store, 1))
        for first in (0, 7, 10, 29, 30, 99):
            assert list(games_from(store, 1, first)) == everything[first:]


def test_depth_is_kept_stage_by_stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[dict[str, Any]] = []
    with Store(tmp_path / "store") as store:
        keep = store.note

        def note(run: int, seconds: float, result: Any = None) -> None:
            noted.extend([] if result is None else [dict(result)])
            keep(run, seconds, result)

        monkeypatch.setattr(store, "note", note)
        known = depth(GAME, rungs=6, precision=2.0, perfect=False, execution=Execution(store))
    assert [len(game["rungs"]) for one in noted for game in one["games"]][:3] == [1, 2, 3]
    assert noted[0]["games"] == [] and noted[0]["planned"][0]["rungs"] == 6, "the plan is kept before the first game"
    assert noted[-1]["games"] == known.document()["games"]
    with GrowingRun(1, tmp_path / "store") as growing:
        document = growing.document()
        assert document["charts"][0]["series"][0]["points"] and document["tables"][0]["rows"][0][0] == GAME
        assert growing.figure("svg").startswith(b"<?xml")


def test_runs_of_the_command_line_can_go_on_from_a_page(tmp_path: Path) -> None:
    with Store(tmp_path / "store") as store:
        match(GAME, "mcts:5", "random", 20, seed=4, execution=Execution(store))
        tournament(GAME, ["random", "mcts:5", "mcts:9"], 10, seed=6, execution=Execution(store))
        ladder(GAME, "mnk:3,3,2", rungs=(1, 5), versus="optimal", blunder=(0.1, 0.2), games=12, seed=8, execution=Execution(store))
        ladder(GAME, rungs=(1, 5), measure="accuracy", positions=16, seed=8, execution=Execution(store))
        before = [(run.kind, run.wanted, run.done) for run in store.runs()]
        for number, carry_on in ((1, match), (2, tournament), (3, ladder), (4, ladder)):
            asked = checked(request_of(store, store.run(number)))
            asked.pop("kind")
            if carry_on is match:
                asked.pop("until")
                match(asked.pop("game"), asked.pop("a"), asked.pop("b"), asked.pop("number"), execution=Execution(store), **asked)
            elif carry_on is tournament:
                tournament(asked.pop("game"), asked.pop("agents"), asked.pop("number"), execution=Execution(store), **asked)
            else:
                rules, count = asked.pop("games"), asked.pop("number")
                asked["positions" if asked["measure"] == "accuracy" else "games"] = count
                ladder(*rules, agent=asked.pop("agents"), execution=Execution(store), **asked)
        assert [(run.kind, run.wanted, run.done) for run in store.runs()] == before  # the same runs, and nothing was played again
