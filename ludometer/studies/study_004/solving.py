"""Section 4: small boards of Dots-and-Boxes by minimax, a table, and symmetries."""

from __future__ import annotations

from typing import Any

from ludometer.games import game
from ludometer.solvers.perft import perft
from ludometer.studies.agreement import equal, holds, wrong
from ludometer.studies.decisions import decided
from ludometer.studies.entry import Entry, Judgement, Kind, Measured, NotRun, Verdict
from ludometer.studies.laboratory import Laboratory

STATES = {"1x1": 16, "1x2": 128, "2x2": 4096, "2x3": 131_072, "3x3": 16_777_216}
NAIVE = "minimax:99,goal=win,early=no"
WAYS = {"table": "none", "first strategy": "canonical", "second strategy": "all"}
_MEMORY = {"1x1": 100, "1x2": 1000, "2x2": 20_000, "2x3": 400_000, "3x3": 30_000_000}
NAIVE_2X2 = 823_059_745


def reports(lab: Laboratory) -> dict[str, dict[str, dict[str, Any]]]:
    """What the three ways with a table report of each board: way -> board -> report; 3×3 in full only."""
    boards = [board for board in STATES if board != "3x3" or lab.full]
    return lab.once(f"004 dots {boards}", lambda: {way: {board: _report(way, board) for board in boards} for way in WAYS})


def _report(way: str, board: str) -> dict[str, Any]:
    return decided(f"{NAIVE},cache=exact,symmetry={WAYS[way]},memory={_MEMORY[board]}", game(f"dots:{board}").start()).report


def _lines(board: str) -> int:
    """How many lines a board has."""
    return len(game(f"dots:{board}").start().legal)


def _states(lab: Laboratory) -> Measured:
    return Measured({board: 2 ** _lines(board) for board in STATES})


def _games(lab: Laboratory) -> Measured:
    value = {board: perft(game(f"dots:{board}").start(), _lines(board)) for board in ("1x1", "1x2")}
    return Measured(value, f"4! = {value['1x1']} games of 1×1, 7! = {value['1x2']:,} of 1×2")


def _symmetries(lab: Laboratory) -> Measured:
    return Measured({board: game(f"dots:{board}").start().symmetry_count for board in STATES})


def _column(lab: Laboratory, name: str) -> dict[str, list[int]]:
    return {way: [int(report[name]) for report in boards.values()] for way, boards in reports(lab).items()}


def _nodes(lab: Laboratory) -> Measured:
    value = _column(lab, "expanded")
    boards = list(next(iter(reports(lab).values())))
    shares = [count / STATES[board] for board, count in zip(boards, value["first strategy"])]
    deviates = [shares[0] < shares[1] > shares[2], len(shares) < 5 or shares[2] < shares[3] > shares[4]]
    note = "expanded ÷ states: " + ", ".join(f"{board} {share:.2f}" for board, share in zip(boards, shares))
    return Measured({**value, "deviates": deviates}, _rows(value), note=f"{note}: above the trend where the board is no square")


def _rows(value: dict[str, list[int]]) -> str:
    return "; ".join(f"{way} {' '.join(f'{one:,}' for one in counts)}" for way, counts in value.items())


def _keys(lab: Laboratory) -> Measured:
    value = _column(lab, "cache_keys")
    return Measured(value, _rows(value))


def _bytes(lab: Laboratory) -> Measured:
    value = _column(lab, "cache_bytes")
    return Measured(value, _rows(value))


def table_sizes(value: dict[str, list[int]]) -> bool:
    """The table alone and the second strategy store the same, the first strategy less."""
    return value["table"] == value["second strategy"] and all(one < other for one, other in zip(value["first strategy"], value["table"]))


def _seconds(lab: Laboratory) -> Measured:
    """Seconds at 2×3 by each way, and of the naive one at 1×2."""
    board = "2x3"
    seconds = {}
    for way in WAYS:
        seconds[way] = min(_report(way, board)["seconds"] for _ in range(3))
    naive = decided(NAIVE, game("dots:1x2").start()).report
    text = ", ".join(f"{way} {1000 * one:.3g} ms" for way, one in seconds.items())
    note = f"at 1×2 the naive search takes {1000 * naive['seconds']:.2g} ms for {naive['expanded']:,} positions"
    return Measured(seconds, f"{text} at 2×3", note=note)


