"""Errors as answers: problem details (RFC 9457) for programs, a page with the same words for people."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from ludometer.core.errors import LudometerError, shorten
from ludometer.core.files import reason

log = logging.getLogger("ludometer.web")
_MOST_FAULTS = 3  # named in one message


class ProblemDetails(BaseModel):
    """What was wrong with a request."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str = Field(description="one line for people")


class Problem(Exception):
    """An error with an HTTP status."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


def responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The errors of an endpoint, for the description of the API."""
    media = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}}
    return {status: {"model": ProblemDetails, "content": media, "description": HTTPStatus(status).phrase} for status in statuses}


def problem(request: Request, status: int, detail: str) -> Response:
    """The answer to a request that failed."""
    title = HTTPStatus(status).phrase
    if not request.url.path.startswith("/api") and "text/html" in request.headers.get("accept", ""):
        from ludometer.web.pages import render

        return render(request, "error.html", status=status, title=title, detail=detail)
    document = ProblemDetails(title=title, status=status, detail=detail).model_dump()
    return JSONResponse(document, status, media_type="application/problem+json")


def install(app: FastAPI) -> None:
    """Turn every error into such an answer."""

    async def said(request: Request, error: Exception) -> Response:
        assert isinstance(error, Problem)
        return problem(request, error.status, error.detail)

    async def for_people(request: Request, error: Exception) -> Response:
        return problem(request, 422, str(error))

    async def of_http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        detail = str(error.detail)
        if error.status_code == 404 and detail == "Not Found":
            detail = f"there is nothing at {shorten(request.url.path)}"
        answer = problem(request, error.status_code, detail)
        for name, value in (error.headers or {}).items():
            answer.headers[name] = value
        return answer

    async def of_validation(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        faults = [f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg'].lower()}" for fault in error.errors()]
        more = f" (and {len(faults) - _MOST_FAULTS} more)" if len(faults) > _MOST_FAULTS else ""
        return problem(request, 422, "; ".join(faults[:_MOST_FAULTS])[:600] + more)

    async def of_disk(request: Request, error: Exception) -> Response:
        assert isinstance(error, OSError)
        log.error("%s %s: %s", request.method, request.url.path, error)
        return problem(request, 507, f"the lab cannot keep this on its disk: {reason(error)}")

    async def unforeseen(request: Request, error: Exception) -> Response:
        log.error("a request failed: %s %s", request.method, request.url.path, exc_info=error)
        return problem(request, 500, "the lab failed to answer; its messages on the terminal say more")

    app.add_exception_handler(Problem, said)
    app.add_exception_handler(LudometerError, for_people)
    app.add_exception_handler(OSError, of_disk)
    app.add_exception_handler(HTTPException, of_http)
    app.add_exception_handler(RequestValidationError, of_validation)
    app.add_exception_handler(Exception, unforeseen)
