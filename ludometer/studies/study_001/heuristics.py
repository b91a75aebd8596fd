"""Section V: four heuristics."""

from __future__ import annotations

from itertools import product
from math import factorial

import numpy as np

from ludometer.agents.search import evaluation
from ludometer.studies.agreement import equal, hardware, wrong
from ludometer.studies.decisions import decided
from ludometer.studies.entry import Entry, Kind, Measured
from ludometer.studies.laboratory import Laboratory
from ludometer.studies.study_001.matches import GAME, alpha_beta, one_match, random_positions

_PLIES = range(1, 60)
_DEPTH = 4  # plies of the search in which evaluations are timed


def _fillings(lab: Laboratory) -> Measured:
    return Measured(sum(1 for _ in product("XO.", repeat=9)))


def _equal_heuristics(lab: Laboratory) -> Measured:
    """At how many positions the looked-up heuristic differs from the worked-out one."""
    positions = random_positions(lab.pick(500, 5000), 3, _PLIES)
    differing = sum(evaluation(one, "heur2") != evaluation(one, "heur3") for one in positions)
    return Measured(differing, f"different at {differing} of {len(positions):,} positions")


def _evaluation_time(lab: Laboratory) -> Measured:
    """Microseconds for each position at the horizon of the same search, by heuristic."""
    positions = random_positions(10, 4, range(10, 30))
    microseconds = []
    for name in ("heur2", "heur3"):
        spec = f"minimax:{_DEPTH},evaluation={name}"
        reports = [min((decided(spec, one).report for _ in range(3)), key=lambda report: report["seconds"]) for one in positions]
        microseconds.append(1e6 * sum(report["seconds"] for report in reports) / sum(report["leaves"] for report in reports))
    text = f"{microseconds[0]:.3g} and {microseconds[1]:.3g} µs for a position with all that the search does, a ratio of "
    return Measured(microseconds, text + f"{microseconds[0] / microseconds[1]:.1f} (reported 2.0)")


def _positions_of_depth_three(lab: Laboratory) -> Measured:
    from ludometer.games import game
    from ludometer.solvers.perft import perft

    return Measured(perft(game(GAME).start(), 6), note="positions six plies from the start, each way of reaching one counted")


def _endgame(lab: Laboratory) -> Measured:
    return Measured(int(np.prod(range(2, 12), dtype=np.int64)), f"11 · 10 · … · 2 = {factorial(11):,}")


ENTRIES = (
    Entry(
        name="001.heur3.table",
        title="fillings of a small board",
        where="V",
        kind=Kind.EXACT,
        reported=19683,
        settings="all of them, counted",
        measure=_fillings,
        rule=equal(),
        in_suite=True,
    ),
    Entry(
        name="001.heur3.equals",
        title="positions at which heur3 differs from heur2",
        where="V",
        kind=Kind.EXACT,
        reported=0,
        reported_text="similar, only slower",
        settings="both at positions of random games",
        measure=_equal_heuristics,
        rule=equal(),
        in_suite=True,
    ),
    Entry(
        name="001.heur3.time",
        title="microseconds for an evaluation by heur2 and heur3",
        where="V",
        kind=Kind.HARDWARE,
        reported=[68.243, 33.754],
        settings=f"minimax:{_DEPTH} with both, seconds ÷ positions evaluated",
        measure=_evaluation_time,
        rule=hardware(),
    ),
    one_match(
        "001.heur.3v1",
        "heur3 against heur1 at depth 2",
        "V",
        alpha_beta(),
        alpha_beta(2, "heur1"),
        0.8405,
        1000,
        200,
        also_open=True,
    ),
    one_match(
        "001.heur.4v3",
        "heur4 against heur3 at depth 2",
        "V",
        alpha_beta(2, "heur4"),
        alpha_beta(),
        0.5025,
        1000,
        200,
        2000,
        note="1,000 games could not have shown less than some 22 Elo (1.96 standard errors of 1.6 points)",
    ),
    Entry(
        name="001.count.d3",
        title="positions that minimax of depth 3 has to examine at the start",
        where="VI",
        kind=Kind.EXACT,
        reported=43_046_721,
        reported_text="81 · 9^6 = 43,046,721",
        settings=f"ludometer perft {GAME} 6",
        measure=_positions_of_depth_three,
        rule=wrong(
            "depth 3 is three moves of each player, six plies, and 81 · 9^6 counts seven; six are at most 81 · 9^5 = 4,782,969, and fewer "
            "where a player is sent to a board that has marks already"
        ),
        in_suite=True,
    ),
    Entry(
        name="001.count.11",
        title="positions that minimax of depth 5 has to examine with 11 empty squares",
        where="VI",
        kind=Kind.EXACT,
        reported=39_916_800,
        reported_text="11! = 39,916,800",
        settings="arithmetic: ten plies among 11 squares",
        measure=_endgame,
        rule=equal(),
        in_suite=True,
    ),
)
