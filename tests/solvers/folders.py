"""What the tests of stored tables share."""

from __future__ import annotations

from pathlib import Path


def content_of(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}
