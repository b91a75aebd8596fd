"""The routers of the JSON API, each with its own part of it.  A part is added by its line in `routers`."""

from __future__ import annotations

from fastapi import APIRouter


def routers() -> list[APIRouter]:
    """All parts of the API."""
    from ludometer.web import dynamics_api, experiments_api, studies_api, tables_api

    return [experiments_api.router, experiments_api.pages, dynamics_api.router, tables_api.router, studies_api.router]
