"""Access to numba.cuda, and kernel launches: compiled once for their types, timed on request."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from ludometer.core.errors import LudometerError
from ludometer.solvers.options import OptionError

# numba-cuda 0.30 uses NumPy names that NumPy 2.5 has dropped.
for _name, _now in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
    if not hasattr(np, _name):
        setattr(np, _name, getattr(np, _now))


def cuda_or_error() -> Any:
    """The numba.cuda module; raises LudometerError without CUDA support or a device."""
    try:
        from numba import cuda
    except ImportError as error:
        raise LudometerError("no CUDA support is installed; pip install 'ludometer[cuda]'") from error
    if not cuda.is_available():
        raise OptionError("no CUDA device was found", "use {device} cpu")
    return cuda


def is_simulated() -> bool:
    """Whether kernels run in Numba's simulator on the CPU."""
    from numba.core import config

    return bool(config.ENABLE_CUDASIM)


class Launcher:
    """Launches kernels with blocks of `threads` threads, `blocks` of them unless told otherwise."""

    def __init__(self, cuda: Any) -> None:
        self._cuda = cuda
        self._compiled: dict[Any, Any] = {}
        self.seconds: dict[str, float] = {}  # by name of launch, filled while `profile` is set
        self.profile = False
        if is_simulated():
            self.threads, self.blocks = 4, 2
        else:
            self.threads, self.blocks = 256, 16 * cuda.get_current_device().MULTIPROCESSOR_COUNT
        _silence_performance_warnings()

    def run(self, name: str, kernel: Any, *arguments: Any, blocks: int | None = None, threads: int | None = None, shared: int = 0) -> None:
        """Launch a kernel.  `shared`: bytes of dynamic shared memory."""
        launch = self._specialized(kernel, arguments)[blocks or self.blocks, threads or self.threads, 0, shared]
        if not self.profile:
            launch(*arguments)
            return
        self._cuda.synchronize()
        since = time.perf_counter()
        launch(*arguments)
        self._cuda.synchronize()
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - since

    def blocks_for(self, items: int, each: int | None = None) -> int:
        """Number of blocks for `items` items, `each` to a block (None: one to a thread).

        A superfluous block would cost its copy of the small tables.
        """
        return max(1, min(self.blocks, -(-items // (each or self.threads))))

    def _specialized(self, kernel: Any, arguments: Sequence[Any]) -> Any:
        """The kernel compiled for the types of these arguments, the same at every launch; skips Numba's slow dispatch by type."""
        if is_simulated():
            return kernel
        if kernel not in self._compiled:
            self._compiled[kernel] = kernel.specialize(*arguments)
        return self._compiled[kernel]


def _silence_performance_warnings() -> None:
    """Turn off Numba's advice about occupancy and implicit copies: small pairs do not fill a card, and counts come from the host."""
    from numba.cuda.core import config

    config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
    config.CUDA_WARN_ON_IMPLICIT_COPY = 0
