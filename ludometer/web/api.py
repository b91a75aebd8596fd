"""The routers of the JSON API, each with its own part of it.  A part is added by its line in `routers`."""

from __future__ import annotations

from fastapi import APIRouter


def routers() -> list[APIRouter]:
    """All parts of the API."""
    return []
