"""Exact solving on a GPU: seconds and the card's memory, within several limits, and what each kernel takes of the time.

    python -m benchmarks.solving_gpu                                  # quixo:4, and quixo:5 with what is free, 24 GB and 12 GB
    python -m benchmarks.solving_gpu quixo:5 24GB --profile           # a second run, with the time of each kernel
    python -m benchmarks.solving_gpu quixo:5 none 80GB 24GB --json
    python -m benchmarks.solving_gpu quixo:5 none fill.registers=64 check.threads=512 --profile      # trials: other launches of kernels

Kernels are compiled before the clock starts.  Totals, and positions by distance, are compared with the known ones; a difference ends with
status 1.
`ludometer bench solving_gpu` measures 4×4 Quixo.
"""

from __future__ import annotations

import gc
import hashlib
import importlib
import json
import sys
import time
from collections import Counter
from typing import Any, ClassVar

import numpy as np

from ludometer.core.errors import LudometerError
from ludometer.core.stopping import Stop
from ludometer.games import game
from ludometer.solvers.tiles.cuda.launching import cuda_or_error, is_simulated
from ludometer.solvers.tiles.cuda.layout import COUNTERS
from ludometer.solvers.tiles.cuda.solver import CudaPairSolver
from ludometer.solvers.tiles.lookup import TileTables, pair_entries, tile_tables
from ludometer.solvers.tiles.pairs import Pair, all_pairs, needed_by, no_longer_needed

KNOWN = {  # win, loss, draw: published for 5×5 (docs/results/quixo-5x5.md), for 4×4 as solved on the processor
    "quixo:4": (26_434_489, 15_003_736, 1_608_496),
    "quixo:5": (441_815_157_309, 279_746_227_956, 125_727_224_178),
}
HISTOGRAMS = {"quixo:4": "4cf54c6457f1de0c", "quixo:5": "10f0ccd510bb88e9"}  # digests of the positions by code
LIMITS = {"quixo:4": ("none",), "quixo:5": ("none", "24GB", "12GB")}
LAUNCHES = 1000
KERNELS = {  # name in a profile -> module and function
    "fill": ("fill_kernels", "fill"),
    "check": ("loss_kernels", "find_losses"),
    "push": ("push_kernels", "push_wins"),
    "compact": ("loss_kernels", "compact"),
    "scan": ("loss_kernels", "scan_losses"),
}


class Counting(CudaPairSolver):
    """Counts launches by kernel, and may launch some with another number of threads in a block."""

    threads: ClassVar[dict[str, int]] = {}

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.launches: Counter[str] = Counter()
        run = self.launcher.run

        def counted(name: str, *arguments: Any, **options: Any) -> None:
            self.launches[name] += 1
            if name in self.threads:
                options["threads"] = self.threads[name]
            run(name, *arguments, **options)

        self.launcher.run = counted  # type: ignore[method-assign]  # this instance alone counts


def _try(trial: str) -> None:
    """Have a kernel use no more than so many registers, or launched with so many threads in a block."""
    what, _, number = trial.partition("=")
    name, _, setting = what.partition(".")
    if name not in KERNELS or setting not in ("registers", "threads") or not number.isdigit():
        raise LudometerError(f"a trial is KERNEL.registers=N or KERNEL.threads=N, KERNEL one of {', '.join(KERNELS)}, not {trial!r}")
    if setting == "threads":
        Counting.threads[name] = int(number)
        return
    module = importlib.import_module(f"ludometer.solvers.tiles.cuda.{KERNELS[name][0]}")
    function = getattr(module, KERNELS[name][1]).py_func
    setattr(module, KERNELS[name][1], cuda_or_error().jit(function, max_registers=int(number)))


def measure(spec: str, limit: int | None, profile: bool, tables: TileTables | None = None) -> dict[str, Any]:
    """Solve a game in memory, totals only; what that took."""
    tables = tables or tile_tables(game(spec))
    solver = Counting(game(spec), tables, limit)
    solver.prepare(solve=True, check=False)
    solver.launcher.profile = profile
    solver.launcher.seconds.clear()
    solver.launches.clear()
    context = solver.cuda.current_context()
    sizes = {pair: pair_entries(tables, pair) * len(pair.sides) for pair in all_pairs(tables.cells)}
    waiting = needed_by(sizes, tables.cells)
    total = np.zeros(256, np.int64)
    used = 0

    since = time.perf_counter()
    for pair in sizes:
        total += solver.solve_pair(pair, Stop()).sum(axis=0)
        memory = context.get_memory_info()
        used = max(used, memory.total - memory.free)
        for done in no_longer_needed(pair, tables.cells, waiting):
            solver.forget(done)
    solver.cuda.synchronize()
    seconds = time.perf_counter() - since
    found = (int(total[1:128].sum()), int(total[128:255].sum()), int(total[0]))
    return {
        "game": spec,
        "limit": limit,
        "resident": solver.resident,
        "seconds": round(seconds, 3),
        "entries_per_second": round(sum(sizes.values()) / seconds),
        "peak_memory": solver.peak_memory,  # counted by the solver
        "card_in_use": used,  # the driver's word after each pair: context, kernels and other programs included
        "totals": found,
        "right": found == KNOWN[spec] and hashlib.sha256(total.astype("<i8").tobytes()).hexdigest()[:16] == HISTOGRAMS[spec],
        "launches": dict(solver.launches),
        "microseconds_per_launch": None if profile else _launching(solver),
        "seconds_by_kernel": {name: round(value, 3) for name, value in sorted(solver.launcher.seconds.items(), key=lambda item: -item[1])},
    }


