"""The routers of the JSON API, each with its own part of it.  A part is added by its line in `routers`."""

from __future__ import annotations

from fastapi import APIRouter

from ludometer.web import api_analysis, api_positions, api_sessions


def routers() -> list[APIRouter]:
    """All parts of the API."""
    return [api_analysis.router, api_positions.router, api_sessions.router]
