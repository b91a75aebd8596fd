"""The GPU solver, in Numba's CUDA simulator on the smallest board (the same kernels run on a real GPU)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from ludometer.core.stopping import Stop
from ludometer.games import game
from ludometer.solve.tiles.lookup import tile_tables
from ludometer.solve.tiles.pair_solvers import CpuPairSolver
from ludometer.solve.tiles.pairs import all_pairs, classes_of

SCRIPT = """
import sys
import numpy as np
from ludometer.games import game
from ludometer.solve.tiles.cuda.solver import CudaPairSolver
from ludometer.core.stopping import Stop
from ludometer.solve.tiles.pairs import all_pairs, classes_of

solver = CudaPairSolver(game("quixo:2"))
found = {}
for pair in all_pairs(4):
    counts = solver.solve_pair(pair, Stop())
    wrong, counted = solver.check(pair)
    assert wrong == [] and (counted == counts).all(), pair
    for side, (mover, other) in enumerate(classes_of(pair)):
        found[f"codes {mover} {other}"] = solver.fetch(pair, side)
        found[f"values {mover} {other}"] = solver.fetch_values(pair, side)
        found[f"counts {mover} {other}"] = counts[side]
pair = all_pairs(4)[-1]
codes = solver.fetch(pair, 0)
assert solver.find(pair, 0, int(codes[0])) == 0 and solver.find(pair, 0, 77) is None
codes[0] = 3 if codes[0] != 3 else 4  # a wrong distance must be noticed
solver.put(pair, [codes], counts)
assert solver.check(pair)[0]
np.savez(sys.argv[1], **found)

from ludometer.solve.tiles.driver import solve_tiles
from ludometer.solve.verification import verify
assert verify(solve_tiles(game("quixo:2")), device="cuda") == {"ok": True, "checked": 26, "errors": []}
"""


def test_the_simulated_gpu_gives_the_same_bytes_as_the_processor(tmp_path: Path) -> None:
    file = tmp_path / "found.npz"
    environment = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
    run = subprocess.run([sys.executable, "-c", SCRIPT, str(file)], env=environment, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    chosen = game("quixo:2")
    solver = CpuPairSolver(chosen, tile_tables(chosen))
    with np.load(file) as found:
        for pair in all_pairs(4):
            counts = solver.solve_pair(pair, Stop())
            for side, (mover, other) in enumerate(classes_of(pair)):
                np.testing.assert_array_equal(found[f"codes {mover} {other}"], solver.fetch(pair, side))
                np.testing.assert_array_equal(found[f"values {mover} {other}"], solver.fetch_values(pair, side))
                np.testing.assert_array_equal(found[f"counts {mover} {other}"], counts[side])


def test_a_machine_without_gpu_says_so() -> None:
    script = "from ludometer.solve.tiles.cuda.solver import cuda_or_error\ncuda_or_error()"
    environment = os.environ | {"NUMBA_ENABLE_CUDASIM": "0", "CUDA_VISIBLE_DEVICES": ""}
    run = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60)
    assert run.returncode != 0
    assert "no CUDA" in run.stderr
