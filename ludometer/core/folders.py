"""Where files of this user lie.  `LUDOMETER_HOME` and `LUDOMETER_CACHE` replace the system's folders for data and for caches.

Tables, experiments and games in progress are data; compiled code is a cache and can be removed at any time.
"""

from __future__ import annotations

import os
from pathlib import Path

DATA_VARIABLE = "LUDOMETER_HOME"
CACHE_VARIABLE = "LUDOMETER_CACHE"


def data_folder() -> Path:
    """The folder for data: `LUDOMETER_HOME`, or the system's, such as ~/.local/share/ludometer.  It may not exist yet."""
    chosen = os.environ.get(DATA_VARIABLE)
    if chosen:
        return Path(chosen).expanduser()
    from platformdirs import user_data_path

    return user_data_path("ludometer", appauthor=False)


def tables_folder() -> Path:
    """The folder of solved games."""
    return data_folder() / "tables"


def experiments_file() -> Path:
    """The database of experiments."""
    return data_folder() / "experiments.sqlite"


def compiled_folder() -> Path:
    """The folder of compiled code: `LUDOMETER_CACHE`, or the system's, such as ~/.cache/ludometer/compiled."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen).expanduser()
    from platformdirs import user_cache_path

    return user_cache_path("ludometer", appauthor=False) / "compiled"
