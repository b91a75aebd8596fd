"""The text of `ludometer doctor`."""

from __future__ import annotations

from ludometer.core.text import aligned
from ludometer.doctor import Diagnosis


def installation_text(found: Diagnosis) -> str:
    """Versions, hardware and folders, then what is missing and how to install it."""
    gpus = [f"{gpu['name']}, {gpu['memory']}, driver {gpu['driver']}" for gpu in found["gpus"]]
    lines = [
        f"ludometer {found['version']}, Python {found['python']}, {found['system']}",
        f"processor cores: {found['cores']}",
        f"GPU: {'; '.join(gpus) or 'no NVIDIA GPU found; solve --device cuda needs one'}",
        "",
        aligned([[name, version or "not installed"] for name, version in found["packages"].items()], left=(0, 1)),
        "",
        aligned([[each["content"], each["path"], _state(each["exists"], each["writable"])] for each in found["folders"]], left=(0, 1, 2)),
        "",
    ]
    if not found["missing"]:
        return "\n".join([*lines, "nothing is missing"])
    rows = [[", ".join(each["packages"]), each["purpose"], each["install"]] for each in found["missing"]]
    return "\n".join([*lines, aligned([["missing", "for", "install with"], *rows], left=(0, 1, 2))])


def _state(exists: bool, writable: bool) -> str:
    if writable:
        return "" if exists else "not there yet"
    return "cannot be written"
