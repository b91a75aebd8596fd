"""Sections 2.2, 3.1 and 3.2: what solving takes, how many positions are won, and single positions."""

from __future__ import annotations

import time
from contextlib import suppress
from math import comb
from typing import Any

from ludometer.core.outcome import DRAW
from ludometer.core.position import Position
from ludometer.games import game
from ludometer.solvers import predecessors, solve
from ludometer.solvers.solution import VALUE_NAMES
from ludometer.studies.agreement import equal, hardware, within
from ludometer.studies.entry import Entry, Judgement, Kind, Measured, NotRun, Verdict
from ludometer.studies.laboratory import Laboratory
from ludometer.studies.study_000.committed import table_5x5, totals_5x5

_WINS = [4697505, 15277446, 2419938, 1740992, 1214497, 658834, 287864, 100374, 29314, 6656, 1012, 57]  # at 0, 1, 3, …, 21
_LOSSES = [4530779, 528, 3775611, 2970384, 1982339, 1034097, 438138, 182954, 66280, 18014, 4084, 520, 8]  # at 0, 1, 2, 4, …, 22
STEPS_4X4 = {
    "win": dict(zip(map(str, [0, *range(1, 22, 2)]), _WINS)),
    "loss": dict(zip(map(str, [0, 1, *range(2, 23, 2)]), _LOSSES)),
    "totals": {"win": 26434489, "loss": 15003736},
}
_BARS = {  # mover, other -> win, loss as they can be read off the figure
    "4, 4": [0.01, 0.0],
    "8, 8": [0.38, 0.01],
    "9, 9": [0.52, 0.03],
    "10, 10": [0.62, 0.07],
    "12, 12": [0.70, 0.19],
}


# ---- times ----


def _time_to_solve(spec: str, keep: str) -> Measured:
    solve(spec, workers=1, keep=keep)  # compiled, or read from the cache
    began = time.perf_counter()
    solve(spec, workers=1, keep=keep)
    seconds = time.perf_counter() - began
    return Measured(seconds, f"{seconds:.2g} s on one core")


def _below_a_second(reported: Any, measured: Measured) -> Judgement:
    return Judgement(Verdict.HARDWARE, f"{'also' if measured.value < 1 else 'not'} less than 1 s here")


# ---- sizes ----


def _storage(lab: Laboratory) -> Measured:
    gigabytes = 3**25 * 2 / 8 / 1e9, 3**36 * 2 / 8 / 1e12, 3**25 / 1e9
    return Measured(list(gigabytes), f"{gigabytes[0]:.1f} GB, {gigabytes[1]:,.0f} TB, {gigabytes[2]:.1f} GB")


def _largest_class(lab: Laboratory) -> Measured:
    positions = comb(25, 8) * comb(17, 8)
    largest = max(comb(25, mover) * comb(25 - mover, other) for mover in range(26) for other in range(26 - mover))
    is_largest = "" if positions == largest else " (not the largest class)"
    return Measured(positions / 4, f"{positions:,} positions in {positions / 4:,.1f} bytes{is_largest}")


# ---- values ----


def _start_values(lab: Laboratory) -> Measured:
    found, distances = {}, []
    for size in (3, 4):
        start = lab.solution(f"quixo:{size}").summary()["start"]
        found[f"{size}×{size}"] = start["value"]
        distances.append(f"{size}×{size} in {start['distance']} moves")
    found["5×5"] = totals_5x5()["start"]
    return Measured(found, note=f"won {', '.join(distances)}; 5×5 from the committed run on a GPU")


def _totals(lab: Laboratory) -> Measured:
    """Of a table that is here, or else of the committed run."""
    known, note = totals_5x5(), f"from the committed run: {totals_5x5()['how']}"
    with suppress(NotRun):
        known, note = table_5x5(lab).summary(), "from the table that is here"
    return Measured({name: known[name] for name in ("win", "loss", "draw")}, note=note)


