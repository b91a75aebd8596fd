"""Games in progress: what actions do to them, what may be seen, and what is on disk."""

from __future__ import annotations

import errno
import json
import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import pytest

from ludometer.core.record import parse_record
from ludometer.web.play import lab_games
from tests.web.conftest import PATIENCE, Api, LabInProcess, lab_in_process

PACE = 10  # seconds a move: slower than a test, so the agents make none


def state_when(api: Api, name: str, condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The state of a game, once the condition holds."""
    end = time.monotonic() + PATIENCE
    while not condition(found := api.get(f"/api/sessions/{name}")):
        assert time.monotonic() < end, found
        time.sleep(0.02)
    return dict(found)


def game_between_agents(api: Api) -> dict[str, Any]:
    """A game with two moves made, in which an agent thinks."""
    begun = api.post("/api/sessions", game="tictactoe", first="random", second="random", seed=1, paused=True)
    path = f"/api/sessions/{begun['id']}"
    for count in (1, 2):
        api.post(f"{path}/actions", action="step")
        state_when(api, begun["id"], lambda state, count=count: len(state["moves"]) == count and state["thinking"] is None)
    api.post(f"{path}/pace", seconds=PACE)
    return dict(api.post(f"{path}/actions", action="resume"))


def test_undo_between_two_agents_leaves_the_game_paused(api: LabInProcess) -> None:
    going_on = game_between_agents(api)
    assert not going_on["paused"] and going_on["thinking"] is not None
    undone = api.post(f"/api/sessions/{going_on['id']}/actions", action="undo")
    assert undone["paused"] and undone["thinking"] is None, "or the agent would make its move again"
    assert undone["moves"] == going_on["moves"][:1]


def test_undo_against_a_person_goes_on(api: LabInProcess) -> None:
    begun = api.post("/api/sessions", game="tictactoe", first="human", second="human")
    path = f"/api/sessions/{begun['id']}"
    api.post(f"{path}/moves", move="A1", version=begun["version"])
    assert not api.post(f"{path}/actions", action="undo")["paused"]


def test_the_record_names_the_exchanged_players(api: LabInProcess) -> None:
    begun = api.post("/api/sessions", game="tictactoe", first="human", second="mcts:20", pace=PACE)
    path = f"/api/sessions/{begun['id']}"
    swapped = api.post(f"{path}/actions", action="swap")
    assert swapped["players"] == ["mcts:20", "human"]
    record = parse_record(api.client.get(f"{path}/record").text)
    assert (record.first, record.second) == ("mcts:20", "human")


def test_a_game_set_up_from_a_position_restarts_there(api: LabInProcess) -> None:
    start = "XO./.../... x"
    begun = api.post("/api/sessions", game="tictactoe", start=start)
    path = f"/api/sessions/{begun['id']}"
    moved = api.post(f"{path}/moves", move="B2", version=begun["version"])
    assert moved["position"] != start
    restarted = api.post(f"{path}/actions", action="restart")
    assert restarted["position"] == restarted["start"] == start and restarted["moves"] == []
    assert restarted["version"] > moved["version"]


def test_only_a_change_of_the_game_makes_moves_stale(api: LabInProcess) -> None:
    begun = api.post("/api/sessions", game="tictactoe")
    path = f"/api/sessions/{begun['id']}"
    slower = api.post(f"{path}/pace", seconds=1)
    assert slower["serial"] > begun["serial"] and slower["version"] == begun["version"]
    assert api.post(f"{path}/moves", move="A1", version=begun["version"])["moves"] == ["A1"]
    assert api.client.post(f"{path}/moves", json={"move": "B2", "version": begun["version"]}).status_code == 409


def test_the_oldest_files_go_when_there_are_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab_games, "MOST_KEPT", 3)
    monkeypatch.setattr(lab_games, "_CLEARED_EVERY", 1)
    with lab_in_process(tmp_path) as api:
        folder = tmp_path / "lab" / "games"
        for age in range(1, 7):
            file = folder / f"{age}.json"
            file.write_text("{}")
            os.utime(file, (time.time() - 100 * age,) * 2)
        made = api.post("/api/sessions", game="tictactoe")
        assert {file.stem for file in folder.glob("*.json")} == {made["id"], "1", "2", "3"}


def test_the_first_players_choice_is_hidden_from_the_record_of_positions(api: LabInProcess) -> None:
    begun = api.post("/api/sessions", game="matrix:prisoners", first="random", second="human", seed=1)
    path = f"/api/sessions/{begun['id']}"
    waiting = state_when(api, begun["id"], lambda state: state["turn"] == 1)
    assert api.client.get(f"{path}/positions/0").status_code == 200
    assert api.client.get(f"{path}/positions/1").status_code == 404, "the position after it would tell the choice"
    api.post(f"{path}/moves", move=waiting["board"]["moves"][0]["move"], version=waiting["version"])
    assert api.client.get(f"{path}/positions/1").status_code == 200


def test_a_state_that_was_answered_is_in_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = lab_games._write_file

    def write_slowly(file: Path, content: bytes) -> None:
        time.sleep(0.2)
        write(file, content)

    monkeypatch.setattr(lab_games, "_write_file", write_slowly)
    with lab_in_process(tmp_path) as api:
        state = api.post("/api/sessions", game="tictactoe")
        for move in ("A1", "B2"):
            state = api.post(f"/api/sessions/{state['id']}/moves", move=move, version=state["version"])
            kept = json.loads((tmp_path / "lab" / "games" / f"{state['id']}.json").read_text())
            assert kept["session"]["moves"] == state["moves"] and kept["version"] == state["version"]


def test_the_seed_decides_the_move_of_an_agent(api: LabInProcess) -> None:
    def move(seed: int) -> str:
        return str(api.get("/api/best", game="quixo:5", agent="random", seed=seed)["move"])

    assert len({move(seed) for seed in range(8)}) > 1
    assert move(3) == move(3)


@contextmanager
def _full(*ignored: Any, **also: Any) -> Iterator[BinaryIO]:
    _raise_full()
    yield  # type: ignore[misc]  # never reached


def _raise_full() -> NoReturn:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_told_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    request = {"kind": "match", "game": "tictactoe", "a": "random", "b": "mcts:1", "number": 2}
    with lab_in_process(tmp_path) as api, caplog.at_level(logging.ERROR):
        with monkeypatch.context() as patch:
            patch.setattr("ludometer.core.files.replacing", _full)
            patch.setattr(lab_games, "replacing", _full)
            for path, body in (("/api/jobs", request), ("/api/sessions", {"game": "tictactoe"})):
                answer = api.client.post(path, json=body)
                assert answer.status_code == 507 and "no space left" in answer.json()["detail"].lower(), answer.text
        assert api.get("/api/jobs") == [], "a job that was refused is not started later"
        monkeypatch.setattr(api.lab.jobs, "_is_closing", True)  # nothing is started
        assert api.post("/api/jobs", **request)["state"] == "queued"
        with monkeypatch.context() as patch:
            patch.setattr("ludometer.core.files.replacing", _full)
            (job,) = api.get("/api/jobs")
            assert api.post(f"/api/jobs/{job['job']}/stop")["state"] == "stopped", "a change that cannot be saved is made all the same"
    assert caplog.records and not [record for record in caplog.records if record.exc_info]
