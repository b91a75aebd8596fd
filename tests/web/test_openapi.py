"""The API against its own description: thousands of requests made from it, right and wrong ones, and none is answered with a 5xx."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.web.conftest import LabProcess

LEAST = 5_000  # requests in all
COSTLY = ("/api/dynamics", "/api/dynamics/figure")  # where a request that is right takes a good part of a second


def operations(lab: LabProcess) -> list[Any]:
    import schemathesis

    schema = schemathesis.openapi.from_url(f"{lab.url}/api/openapi.json")
    return [found.ok() for found in schema.get_all_operations()]


@pytest.mark.slow
def test_no_generated_request_is_answered_with_a_5xx(lab: LabProcess) -> None:
    pytest.importorskip("schemathesis")
    from hypothesis import HealthCheck, Phase, given, seed, settings
    from schemathesis.generation import GenerationMode

    known = operations(lab)
    cheap = [operation for operation in known if operation.path not in COSTLY]
    each = LEAST // (2 * len(cheap)) + 1
    sent: dict[int, int] = {}
    wrong: list[str] = []
    with httpx.Client(base_url=lab.url, timeout=120) as client:
        for operation in known:
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                if mode is GenerationMode.NEGATIVE and not (operation.body or operation.query or operation.path_parameters):
                    mode = GenerationMode.POSITIVE

                @seed(1)
                @settings(
                    max_examples=each if operation.path not in COSTLY else 20,
                    deadline=None,
                    database=None,
                    phases=[Phase.generate],
                    suppress_health_check=list(HealthCheck),
                )
                @given(case=operation.as_strategy(generation_mode=mode))
                def send(case: Any) -> None:
                    answer = case.call()
                    sent[answer.status_code] = sent.get(answer.status_code, 0) + 1
                    if answer.status_code >= 500:
                        wrong.append(f"{case.as_curl_command()}: {answer.status_code} {answer.text[:200]}")
                    elif answer.status_code >= 400:
                        assert answer.headers["content-type"] == ["application/problem+json"], answer.text
                        assert answer.json()["status"] == answer.status_code and answer.json()["detail"]

                try:
                    send()
                except Exception as error:
                    if type(error).__name__ not in ("Unsatisfiable", "SkipTest"):
                        raise
            client.get("/api/kinds")  # the lab answers still
    print(sent)
    assert not wrong, "\n".join(wrong[:10])
    assert sum(sent.values()) >= LEAST, sent
    assert sent.get(200, 0) + sent.get(201, 0) > 100 and sent.get(422, 0) > 100, sent


def test_every_operation_is_described(lab: LabProcess) -> None:
    document = lab.get("/api/openapi.json")
    paths = document["paths"]
    for path in ("/api/jobs", "/api/runs", "/api/runs/{run}", "/api/dynamics", "/api/tables", "/api/studies"):
        assert path in paths
    for path, operations_ in paths.items():
        assert path.startswith("/api/")
        for operation in operations_.values():
            assert operation.get("summary") or operation.get("description"), path
    assert "ProblemDetails" in document["components"]["schemas"]
