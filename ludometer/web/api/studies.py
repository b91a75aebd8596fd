"""The API of the studies: what five reports say, what comes out here, and the verdicts."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Depends

from ludometer.web.lab import Lab, lab_of

router = APIRouter(prefix="/api/studies", tags=["studies"])


@router.get("")
async def list_findings(lab: Annotated[Lab, Depends(lab_of)]) -> dict[str, Any]:
    """Every entry of the studies with its latest finding; `ludometer reproduce` makes them."""
    from ludometer.web.findings import findings

    return await asyncio.to_thread(findings, lab.store)
