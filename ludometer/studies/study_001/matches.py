"""What the entries of this study share: positions, agents by their names, and entries that are one match."""

from __future__ import annotations

from typing import Any

from ludometer.core.position import Position
from ludometer.games import game
from ludometer.studies.agreement import shares
from ludometer.studies.entry import Entry, Kind, Measured, Rule
from ludometer.studies.laboratory import Laboratory

GAME = "ultimate"
OPEN = "ultimate:open"  # a free choice may be one in a won board
PLAIN = "order=none,cache=none,early=no"  # the search as the report describes it: no ordering, no memory
TENTH = 500  # positions the report's program looks at in 0.1 s: its minimax of depth 2 takes 1,033 ms, ours looks at 5,000


def alpha_beta(rounds: int = 2, evaluation: str = "heur3") -> str:
    """Alpha-beta with a depth given in moves of each player."""
    named = "" if evaluation == "heur3" else f",evaluation={evaluation}"
    return f"alphabeta:rounds={rounds}{named},early=no"


def played(lab: Laboratory, a: str, b: str, games: int, board: str = GAME) -> Measured:
    """The score of A against B as a measurement."""
    result = lab.match(board, a, b, games)
    counts = result.statistics
    text = f"{100 * result.score:.2f} % of {result.games:,} games ({counts.wins:,} wins, {counts.draws:,} draws)"
    interval = (result.score_interval.low, result.score_interval.high)
    return Measured(result.score, text, interval, data={"games": result.games, "p_value": counts.p_value})


def one_match(
    name: str,
    title: str,
    where: str,
    a: str,
    b: str,
    reported: float,
    games: int,
    quick: int,
    full: int | None = None,
    rule: Rule | None = None,
    also_open: bool = False,
    **more: Any,
) -> Entry:
    """An entry that is the score of A against B: reported from `games` games, `quick` or `full` of them here."""
    full = full or games

    def measure(lab: Laboratory) -> Measured:
        found = played(lab, a, b, lab.games(quick, full))
        if not also_open or not lab.full:
            return found
        other = played(lab, a, b, lab.games(quick, full), OPEN)
        return Measured(found.value, found.text, found.interval, found.data, note=f"with moves into won boards: {other}")

    return Entry(
        name=name,
        title=title,
        where=where,
        kind=Kind.STATISTICAL,
        reported=reported,
        reported_text=more.pop("reported_text", f"{100 * reported:g} % of {games:,} games"),
        settings=f"ludometer match {GAME} {a} {b} --games {full}",
        measure=measure,
        rule=rule or shares(games),
        **more,
    )


def random_positions(count: int, seed: int, plies: range) -> list[Position]:
    """Positions of random games, one from each, after a number of moves that goes round `plies`; none of them is over."""
    from ludometer.arena.play.compiled_games import position_of, random_openings

    chosen, found = game(GAME), []
    for number in range(count):
        row = random_openings(chosen, seed, number, number + 1, plies[number % len(plies)])[0]
        found.append(position_of(chosen, row))
    return found
