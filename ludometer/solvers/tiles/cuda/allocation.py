"""Allocation of the card's memory, counted and limited."""

from __future__ import annotations

import threading
import weakref
from typing import Any

import numpy as np

from ludometer.core.errors import LudometerError

_SPARED_FRACTION = 50  # 1/50 of the free memory is kept free against fragmentation


class Card:
    """The memory of a card: bytes in use, their peak, and the budget."""

    def __init__(self, cuda: Any, simulated: bool) -> None:
        self._cuda = cuda
        self._simulated = simulated
        self._counting = threading.RLock()  # arrays may be freed by any thread, and in the midst of counting
        self._budget: int | None = None
        self.used = 0
        self.peak = 0

    def free(self) -> int | None:
        """Bytes that can be allocated now; None in the simulator, which allocates host memory."""
        if self._simulated:
            return None
        free = int(self._cuda.current_context().get_memory_info().free)
        return free - free // _SPARED_FRACTION

    def limit(self, budget: int, at_once: bool) -> None:
        """Set the budget in bytes.  `at_once`: return freed memory to the driver immediately instead of in batches."""
        self._budget = budget
        if at_once:
            from numba.cuda.core import config

            config.CUDA_DEALLOCS_COUNT = 0

    def has_room(self, size: int) -> bool:
        return self._budget is None or self.used + size <= self._budget

    def array(self, size: int, kind: Any) -> Any:
        """A new array; raises LudometerError when there is no room for it."""
        return self._counted(size * np.dtype(kind).itemsize, lambda: self._cuda.device_array(size, kind))

    def put(self, array: np.ndarray) -> Any:
        """A copy of an array; raises LudometerError when there is no room for it."""
        return self._counted(array.nbytes, lambda: self._cuda.to_device(array))

    def _counted(self, size: int, allocate: Any) -> Any:
        too_little = f"the card's memory does not suffice: no room for another {size / 1e9:.1f} GB"
        if not self.has_room(size):
            raise LudometerError(too_little)
        try:
            made = allocate()
        except Exception as error:  # the driver's error class differs between versions and the simulator
            if "MEMORY" not in str(error).upper():
                raise
            raise LudometerError(too_little) from error
        with self._counting:
            self.used += size
            self.peak = max(self.peak, self.used)
        weakref.finalize(made, self._freed, size)
        return made

    def _freed(self, size: int) -> None:
        with self._counting:
            self.used -= size
