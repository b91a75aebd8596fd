"""The routers of the JSON API, each with its own part of it.  A part is added by its line in `routers`."""

from __future__ import annotations

from fastapi import APIRouter

from ludometer.web import api_analysis, api_dynamics, api_experiments, api_positions, api_sessions, api_studies, api_tables


def routers() -> list[APIRouter]:
    """All parts of the API."""
    playing = [api_analysis.router, api_positions.router, api_sessions.router]
    measuring = [api_experiments.router, api_experiments.pages, api_dynamics.router, api_tables.router, api_studies.router]
    return [*playing, *measuring]