def give_back() -> None:
    """Let go of what a solver had on the card, so that the next one finds all of it."""
    gc.collect()
    cuda_or_error().current_context().deallocations.clear()


def _launching(solver: Counting) -> float:
    """What the host needs to launch the kernel with the longest list of arguments, on an empty list of positions."""
    from ludometer.solvers.tiles.cuda import loss_kernels

    pair = Pair(solver.tables.cells, 0)
    tables, counters = solver.card_tables, solver.cuda.to_device(np.zeros(COUNTERS // 2, np.int64))
    place, codes = solver.place_of(pair, 0), tables.array(1, np.uint8)
    tables.ensure_lists(solver.plan.base_room)
    what = (place, codes, codes, 1, tables.lists[0], 32, tables.lost, counters)
    solver.cuda.synchronize()
    since = time.perf_counter()
    for _ in range(LAUNCHES):
        solver.launcher.run("check", loss_kernels.find_losses, solver._board, solver._small, *what, blocks=1, threads=32)
    elapsed = time.perf_counter() - since
    solver.cuda.synchronize()
    return round(elapsed / LAUNCHES * 1e6, 1)


TOY: dict[str, Any] = {}


def compare() -> list[dict[str, Any]]:
    """Seconds and peak memory of 4×4; nothing where there is no GPU."""
    try:
        _must_have_gpu()
    except LudometerError as error:
        print(f"not measured: {error}", file=sys.stderr)
        return []
    found = measure("quixo:4", None, profile=False)
    if not found["right"]:
        raise LudometerError(f"quixo:4 on a GPU: totals {found['totals']} instead of {KNOWN['quixo:4']}")
    return [
        {"name": "solve quixo:4 on a GPU, seconds", "ours": found["seconds"], "peer": None, "ratio": None},
        {"name": "… peak memory, bytes", "ours": found["peak_memory"], "peer": None, "ratio": None},
    ]


def _must_have_gpu() -> None:
    cuda_or_error()
    if is_simulated():
        raise LudometerError("the simulator is no GPU; unset NUMBA_ENABLE_CUDASIM")


def _limit(text: str) -> int | None:
    if text == "none":
        return None
    try:
        return int(float(text.removesuffix("GB")) * 1e9)
    except ValueError:
        raise LudometerError(f"a limit is none or such as 24GB, not {text!r}") from None


def main(arguments: list[str]) -> int:
    options = {word for word in arguments if word.startswith("--")}
    trials = [word for word in arguments if "=" in word]
    words = [word for word in arguments if word not in options and word not in trials]
    try:
        if options - {"--json", "--profile"} or (words and words[0] not in KNOWN):
            raise LudometerError(f"python -m benchmarks.solving_gpu [{'|'.join(KNOWN)} [LIMIT…]] [TRIAL…] [--profile] [--json]")
        chosen = {words[0]: tuple(words[1:]) or LIMITS[words[0]]} if words else LIMITS
        limits = {spec: [_limit(text) for text in texts] for spec, texts in chosen.items()}
        _must_have_gpu()
        for trial in trials:
            _try(trial)
        right = True
        for spec, spec_limits in limits.items():
            tables = tile_tables(game(spec))
            for limit in spec_limits:
                for profile in (False, True) if "--profile" in options else (False,):
                    found = measure(spec, limit, profile, tables)
                    give_back()
                    right &= found["right"]
                    print(json.dumps(found) if "--json" in options else _text(found), flush=True)
    except LudometerError as error:
        print(error, file=sys.stderr)
        return 2
    return 0 if right else 1


def _text(found: dict[str, Any]) -> str:
    limit = "what is free" if found["limit"] is None else f"{found['limit'] / 1e9:g} GB"
    lines = [
        f"{found['game']} within {limit}: {found['seconds']} s{' with the clock in each kernel' if found['seconds_by_kernel'] else ''}, "
        f"{found['entries_per_second'] / 1e9:.2f} billion entries/s, "
        f"peak {found['peak_memory'] / 1e9:.1f} GB ({found['card_in_use'] / 1e9:.1f} GB in use on the card), "
        f"tables {'stay on the card' if found['resident'] else 'wait on the host'}; totals {'right' if found['right'] else 'WRONG'}",
        f"  launches: {', '.join(f'{name} {number:,}' for name, number in found['launches'].items())}",
    ]
    if found["microseconds_per_launch"] is not None:
        lines.append(f"  the host needs {found['microseconds_per_launch']} µs to launch a kernel")
    lines += [f"  {name:<10} {seconds:8.3f} s" for name, seconds in found["seconds_by_kernel"].items()]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
