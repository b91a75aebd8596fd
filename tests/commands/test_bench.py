"""`bench`: what it prints of ratios."""

from __future__ import annotations

from ludometer.commands.bench import _ratio


def test_ratios_near_one_keep_the_digits_that_say_what_something_costs() -> None:
    assert [_ratio(one) for one in (0.9874, 1.0, 1.9996, 2.04, 31.27)] == ["0.987", "1.000", "2.000", "2.0", "31.3"]
