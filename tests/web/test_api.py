"""The JSON API: games, positions, values, sessions."""

from __future__ import annotations

import time

import pytest

from ludometer.core.record import parse_record
from ludometer.games import kinds
from ludometer.solvers import solution_for
from ludometer.view.results.solution_documents import probe_document
from tests.web.conftest import PATIENCE, Api, LabProcess


def state(api: Api, name: str, until=lambda state: state["thinking"] is None) -> dict:
    """The state of a game, once it is as it should be."""
    end = time.monotonic() + PATIENCE
    while not until(found := api.get(f"/api/sessions/{name}")):
        assert time.monotonic() < end, f"the game never came there: {found}"
        time.sleep(0.02)
    return found


def status(api: Api, method: str, path: str, **options) -> tuple[int, str]:
    answer = api.client.request(method, path, **options)
    if answer.status_code >= 400:
        assert answer.headers["content-type"] == "application/problem+json", answer.text
        return answer.status_code, answer.json()["detail"]
    return answer.status_code, ""


def test_every_listed_game_is_described_and_drawn(api: Api) -> None:
    listed = [row["spec"] for row in api.get("/api/games")]
    assert listed == [spec for kind in kinds().values() for spec in kind.listed]
    for spec in listed:
        about = api.get(f"/api/games/{spec}")
        assert about["agents"] and all(
            set(option) >= {"name", "type", "default", "help"} for row in about["agents"] for option in row["options"]
        )
        assert [row["name"] for row in about["levels"]][0] == "Beginner"
        found = api.get("/api/board", game=spec)
        areas = {area[0] for area in found["board"]["areas"]}
        assert [row["move"] for row in found["board"]["moves"]] == found["moves"]
        assert all(set(row["picks"]) <= areas for row in found["board"]["moves"])
        if found["setup"] is not None:
            parts = {part["name"]: part["value"] for part in found["setup"]["parts"]}
            assert api.post("/api/setup", game=spec, parts=parts)["position"] == found["position"]


def test_every_default_of_an_option_and_every_level_is_accepted(api: Api) -> None:
    for spec in ("quixo:3", "ultimate", "dots:2x2", "matrix:rps"):
        about = api.get(f"/api/games/{spec}")
        for row in about["agents"]:
            written = ",".join(
                f"{option['name']}={'yes' if option['default'] is True else 'no' if option['default'] is False else option['default']}"
                for option in row["options"]
                if option["type"] != "number" and option["default"] != ""
            )
            assert api.get("/api/players", game=spec, agent=f"{row['name']}:{written}" if written else row["name"])["agent"] == row["name"]
        for level in about["levels"]:
            assert api.get("/api/players", game=spec, agent=level["agent"])["agent"] == level["agent"]


def test_perfect_is_a_level_only_where_there_is_a_table(api: Api) -> None:
    def last(spec: str) -> str:
        return api.get(f"/api/games/{spec}")["levels"][-1]["name"]

    assert last("quixo:3") == "Perfect" and last("tictactoe") == "Perfect" and last("dots:2x2") == "Perfect"
    assert last("quixo:5") == "Expert" and last("ultimate") == "Expert"


def test_exact_values_are_those_of_probe(api: Api, quixo_3) -> None:
    game, solution = quixo_3
    for text in ("start", "XO./.../..X o", "XX./OO./... x"):
        answer = api.get("/api/probe", game="quixo:3", position=text)
        expected = probe_document(game.position(text), solution.probe(game.position(text)))
        assert {key: answer[key] for key in expected if key != "moves"} == {key: expected[key] for key in expected if key != "moves"}
        assert [{key: row[key] for key in ("move", "value", "distance")} for row in answer["moves"]] == expected["moves"]
    code, why = status(api, "GET", "/api/probe", params={"game": "ultimate"})
    assert code == 422 and "not solved" in why


@pytest.fixture(scope="module")
def quixo_3():
    from ludometer.games import game

    return game("quixo:3"), solution_for(game("quixo:3"))


def test_moves_and_best_moves(api: Api) -> None:
    rows = api.get("/api/moves", game="tictactoe", position="XX./OO./... x")["moves"]
    assert [row["move"] for row in rows] == ["C1", "C2", "A3", "B3", "C3"] and rows[0]["result"] == "1-0"
    best = api.get("/api/best", game="tictactoe", position="XX./OO./... x", agent="mcts:500,proven")
    assert best["move"] == "C1" and best["value"] == 1.0


@pytest.mark.parametrize(
    "path",
    [
        "/api/positions?game=quixo:9",
        "/api/positions?game=quixo:3&position=XXXX",
        "/api/games/%2Fetc%2Fpasswd.py",
        "/api/positions?game=/tmp/evil.py",
        "/api/positions?game=matrix:/etc/passwd.nfg",
        "/api/best?game=quixo:3&agent=mcts:100000000",
        "/api/best?game=quixo:3&agent=human",
        "/api/best?game=quixo:3&agent=polito:path=/tmp",
        "/api/best?game=quixo:3&agent=optimal:tables=/tmp",
        "/api/board?game=quixo:3&position=XXX/.../...%20o&after=A1%3Eright",
        "/api/positions?game=" + "x" * 501,
        "/api/positions",
    ],
)
def test_wrong_and_untrusted_input_is_refused_in_words(api: Api, path: str) -> None:
    code, why = status(api, "GET", path)
    assert code in (404, 422) and why and "Traceback" not in why


