"""Sections 3.1 to 3.3: payoffs, equilibria and the stability of mixed points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludometer.dynamics.equilibria import equilibria, nash_conv
from ludometer.dynamics.fields import field_of
from ludometer.dynamics.payoffs import as_arrays, find_game
from ludometer.dynamics.rest_points import rest_points
from ludometer.studies.agreement import equal, holds, wrong
from ludometer.studies.entry import Entry, Kind, Measured
from ludometer.studies.laboratory import Laboratory

GAMES = ("dispersion", "sexes", "prisoners", "brps")


def _payoffs(lab: Laboratory) -> Measured:
    value = {}
    for name in GAMES:
        row, column = as_arrays(find_game(f"matrix:{name}")[0])
        value[name] = [[[float(mine), float(theirs)] for mine, theirs in zip(*rows)] for rows in zip(row, column)]
    return Measured(value, "all cells of the four tables")


def _equilibria(name: str) -> Callable[[Laboratory], Measured]:
    """Pure equilibria by the names of their actions, mixed ones as fractions, and whether they are Pareto-optimal."""

    def measure(lab: Laboratory) -> Measured:
        table = find_game(f"matrix:{name}")[0]
        value: dict[str, Any] = {"pure": [], "mixed": [], "pareto": {}}
        for found in equilibria(table):
            if found.pure:
                label = f"({table.row_labels[found.row.index(1)]},{table.column_labels[found.column.index(1)]})"
                value["pure"].append(label)
            else:
                label = " ".join(str(share) for share in (*found.row, *found.column))
                value["mixed"].append(label)
            value["pareto"][label] = found.pareto
        text = f"pure {', '.join(value['pure']) or 'none'}; mixed {', '.join(value['mixed']) or 'none'}"
        return Measured({"pure": sorted(value["pure"]), "mixed": value["mixed"]}, text, data=value["pareto"], note=_pareto(value["pareto"]))

    return measure


def _pareto(flags: dict[str, bool]) -> str:
    return "Pareto-optimal: " + (", ".join(label for label, flag in flags.items() if flag) or "none")


def _biased(lab: Laboratory) -> Measured:
    found = _equilibria("brps")(lab)
    gains = nash_conv(find_game("matrix:brps")[0], [0, 1, 0], [0, 1, 0])
    return Measured(
        found.value, found.text, data={"gains": [str(gain) for gain in gains]}, note=f"at (P,P) each gains {gains[0]} by Scissors"
    )


def _stability(lab: Laboratory) -> Measured:
    value = {}
    for name in ("dispersion", "sexes"):
        (point,) = [one for one in rest_points(field_of(f"matrix:{name}")) if max(one.state) < 1]
        value[name] = [point.kind, *sorted(round(eigenvalue.real, 9) for eigenvalue in point.eigenvalues)]
    return Measured(value)


def _four_tables() -> dict[str, Any]:
    zero_sum = [[0, -0.25, 0.5], [0.25, 0, -0.05], [-0.5, 0.05, 0]]
    return {
        "dispersion": [[[-1, -1], [1, 1]], [[1, 1], [-1, -1]]],
        "sexes": [[[3, 2], [0, 0]], [[0, 0], [2, 3]]],
        "prisoners": [[[-1, -1], [-4, 0]], [[0, -4], [-3, -3]]],
        "brps": [[[mine, -mine] for mine in row] for row in zero_sum],
    }


ENTRIES = (
    Entry(
        name="004.payoffs",
        title="payoffs of four matrix games",
        where="table 1",
        kind=Kind.EXACT,
        reported=_four_tables(),
        reported_text="table 1",
        settings="ludometer show matrix:dispersion|sexes|prisoners|brps",
        measure=_payoffs,
        rule=equal(),
        in_suite=True,
    ),
    Entry(
        name="004.ne.dispersion",
        title="equilibria of the dispersion game",
        where="3.2 (a)",
        kind=Kind.EXACT,
        reported={"pure": ["(A,B)", "(B,A)"], "mixed": ["1/2 1/2 1/2 1/2"]},
        settings="ludometer dynamics matrix:dispersion --learners none",
        measure=_equilibria("dispersion"),
        rule=equal(),
        in_suite=True,
    ),
    Entry(
        name="004.ne.sexes",
        title="equilibria of the battle of the sexes",
        where="3.2 (b)",
        kind=Kind.EXACT,
        reported={"pure": ["(M,O)", "(O,M)"], "mixed": ["3/5 2/5 2/5 3/5"]},
        settings="ludometer dynamics matrix:sexes --learners none",
        measure=_equilibria("sexes"),
        rule=wrong(
            "at (M,O) and (O,M) both are paid 0 and either gains by changing alone; the pure equilibria are (M,M) and (O,O), as section "
            "3.3 (b) of the report itself has it",
            truth={"pure": ["(M,M)", "(O,O)"], "mixed": ["3/5 2/5 2/5 3/5"]},
        ),
        in_suite=True,
    ),
    Entry(
        name="004.ne.prisoners",
        title="equilibria of the prisoner's dilemma",
        where="3.2 (c)",
        kind=Kind.EXACT,
        reported={"pure": ["(D,D)"], "mixed": []},
        settings="ludometer dynamics matrix:prisoners --learners none",
        measure=_equilibria("prisoners"),
        rule=equal(),
        note="it is not Pareto-optimal, as reported",
        in_suite=True,
    ),
    Entry(
        name="004.ne.brps",
        title="equilibria of biased rock-paper-scissors",
        where="3.2 (d)",
        kind=Kind.EXACT,
        reported={"pure": ["(P,P)"], "mixed": []},
        settings="ludometer dynamics matrix:brps --learners none",
        measure=_biased,
        rule=wrong(
            "against Paper, Scissors earns 0.05 and Paper 0, so (P,P) is no equilibrium; the only one is mixed (proof: docs/dynamics.md)",
            truth={"pure": [], "mixed": ["1/16 5/8 5/16 1/16 5/8 5/16"]},
        ),
        in_suite=True,
    ),
    Entry(
        name="004.stability",
        title="mixed equilibria of dispersion and the battle of the sexes are unstable",
        where="3.3 (a), (b)",
        kind=Kind.EXACT,
        reported="not asymptotically stable; asymptotically unstable",
        settings="rest points of the replicator field, with their eigenvalues",
        measure=_stability,
        rule=holds(lambda value: all(one[0] == "saddle" for one in value.values()), "both are saddles"),
        in_suite=True,
    ),
)
