"""Estimates in words: percents, Elo, intervals, times, as texts about matches, tournaments and ladders write them."""

from __future__ import annotations

from math import floor, log10

from ludometer.arena.statistics.match_statistics import EloEstimate
from ludometer.arena.statistics.pair_counts import Interval


def digits_for(interval: Interval) -> int:
    """Decimals of a percentage that say no more than its interval does: 1 for a width of 2 points, 3 for 0.05 points."""
    width = 100 * interval.width
    return 1 if width <= 0 else min(4, max(1, 1 - floor(log10(width))))


def percent_text(share: float, digits: int = 1) -> str:
    """A share as percent; never 0 or 100 for something that is not."""
    text = f"{100 * share:.{digits}f}"
    least = 10.0**-digits
    if share > 0 and float(text) == 0:
        return f"< {least:.{digits}f} %"
    if share < 1 and float(text) == 100:
        return f"> {100 - least:.{digits}f} %"
    return f"{text} %"


def interval_text(interval: Interval, digits: int | None = None) -> str:
    """An interval of a share, in percent: 48.1 to 53.0 %."""
    places = digits_for(interval) if digits is None else digits
    return f"{100 * interval.low:.{places}f} to {100 * interval.high:.{places}f} %"


def signed_text(number: float) -> str:
    """An Elo difference: +12, −7, 0, with one decimal below 10."""
    text = f"{number:+.0f}" if abs(number) >= 9.95 else f"{number:+.1f}"
    return "0" if float(text) == 0 else text.replace("-", "−")


def elo_texts(elo: EloEstimate) -> tuple[str, str]:
    """An Elo difference and its interval; where a score of 0 or 100 % has none, what holds at least, and why."""
    if elo.open_high:
        return f"over {signed_text(elo.low)}", "with 97.5 % confidence; a score of 100 % has no upper bound"
    if elo.open_low:
        return f"under {signed_text(elo.high)}", "with 97.5 % confidence; a score of 0 % has no lower bound"
    return signed_text(elo.elo), f"{signed_text(elo.low)} to {signed_text(elo.high)}: 95 % interval"


def p_value_text(p: float) -> str:
    """A probability with two digits that matter: 0.31, 0.0042, 3.1e-08."""
    return "1" if p >= 0.995 else f"{p:.2g}" if p > 0 else "< 1e-300"


def time_text(seconds: float | None) -> str:
    """A short time: 230 ns, 4.1 µs, 12 ms, 1.3 s; `not timed` for None."""
    if seconds is None:
        return "not timed"
    for size, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size:
            return f"{seconds / size:.3g} {name}"
    return f"{seconds / 1e-9:.3g} ns"