def _bars(lab: Laboratory) -> Measured:
    found = {}
    for row in totals_5x5()["classes"]:
        name = f"{row['mover']}, {row['other']}"
        if name in _BARS:
            positions = row["win"] + row["loss"] + row["draw"]
            found[name] = [row["win"] / positions, row["loss"] / positions]
    text = "; ".join(f"({name}) {win:.3f} / {loss:.3f}" for name, (win, loss) in found.items())
    return Measured(found, text, note="classes in which both have as many tiles, from the committed run; win / loss")


def _steps(lab: Laboratory) -> Measured:
    found = lab.solution("quixo:4").summary()
    histogram = {name: {str(distance): count for distance, count in found["histogram"][name].items() if count} for name in ("win", "loss")}
    totals = {"win": found["win"], "loss": found["loss"]}
    text = f"{sum(map(len, histogram.values()))} numbers; {totals['win']:,} wins, {totals['loss']:,} losses"
    return Measured({**histogram, "totals": totals}, text)


# ---- single positions ----


def _value_in_5x5(text: str, lab: Laboratory) -> Measured:
    return Measured(VALUE_NAMES[table_5x5(lab).probe(game("quixo:5").position(text)).value.outcome])


def _unreachable(lab: Laboratory) -> Measured:
    return Measured(len(predecessors(game("quixo:4").position("..XX/OOOX/.XO./X.O. x"))))


def _value_in_4x4(text: str, lab: Laboratory) -> Measured:
    found = lab.solution("quixo:4").probe(game("quixo:4").position(text)).value
    return Measured([VALUE_NAMES[found.outcome], found.distance])


def _coming_back(lab: Laboratory) -> Measured:
    """For every drawing move of X, whether O has a drawing reply after which the board is the same up to symmetry."""
    solution = lab.solution("quixo:4")
    position = game("quixo:4").position(".XX./O.OX/OXXX/OXXO x")
    found = solution.probe(position)
    images = {position.transformed(symmetry) for symmetry in range(position.symmetry_count)}
    returning = 0
    for move in found.keeping:
        after = position.play(move)
        returning += any(_is_back(after, reply, images) for reply in solution.probe(after).keeping)
    value = {"value": VALUE_NAMES[found.value.outcome], "returns": returning == len(found.keeping)}
    text = f"draw; a drawing reply comes back after {returning} of the {len(found.keeping)} drawing moves"
    return Measured(value, text if found.value.outcome == DRAW else VALUE_NAMES[found.value.outcome])


def _is_back(after: Position, reply: int, images: set[Position]) -> bool:
    return after.play(reply) in images


def _exact(name: str, title: str, where: str, reported: Any, settings: str, measure: Any, **more: Any) -> Entry:
    rule = more.pop("rule", equal())
    return Entry(f"000.{name}", title, where, Kind.EXACT, reported, settings, measure, rule, in_suite=more.pop("in_suite", True), **more)


_POSITIONS_5X5 = (
    ("a", "a win with the fewest tiles of all", "XX..O/...../...../...../..... x", "win"),
    ("b", "a win with the fewest tiles, all taken blank", "XX.X./...../...../...../.O.OO x", "win"),
    ("c", "a loss with as many tiles as the other", "OOOO./...../...X./...../..XXX x", "loss"),
)
_POSITIONS_4X4 = (("b", "XOOO/OOXO/OXXO/OOOX x", ["loss", 1]), ("c", "..OX/..../XOO./.... x", ["loss", 22]))

