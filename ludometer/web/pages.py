"""The pages of the lab.  To add one: a template that extends base.html, a line in `PAGES`, and perhaps a router with its own API."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ludometer import __version__
from ludometer.web.catalogue import kinds_document
from ludometer.web.form_choices import form_context
from ludometer.web.problems import Problem

HERE = Path(__file__).parent
_templates = Environment(
    loader=FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)


@dataclass(frozen=True)
class Page:
    """A page: its name in the navigation, its path, its template, and what it needs to know (called with the request)."""

    name: str
    path: str
    template: str
    hint: str = ""  # one line, for the home page
    context: Callable[[Request], dict[str, Any]] | None = None
    further: tuple[str, ...] = ()  # other paths of the same template, such as /play/{game}


def _game_in_address(request: Request) -> dict[str, Any]:
    """The id of a game in the address, or ""; raises Problem (404) for anything that cannot be one."""
    name = str(request.path_params.get("game", ""))
    if name and not (name.isalnum() and name.isascii() and len(name) <= 32):
        raise Problem(404, "there is no such game; start a new one")
    return {"game": name}


def _listed(request: Request) -> dict[str, Any]:
    return {"kinds": kinds_document()}


def _address(request: Request) -> dict[str, Any]:
    return {"address": f"http://{request.headers['host']}"}


PAGES: list[Page] = [
    Page("Home", "/", "home.html", context=_listed),
    Page(
        "Play", "/play", "play.html", "Play against a person or any agent, from beginner to perfect.", _game_in_address, ("/play/{game}",)
    ),
    Page(
        "Watch",
        "/watch",
        "watch.html",
        "Let two agents play, as fast or as slowly as you like, and read what they think.",
        _game_in_address,
        ("/watch/{game}",),
    ),
    Page("Analyse", "/analyse", "analyse.html", "Set a position up and see what every move is worth; find the blunders of a game."),
    Page(
        "Experiments",
        "/experiments",
        "experiments.html",
        "Matches, tournaments, ladders, depth: start them, watch them grow.",
        form_context,
    ),
    Page("Dynamics", "/dynamics", "dynamics.html", "Turn the knobs of a learning dynamic in a matrix game."),
    Page("Tables", "/tables", "solved.html", "What is solved: totals, distances, the longest wins; solve small games."),
    Page("Studies", "/studies", "studies.html", "Five reports measured again, with a verdict for every number."),
    Page("API", "/api", "api.html", "The same for programs: three lines of curl or Python.", _address),
]


def render(request: Request, template: str, status: int = 200, **context: Any) -> Response:
    """A template as an answer.  Everything put into it is escaped."""
    current = context.pop("page", None)
    text = _templates.get_template(template).render(pages=PAGES, page=current, version=__version__, status=status, **context)
    return HTMLResponse(text, status)


def router() -> APIRouter:
    """All pages as endpoints."""
    found = APIRouter(include_in_schema=False)
    for page in PAGES:
        for path in (page.path, *page.further):
            found.add_api_route(path, _endpoint(page), methods=["GET", "HEAD"])
    return found


def _endpoint(page: Page) -> Callable[[Request], Any]:
    async def show(request: Request) -> Response:
        return render(request, page.template, page=page, **(page.context(request) if page.context else {}))

    return show
