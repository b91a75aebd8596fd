"""What is installed here: versions, hardware, folders, and what is missing for which command.  Loads no compiler."""

from __future__ import annotations

import importlib.util
import os
import platform
import subprocess
from importlib import metadata
from pathlib import Path
from typing import TypedDict

from ludometer import __version__
from ludometer.core import folders
from ludometer.core.machine import usable_cores

REQUIRED = ("numpy", "scipy", "numba", "matplotlib", "networkx", "platformdirs", "typer", "rich")

# Extra of the package -> what it is for, and its packages: (name to install, module).
EXTRAS = {
    "cuda": ("solving on an NVIDIA GPU: solve --device cuda", (("numba-cuda", "numba_cuda"),)),
    "web": (
        "the lab in the browser: serve",
        (("fastapi", "fastapi"), ("jinja2", "jinja2"), ("uvicorn", "uvicorn"), ("websockets", "websockets")),
    ),
    "cluster": ("work on several machines: --cluster", (("distributed", "distributed"),)),
    "openspiel": ("agents and games of OpenSpiel: openspiel:…", (("open_spiel", "pyspiel"),)),
}
PANDAS = ("data frames: to_frame", "pandas")
_GPU_PATIENCE = 10.0  # seconds for nvidia-smi


class Gpu(TypedDict):
    """A GPU as its driver describes it."""

    name: str
    memory: str
    driver: str


class Folder(TypedDict):
    """A folder or file of the user."""

    content: str
    path: str
    exists: bool
    writable: bool  # or can be made, if it does not exist


class Missing(TypedDict):
    """Packages that are not installed, and what they are for."""

    purpose: str
    packages: list[str]
    install: str


class Diagnosis(TypedDict):
    """What `ludometer doctor --json` prints."""

    version: str
    python: str
    system: str
    cores: int
    gpus: list[Gpu]
    packages: dict[str, str | None]  # name -> version, null if it is not installed
    folders: list[Folder]
    missing: list[Missing]


def diagnose() -> Diagnosis:
    """Look at this installation and this machine."""
    names = [*REQUIRED, *(name for _, packages in EXTRAS.values() for name, _ in packages), PANDAS[1]]
    return {
        "version": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "cores": usable_cores(),
        "gpus": _gpus(),
        "packages": {name: _version(name) for name in names},
        "folders": [
            _folder("solved tables", folders.tables_folder()),
            _folder("experiments", folders.experiments_file()),
            _folder("compiled code", folders.compiled_folder()),
        ],
        "missing": _missing(),
    }


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _missing() -> list[Missing]:
    found: list[Missing] = []
    for extra, (purpose, packages) in EXTRAS.items():
        absent = [name for name, module in packages if importlib.util.find_spec(module) is None]
        if absent:
            found.append({"purpose": purpose, "packages": absent, "install": f"pip install 'ludometer[{extra}]'"})
    purpose, package = PANDAS
    if importlib.util.find_spec(package) is None:
        found.append({"purpose": purpose, "packages": [package], "install": f"pip install {package}"})
    return found


def _folder(content: str, path: Path) -> Folder:
    """A folder or file; one that does not exist counts as writable if it can be made."""
    nearest = path
    while not nearest.exists() and nearest != nearest.parent:
        nearest = nearest.parent
    needed = os.W_OK if nearest.is_file() else os.W_OK | os.X_OK
    usable = nearest == path or nearest.is_dir()
    return {"content": content, "path": str(path), "exists": path.exists(), "writable": usable and os.access(nearest, needed)}


def _gpus() -> list[Gpu]:
    """NVIDIA GPUs as `nvidia-smi` lists them; none if there is no driver."""
    command = ["nvidia-smi", "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=_GPU_PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return []
    rows = [[part.strip() for part in line.split(",")] for line in answer.stdout.splitlines()] if answer.returncode == 0 else []
    return [{"name": row[0], "memory": row[1], "driver": row[2]} for row in rows if len(row) == 3]