_FEWEST = (
    "by the committed totals the 25 boards with one tile of the mover alone are won, too, but no game comes to them: the other has moved "
    "and has no tile; with one tile each all 600 are drawn"
)

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "000.time.3x3",
        "time to solve 3×3",
        "3.1",
        Kind.HARDWARE,
        1.0,
        "ludometer solve quixo:3 --workers 1",
        lambda lab: _time_to_solve("quixo:3", "distances"),
        _below_a_second,
        "less than 1 s, 16 threads",
    ),
    Entry(
        "000.time.4x4",
        "time to solve 4×4, values",
        "3.1",
        Kind.HARDWARE,
        20.0,
        "ludometer solve quixo:4 --values-only --workers 1",
        lambda lab: _time_to_solve("quixo:4", "values"),
        hardware(),
        "about 20 s, 16 threads",
    ),
    Entry(
        "000.time.5x5",
        "time to solve 5×5",
        "3.1",
        Kind.HARDWARE,
        [14 * 86400.0, 14 * 86400.0, 32 * 3600.0],
        "ludometer solve quixo:5 --device cuda --keep none",
        lambda lab: Measured([float(totals_5x5()["seconds"])] * 3, "67 s on one H200 (committed run)"),
        hardware(),
        "about 2 weeks, 16 threads; Tanaka et al.: about 2 weeks, 1 thread; about 32 hours, 32 threads",
    ),
    _exact(
        "size.storage",
        "storage of all states: 5×5 and 6×6 at 2 bits, 5×5 at 8 bits",
        "2.2.2.1, 2.2.4",
        [200, 38000, 800],
        "arithmetic",
        _storage,
        rule=within(0.06, relative=True),
        reported_text="≈ 200 GB, ≈ 38,000 TB, ≈ 800 GB",
    ),
    _exact(
        "size.class",
        "bytes for the largest class of 5×5, 8 tiles each, at 2 bits",
        "2.2.2.2",
        6e9,
        "C(25, 8) · C(17, 8) / 4",
        _largest_class,
        rule=within(0.1, relative=True),
        reported_text="up to ≈ 6 × 10⁹",
        note="6.6 × 10⁹ to two digits",
    ),
    _exact(
        "value.start",
        "value of the empty board",
        "3.2.1",
        {"3×3": "win", "4×4": "win", "5×5": "draw"},
        "ludometer probe quixo:3; probe quixo:4; solve quixo:5 --device cuda",
        _start_values,
    ),
    _exact(
        "count.5x5",
        "won, lost and drawn positions of 5×5",
        "3.2.2",
        {"win": 441815157309, "loss": 279746227956, "draw": 125727224178},
        "ludometer solve quixo:5 --device cuda --keep none",
        _totals,
        in_suite=False,
    ),
    _exact(
        "fig.classes5",
        "shares of won and lost positions by class of 5×5",
        "3.2.2, figure",
        _BARS,
        "ludometer analyze quixo:5 --plot classes.png",
        _bars,
        rule=within(0.01),
        note="read to ±0.01; the bars of (n, n + 1) are drawn by `analyze --plot` after a run on a GPU, their numbers are not committed",
        in_suite=False,
    ),
    *(
        _exact(
            f"pos.5x5{letter}",
            title,
            "3.2.3",
            value,
            f'ludometer probe quixo:5 "{text}"',
            lambda lab, text=text: _value_in_5x5(text, lab),
            in_suite=False,
            note=_FEWEST if letter == "a" else "",
        )
        for letter, title, text, value in _POSITIONS_5X5
    ),
    _exact(
        "pos.4x4a",
        "a state without a predecessor",
        "3.2.4",
        0,
        'ludometer probe quixo:4 "..XX/OOOX/.XO./X.O. x" --predecessors',
        _unreachable,
        reported_text="no previous state",
    ),
    *(
        _exact(
            f"pos.4x4{letter}",
            f"a loss in {value[1]}",
            "3.2.4",
            value,
            f'ludometer probe quixo:4 "{text}"',
            lambda lab, text=text: _value_in_4x4(text, lab),
        )
        for letter, text, value in _POSITIONS_4X4
    ),
    _exact(
        "pos.4x4d",
        "a draw to which O can always come back at once",
        "3.2.4",
        {"value": "draw", "returns": True},
        'ludometer probe quixo:4 ".XX./O.OX/OXXX/OXXO x", and after each drawing move',
        _coming_back,
        reported_text="draw; O comes back to it, up to symmetry, even if X plays optimally",
    ),
    _exact(
        "table.steps4",
        "positions of 4×4 by steps to the end, 25 numbers that are not 0 and two totals",
        "3.2.5",
        STEPS_4X4,
        "ludometer solve quixo:4",
        _steps,
        reported_text="25 numbers; 26,434,489 wins, 15,003,736 losses",
    ),
)
