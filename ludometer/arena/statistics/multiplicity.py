"""Corrections of p-values for multiple testing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludometer.core.errors import LudometerError


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values that bound the chance of any false rejection (Holm 1979), in the order given.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    values, order = _sorted(p_values)
    count = len(values)
    adjusted = np.minimum(1.0, np.maximum.accumulate(values * np.arange(count, 0, -1)))
    return _in_order(adjusted, order)


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values that bound the expected share of false rejections (Benjamini and Hochberg 1995), in the order given.

    >>> [round(p, 3) for p in benjamini_hochberg([0.01, 0.04, 0.03])]
    [0.03, 0.04, 0.04]
    """
    values, order = _sorted(p_values)
    count = len(values)
    raised = values * count / np.arange(1, count + 1)
    adjusted = np.minimum(1.0, np.minimum.accumulate(raised[::-1])[::-1])
    return _in_order(adjusted, order)


def _sorted(p_values: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    values = np.asarray(p_values, dtype=np.float64)
    if values.ndim != 1 or not ((values >= 0) & (values <= 1)).all():
        raise LudometerError("p-values are numbers from 0 to 1")
    order = np.argsort(values, kind="stable")
    return values[order], order


def _in_order(adjusted: np.ndarray, order: np.ndarray) -> list[float]:
    found = np.empty(len(adjusted))
    found[order] = adjusted
    return [float(value) for value in found]
