"""What this machine offers a process.  Loads no compiler."""

from __future__ import annotations

import os


def usable_cores() -> int:
    """Number of processor cores this process may run on; all of the machine's if the system does not restrict processes to cores."""
    affinity = getattr(os, "sched_getaffinity", None)  # Linux only
    return (os.cpu_count() or 1) if affinity is None else len(affinity(0))
