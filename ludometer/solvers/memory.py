"""How much memory this machine has, and how much of it is free.  Loads no compiler."""

from __future__ import annotations

import os
from pathlib import Path

_GROUP = Path("/sys/fs/cgroup")
_SYSTEM = Path("/proc/meminfo")


def physical_memory() -> int | None:
    """Bytes of memory of this machine, or of the control group this process is confined to; None where the system does not say."""
    if not hasattr(os, "sysconf"):
        return None
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limit = _group_number("memory.max")
    return memory if limit is None else min(memory, limit)


def free_memory() -> int | None:
    """Bytes that can be had without pushing others out of memory; all there are where the system does not say more."""
    memory = physical_memory()
    if memory is None:
        return None
    limit, used = _group_number("memory.max"), _group_number("memory.current")
    if limit is not None and used is not None:
        memory = min(memory, max(0, limit - used))
    if _SYSTEM.is_file():
        for line in _SYSTEM.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                memory = min(memory, 1024 * int(line.split()[1]))
    return memory


def _group_number(name: str) -> int | None:
    file = _GROUP / name
    text = file.read_text().strip() if file.is_file() else ""
    return int(text) if text.isdigit() else None