def order_of_times(reported: Any, measured: Measured) -> Judgement:
    value = measured.value
    faster = "faster than" if value["second strategy"] < value["first strategy"] else "not faster than"
    gain = value["table"] / min(value["first strategy"], value["second strategy"])
    return Judgement(
        Verdict.HARDWARE,
        f"symmetries are worth a factor of {gain:.1f} over the table alone; here the second strategy is {faster} the first",
    )


def _naive(lab: Laboratory) -> Measured:
    lab.only_in_full("five minutes")
    return Measured(int(decided(NAIVE, game("dots:2x2").start()).report["expanded"]))


def _literature(lab: Laboratory) -> Measured:
    raise NotRun("needs weeks: 4×5 is from the literature (Barker and Korf); the largest board solved here is 4×4")


ENTRIES = (
    Entry(
        name="004.states",
        title="states by board",
        where="table 2",
        kind=Kind.EXACT,
        reported=STATES,
        settings="2 to the number of lines",
        measure=_states,
        rule=equal(),
        note="positions of the lines alone; who owns the boxes is not counted",
        in_suite=True,
    ),
    Entry(
        name="004.games",
        title="unique games of 1×1 and 1×2",
        where="4",
        kind=Kind.EXACT,
        reported={"1x1": 4, "1x2": 7},
        reported_text="log2 of the number of states",
        settings="ludometer perft dots:1x1 4; ludometer perft dots:1x2 7",
        measure=_games,
        rule=wrong(
            "log2 of the states is the number of lines, the moves of a game; any order of them is a game, so their number is the factorial",
            truth={"1x1": 24, "1x2": 5040},
        ),
        in_suite=True,
    ),
    Entry(
        name="004.symmetry",
        title="symmetries of square and other boards",
        where="4.2.2",
        kind=Kind.EXACT,
        reported={"1x1": 8, "1x2": 4, "2x2": 8, "2x3": 4, "3x3": 8},
        settings="symmetry_count",
        measure=_symmetries,
        rule=equal(),
        in_suite=True,
    ),
    Entry(
        name="004.fig5a.time",
        title="seconds of four ways to solve a board",
        where="figure 5a",
        kind=Kind.HARDWARE,
        reported="naive slowest, then the table, then symmetries; the second strategy considerably faster than the first",
        settings=f"{NAIVE} with cache=exact and symmetry=none|canonical|all at dots:2x3",
        measure=_seconds,
        rule=order_of_times,
    ),
    Entry(
        name="004.fig5b.nodes",
        title="positions expanded by board: both ways to use symmetries expand the same, more than the trend where the board is no square",
        where="figure 5b",
        kind=Kind.EXACT,
        reported="both strategies coincide; upward deviations at 1×2 and 2×3",
        settings=f"{NAIVE},cache=exact,symmetry=none|canonical|all at dots:1x1 … dots:3x3",
        measure=_nodes,
        rule=holds(
            lambda value: value["first strategy"] == value["second strategy"] and all(value["deviates"]),
            "both expand the same number of positions, with deviations at 1×2 and 2×3",
        ),
        in_suite=True,
    ),
    Entry(
        name="004.fig5c.bytes",
        title="size of the table in bytes by board",
        where="figure 5c",
        kind=Kind.EXACT,
        reported="the table alone and the second strategy coincide, the first strategy needs less",
        settings="the same searches",
        measure=_bytes,
        rule=holds(table_sizes, "the table alone and the second strategy need the same, the first less"),
        in_suite=True,
    ),
    Entry(
        name="004.fig5d.keys",
        title="keys in the table by board",
        where="figure 5d",
        kind=Kind.EXACT,
        reported="the table alone and the second strategy coincide, the first strategy stores fewer",
        settings="the same searches",
        measure=_keys,
        rule=holds(table_sizes, "the table alone and the second strategy store the same, the first fewer"),
        in_suite=True,
    ),
    Entry(
        name="004.naive.limit",
        title="positions the naive search expands at 2×2, the largest board it was used for",
        where="figure 5b",
        kind=Kind.EXACT,
        reported="2×3 would have taken too long",
        settings=f"{NAIVE} at dots:2x2",
        measure=_naive,
        rule=holds(lambda expanded: expanded == NAIVE_2X2, f"{NAIVE_2X2:,} positions are expanded at 2×2"),
        note="2×3 has 17 lines: 32 times the states, and 17!/12! = 742,560 times the games of 2×2",
    ),
    Entry(
        name="004.lit.4x5",
        title="largest board solved",
        where="4",
        kind=Kind.CLAIM,
        reported="4×5",
        settings="–",
        measure=_literature,
        rule=equal(),
    ),
)
