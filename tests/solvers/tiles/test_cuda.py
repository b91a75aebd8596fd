"""The GPU solver, in Numba's CUDA simulator (the same kernels run on a real GPU); `simulated` says what is tried."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


PARTS = (
    "rows_by_hand",
    "same_bytes",
    "made_up_tables",
    "limited_folder",
    "values_without_code",
    "wins_at_once_instead",
    "reused_folders",
    "device_verification",
    "order_of_events",
)


NIGHTLY = ("limited_memory",)  # as limited_folder, with several limits and the sizes of all lists


@pytest.mark.simulator
@pytest.mark.parametrize("part", [*PARTS, *(pytest.param(part, marks=pytest.mark.nightly) for part in NIGHTLY)])
def test_simulated(part: str, tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": str(ROOT), "LUDOMETER_HOME": str(tmp_path / "home")}
    command = [sys.executable, "-m", "tests.solvers.tiles.simulated", part, str(tmp_path)]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr[-3000:]
    assert f'{{"done": "{part}"}}' in run.stdout


@pytest.mark.simulator
def test_a_machine_without_gpu_says_so() -> None:
    script = "from ludometer.solvers.tiles.cuda.launching import cuda_or_error\ncuda_or_error()"
    environment = os.environ | {"NUMBA_ENABLE_CUDASIM": "0", "CUDA_VISIBLE_DEVICES": ""}
    run = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60)
    assert run.returncode != 0
    assert "no CUDA" in run.stderr
