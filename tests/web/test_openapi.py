"""The API against its own description: requests generated from it, valid and invalid ones, are never answered with a 5xx."""

from __future__ import annotations

from typing import Any

import pytest

from ludometer.arena.work.execution import Execution
from tests.web.conftest import PATIENCE, Api, LabProcess

GAMES = ("quixo:3", "mnk:3,3,3", "dots:2x2", "matrix:sexes", "ultimate")
COSTLY = ("/api/dynamics", "/api/dynamics/figure")  # a valid request takes a good part of a second


def operations(lab: LabProcess) -> list[Any]:
    import schemathesis

    schema = schemathesis.openapi.from_url(f"{lab.url}/api/openapi.json")
    return [found.ok() for found in schema.get_all_operations()]


def helped(case: Any, number: int) -> None:
    """Let every other request name an existing game, position and agent, which a generator would not find."""
    if number % 2:
        return
    known = {"game": GAMES[number // 2 % len(GAMES)], "position": "start", "agent": "mcts:20", "a": "mcts:5", "b": "random", "run": 1}
    known |= {"first": "human", "second": "random", "start": "start", "rows": "", "columns": "", "after": ""}
    for part in (case.query, case.path_parameters, case.body):
        if isinstance(part, dict):
            part.update({name: value for name, value in known.items() if name in part})


@pytest.mark.exhaustive
@pytest.mark.parametrize("least", [300, pytest.param(1200, marks=pytest.mark.nightly)])
def test_no_generated_request_is_answered_with_a_5xx(lab: LabProcess, least: int) -> None:
    """`least` is the least number of requests in all."""
    pytest.importorskip("schemathesis")
    import requests
    from hypothesis import HealthCheck, Phase, given, seed, settings
    from schemathesis.generation import GenerationMode

    from ludometer.arena.experiments.match import match
    from ludometer.arena.work.store import Store

    with Store(lab.home / "experiments.sqlite") as store:
        match("tictactoe", "mcts:5", "random", 20, execution=Execution(store))
    known = operations(lab)
    asking = [operation for operation in known if operation.body or operation.query or operation.path_parameters]
    cheap = [operation for operation in asking if operation.path not in COSTLY]
    each = least * 11 // 10 // (2 * len(cheap)) + 1
    sent: dict[int, int] = {}
    wrong: list[str] = []

    def send(case: Any) -> None:
        helped(case, sum(sent.values()))
        answer = case.call(session=session, timeout=PATIENCE)
        sent[answer.status_code] = sent.get(answer.status_code, 0) + 1
        if answer.status_code >= 500:
            wrong.append(f"{case.as_curl_command()}: {answer.status_code} {answer.text[:200]}")
        elif answer.status_code >= 400:
            assert answer.headers["content-type"] == ["application/problem+json"], answer.text
            assert answer.json()["status"] == answer.status_code and answer.json()["detail"]

    with requests.Session() as session:
        for operation in known:
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE) if operation in asking else (GenerationMode.POSITIVE,):
                made = given(case=operation.as_strategy(generation_mode=mode))(send)
                count = each if operation.path not in COSTLY else min(each, 20)
                limits = settings(
                    max_examples=count, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
                )
                seed(1)(limits(made))()
            lab.get("/api/jobs")  # the lab answers still
    print(sent)
    assert not wrong, "\n".join(wrong[:10])
    assert sum(sent.values()) >= least, sent
    answered = sent.get(200, 0) + sent.get(201, 0)
    assert min(answered, sent.get(422, 0)) > 0.06 * least, sent  # a good share of valid and of invalid requests


def test_every_operation_is_described(api: Api) -> None:
    document = api.get("/api/openapi.json")
    paths = document["paths"]
    for path in ("/api/jobs", "/api/runs", "/api/runs/{run}", "/api/dynamics", "/api/tables", "/api/studies"):
        assert path in paths
    for path, operations_ in paths.items():
        assert path.startswith("/api/")
        for operation in operations_.values():
            summary = operation["summary"]
            assert " " in summary and not summary.istitle(), f"{path}: {summary!r} is the name of a function, not what it does"
            assert len(summary) <= 120, summary
    assert "ProblemDetails" in document["components"]["schemas"]
