"""Compiled distribution function of `pair_bounds`.

It computes P(Σ Dₖ·xₖ ≤ m) for D ~ Dirichlet(weights), which is P(Y ≤ 0) for Y = Σ Gₖ·vₖ with independent Gₖ ~ Gamma(weightₖ)
and vₖ = xₖ − m.  With h(s) = log E[exp(s·Y)] − log(−s), for a real c < 0,

    P(Y ≤ 0)  =  1/(2πi) ∫ exp(h(s)) ds    upwards through c.

On the path of steepest descent through the minimum c of h, where h(s) = h(c) − w² with real w, the integrand is
exp(h(c) − w²)·ds/dw.  It does not oscillate, and an equidistant sum over w is exact to about 12 digits for 2 to 10⁸ pairs.
The path stays in the upper half-plane and goes to infinity, so it can be followed from c by Newton's method.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs
from __future__ import annotations

import numpy as np
from numba import njit

from ludometer.core.compiling.compilation import kernel

_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
_STEP = 0.1  # of w
_STEPS = 65  # up to w = 6.5, where exp(−w²) is 10⁻¹⁸
_EQUAL = 1e-14  # scores nearer than this are the same
_ROUNDS = 60  # of Newton's method on the real line, at most
_CORRECTIONS = 20  # of Newton's method at one point of the path, at most


@njit
def _saddle(weight, v):
    """The minimum of h between the lowest s for which the expectation exists and 0."""
    lowest = 0.0
    total = 0.0
    for k in range(5):
        total += weight[k]
        if weight[k] > 0 and v[k] < lowest:
            lowest = v[k]
    low = 1.0 / lowest
    high = 0.0
    point = low / (1.0 + np.sqrt(total))
    for _ in range(_ROUNDS):
        slope = -1.0 / point
        curvature = 1.0 / (point * point)
        for k in range(5):
            if weight[k] > 0:
                ratio = v[k] / (1.0 - point * v[k])
                slope += weight[k] * ratio
                curvature += weight[k] * ratio * ratio
        if slope < 0:
            low = point
        else:
            high = point
        moved = point - slope / curvature
        if not low < moved < high:
            moved = (low + high) / 2
        if abs(moved - point) <= 1e-14 * abs(point):
            return moved
        point = moved
    return point


@njit
def _lower_tail(weight, v):
    """P(Σ Gₖ·vₖ ≤ 0) where the mean of that sum is not negative."""
    c = _saddle(weight, v)
    ratio = np.zeros(5)
    height = -np.log(-c)
    curvature = 1.0 / (c * c)
    for k in range(5):
        if weight[k] > 0:
            ratio[k] = v[k] / (1.0 - c * v[k])
            height -= weight[k] * np.log(1.0 - c * v[k])
            curvature += weight[k] * ratio[k] * ratio[k]
    slope = 1j * np.sqrt(2.0 / curvature)  # ds/dw
    total = 0.5 * slope.imag
    away = 0j  # s − c
    for step in range(1, _STEPS + 1):
        w = step * _STEP
        away = away + _STEP * slope
        for _ in range(_CORRECTIONS):
            depth = w * w - np.log(1.0 + away / c)
            gradient = -1.0 / (c + away)
            for k in range(5):
                if weight[k] > 0:
                    rest = 1.0 - away * ratio[k]
                    depth -= weight[k] * np.log(rest)
                    gradient += weight[k] * ratio[k] / rest
            change = depth / gradient
            away = away - change
            if abs(change) <= 1e-13 * abs(away):
                break
        slope = -2.0 * w / gradient
        total += np.exp(-w * w) * slope.imag
    return min(1.0, max(0.0, np.exp(height) * total * _STEP / np.pi))


@njit
def _share_below(weight, mean):
    """P(Σ Dₖ·xₖ ≤ mean) for D ~ Dirichlet(weight)."""
    v = np.zeros(5)
    middle = 0.0
    above = below = False
    for k in range(5):
        v[k] = _SCORES[k] - mean
        if abs(v[k]) < _EQUAL:
            v[k] = 0.0
        middle += weight[k] * v[k]
        above |= weight[k] > 0 and v[k] > 0
        below |= weight[k] > 0 and v[k] < 0
    if not above:
        return 1.0
    if not below:
        return 0.0
    if middle >= 0:
        return _lower_tail(weight, v)
    return 1.0 - _lower_tail(weight, -v)  # the smaller tail is the one computed, so that it keeps its digits


@kernel
def shares_below(weights, means):
    """(rows,) P(Σ Dₖ·xₖ ≤ mean) for weights (rows, 5) and means (rows,), both float64."""
    shares = np.zeros(len(weights))
    for row in range(len(weights)):
        shares[row] = _share_below(weights[row], means[row])
    return shares


@kernel
def quantiles(weights, shares):
    """(rows,) the m with P(Σ Dₖ·xₖ ≤ m) = share, for weights (rows, 5) and shares (rows,) between 0 and 1, both float64."""
    found = np.zeros(len(weights))
    for row in range(len(weights)):
        found[row] = _quantile(weights[row], shares[row])
    return found


@njit
def _quantile(weight, share):
    """The Illinois method on log(P / share), which is nearly a parabola in m."""
    low, high = 1.0, 0.0
    for k in range(5):
        if weight[k] > 0:
            low, high = min(low, _SCORES[k]), max(high, _SCORES[k])
    if low == high:
        return low
    at_low, at_high = -700.0, -np.log(share)
    side = 0
    for _ in range(200):
        # halve at first: the guess at the lower end is arbitrary
        middle = (low + high) / 2 if at_low == -700.0 else (low * at_high - high * at_low) / (at_high - at_low)
        if not low < middle < high:
            break
        value = np.log(max(_share_below(weight, middle), 1e-300) / share)
        if value > 0:
            high, at_high = middle, value
            if side > 0:
                at_low /= 2
            side = 1
        else:
            low, at_low = middle, value
            if side < 0:
                at_high /= 2
            side = -1
        if abs(value) < 1e-12 or high - low < 1e-15:
            return middle
    return (low + high) / 2
