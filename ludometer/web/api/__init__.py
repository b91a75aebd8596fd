"""The routers of the JSON API, each with its own part of it.  A part is added by its line in `routers`."""

from __future__ import annotations

from fastapi import APIRouter

from ludometer.web.api import analysis, dynamics, experiments, positions, sessions, solved, studies


def routers() -> list[APIRouter]:
    """All parts of the API."""
    playing = [analysis.router, positions.router, sessions.router]
    measuring = [experiments.router, experiments.pages, dynamics.router, solved.router, studies.router]
    return [*playing, *measuring]
