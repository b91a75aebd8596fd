"""Rules of agreement against numbers that are known."""

from __future__ import annotations

import pytest

from ludometer.studies import agreement
from ludometer.studies.agreement import FigurePoint, Share
from ludometer.studies.entry import Measured, Verdict


def test_equal_names_what_differs() -> None:
    rule = agreement.equal()
    assert rule({"a": [1, 2]}, Measured({"a": [1, 2]})).verdict is Verdict.AGREES
    judged = rule({"a": [1, 2], "b": 0}, Measured({"a": [1, 3]}))
    assert judged.verdict is Verdict.DIFFERS
    assert "a[1]: 2 reported, 3 here" in judged.why
    assert "b is only reported" in judged.why
    assert rule([1, 2], Measured([1])).verdict is Verdict.DIFFERS


def test_a_report_is_wrong_only_with_the_truth() -> None:
    rule = agreement.wrong("because", truth=1836)
    assert rule(1848, Measured(1836)).verdict is Verdict.WRONG
    assert rule(1848, Measured(1848)).verdict is Verdict.AGREES
    assert rule(1848, Measured(1)).verdict is Verdict.DIFFERS


def test_hardware_gives_a_ratio() -> None:
    judged = agreement.hardware()(20.0, Measured(0.5))
    assert judged.verdict is Verdict.HARDWARE
    assert judged.agrees is None
    assert "40" in judged.why


def test_within() -> None:
    assert agreement.within(0.01)([0.5, 0.7], Measured([0.505, 0.69])).verdict is Verdict.AGREES
    assert agreement.within(0.01)([0.5, 0.7], Measured([0.505, 0.68])).verdict is Verdict.DIFFERS
    assert agreement.within(0.1, relative=True)(100.0, Measured(109.0)).verdict is Verdict.AGREES
    assert agreement.within(0.1, relative=True)(-100.0, Measured(-109.0)).verdict is Verdict.AGREES
    assert agreement.within(0.1, relative=True)(-100.0, Measured(-111.0)).verdict is Verdict.DIFFERS
    with pytest.raises(ValueError):
        agreement.within(0.01)([0.5], Measured([0.5, 0.5]))


def test_wilson_and_newcombe() -> None:
    """Newcombe (1998): 56/70 against 48/80 has the score interval 0.0524 … 0.3339."""
    low, high = agreement.share_difference(Share(48 / 80, 80), Share(56 / 70, 70), alpha=0.05)
    assert (round(low, 4), round(high, 4)) == (0.0524, 0.3339)
    assert agreement.wilson(Share(1.0, 100))[1] == pytest.approx(1.0)


def test_shares() -> None:
    rule = agreement.shares(games=100)
    assert rule(0.78, Measured(0.72, data={"games": 1000})).verdict is Verdict.AGREES
    assert rule(0.78, Measured(0.5, data={"games": 1000})).verdict is Verdict.DIFFERS


def test_a_whole_figure_is_one_test() -> None:
    """Under chance alone the p-value is uniform; a shift of all points is found although no single point shows it."""
    import numpy as np

    random = np.random.default_rng(1)
    p_values = []
    for _ in range(400):
        noise = random.normal(size=(50, 2)) * (3.0, 1.0)
        p_values.append(agreement.test_figure([FigurePoint(50 + a, 50 + b, 3.0, 1.0) for a, b in noise]).p_value)
    assert 0.4 < np.mean(p_values) < 0.6
    assert np.mean(np.array(p_values) < 0.01) <= 0.03
    shifted = agreement.test_figure([FigurePoint(50.0, 55.0, 3.0, 1.0)] * 50)
    assert not shifted.agrees and shifted.largest < 2
    assert agreement.test_figure([FigurePoint(None, 99.0, 3.0, 1.0)]).points == 0
