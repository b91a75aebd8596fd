"""Data frames, if pandas is installed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ludometer.core.errors import LudometerError


def data_frame(rows: Iterable[Mapping[str, Any]]) -> Any:
    """A pandas DataFrame of these rows; raises LudometerError without pandas."""
    try:
        import pandas
    except ImportError:
        raise LudometerError("a data frame needs the package pandas; pip install pandas") from None
    return pandas.DataFrame(list(rows))