def test_a_game_against_an_agent_by_hand(api: Api) -> None:
    begun = api.post("/api/sessions", game="tictactoe", first="human", second="optimal:steps", seed=3)
    name, path = begun["id"], f"/api/sessions/{begun['id']}"
    assert begun["turn"] == 0 and begun["can"] == {"undo": False, "redo": False, "resign": True, "hint": True}
    after = api.post(f"{path}/moves", move="A1", version=begun["version"])
    assert after["moves"][0] == "A1"
    again = api.post(f"{path}/moves", move="A1", version=begun["version"])  # sent twice by a bad connection
    assert again["moves"][0] == "A1"
    answered = state(api, name, lambda state: len(state["moves"]) == 2)
    assert answered["moves"][1] == "B2" and answered["reports"][1]["value"] == 0.5
    assert status(api, "POST", f"{path}/moves", json={"move": "C3", "version": begun["version"]})[0] == 409
    assert status(api, "POST", f"{path}/moves", json={"move": "A1", "version": answered["version"]})[0] == 422
    assert api.get(f"{path}/hint")["exact"] is True
    undone = api.post(f"{path}/actions", action="undo")
    assert undone["moves"] == [] and undone["can"]["redo"]
    redone = api.post(f"{path}/actions", action="redo")
    assert redone["moves"] == ["A1", "B2"]
    assert api.get(f"{path}/positions/1")["position"] == "X../.../... o"
    resigned = api.post(f"{path}/actions", action="resign")
    assert (resigned["result"], resigned["ended"]) == ("0-1", "resignation")
    record = api.client.get(f"{path}/record")
    assert "attachment" in record.headers["content-disposition"] and parse_record(record.text).ended == "resignation"
    copy = api.post("/api/sessions", record=record.text)
    assert copy["moves"] == ["A1", "B2"] and copy["result"] == "0-1" and copy["players"] == ["human", "optimal:steps"]
    restarted = api.post(f"{path}/actions", action="restart")
    assert restarted["moves"] == [] and restarted["result"] is None and restarted["version"] > resigned["version"]
    api.post(f"{path}/actions", action="swap")
    moved = state(api, name, lambda state: len(state["moves"]) == 1)
    assert moved["players"] == ["optimal:steps", "human"] and moved["turn"] == 1
    assert api.client.delete(path).status_code == 204 and status(api, "GET", path)[0] == 404


def test_thinking_can_be_stopped_and_taken_back(api: Api) -> None:
    begun = api.post("/api/sessions", game="quixo:5", first="human", second="mcts:time=10", seed=1)
    path = f"/api/sessions/{begun['id']}"
    api.post(f"{path}/moves", move="A1>right", version=begun["version"])
    thinking = state(api, begun["id"], lambda state: state["thinking"] is not None)
    assert thinking["thinking"]["agent"] == "mcts:time=10"
    undone = api.post(f"{path}/actions", action="undo")
    assert undone["moves"] == [] and undone["thinking"] is None
    api.post(f"{path}/moves", move="A1>bottom", version=undone["version"])
    time.sleep(0.3)
    api.post(f"{path}/actions", action="stop")
    answered = state(api, begun["id"], lambda state: len(state["moves"]) == 2)
    assert answered["turn"] == 0 and answered["reports"][1]["iterations"] > 0
    assert answered["reports"][1]["seconds"] < 9, "it was to think for ten seconds"
    api.post(f"{path}/actions", action="resign")


def test_two_agents_step_by_step(api: Api) -> None:
    begun = api.post("/api/sessions", game="quixo:3", first="mcts:50", second="random", seed=5, paused=True)
    path = f"/api/sessions/{begun['id']}"
    assert begun["thinking"] is None and begun["moves"] == []
    for count in (1, 2):
        api.post(f"{path}/actions", action="step")
        state(api, begun["id"], lambda state, count=count: len(state["moves"]) == count and state["thinking"] is None)
    api.post(f"{path}/pace", seconds=0)
    api.post(f"{path}/actions", action="resume")
    ended = state(api, begun["id"], lambda state: state["result"] is not None)
    from ludometer.arena.play.playing import play_game

    assert ended["moves"] == list(play_game("quixo:3", "mcts:50", "random", seed=5).moves), "the same seed gives the same game"


def test_what_the_other_has_chosen_is_not_shown(api: Api) -> None:
    begun = api.post("/api/sessions", game="matrix:prisoners", first="random", second="human", seed=1)
    path = f"/api/sessions/{begun['id']}"
    waiting = state(api, begun["id"], lambda state: state["turn"] == 1)
    assert waiting["moves"] == [] and status(api, "GET", f"{path}/record")[0] == 409
    ended = api.post(f"{path}/moves", move=waiting["board"]["moves"][0]["move"], version=waiting["version"])
    assert len(ended["moves"]) == 2 and ended["result"]


@pytest.mark.process
def test_a_session_survives_a_restart_of_the_server(tmp_path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    running = LabProcess(home)
    begun = running.post("/api/sessions", game="quixo:3", first="human", second="human")
    moved = running.post(f"/api/sessions/{begun['id']}/moves", move="A1>right", version=begun["version"])
    running.stop(9)
    running.start()
    found = running.get(f"/api/sessions/{begun['id']}")
    assert found["position"] == moved["position"] and found["version"] == moved["version"] and found["moves"] == ["A1>right"]
    assert running.stop() == 130, "as every command that is ended by Ctrl-C"
