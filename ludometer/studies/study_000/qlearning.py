"""Section 3.6: ladders of Q-learning against the perfect player.

The agent is the program that the study really ran: `study000:qlearning` (docs/results/study-000.md), trained anew for every game, with a
limit of 100 turns.
"""

from __future__ import annotations

from functools import partial

from ludometer.games import game
from ludometer.studies.agreement import equal, holds, whole_figure
from ludometer.studies.entry import Entry, Kind, Measured
from ludometer.studies.laboratory import Laboratory
from ludometer.studies.study_000.committed import digitised, table_5x5
from ludometer.studies.study_000.curves import GAMES
from ludometer.studies.study_000.outcomes import BLUNDERS, Curves, curves_by_blunder, ladder_over_figure

AGENT = "study000:qlearning"
PLIES = 200  # 100 turns of both
RUNGS = (0, 100, 200, 400, 800, 1000, 2000, 4000, 8000)
QUICK_RUNGS = (0, 100, 400)


def learning_curves(size: int, lab: Laboratory) -> Curves:
    """A ladder by the opponent's blunders; raises NotRun without a table of 5×5."""
    if size == 5:
        table_5x5(lab)
    return lab.once(f"000 learning {size}", lambda: _played(size, lab))


def _played(size: int, lab: Laboratory) -> Curves:
    return curves_by_blunder(lab, f"quixo:{size}", AGENT, lab.pick(QUICK_RUNGS, RUNGS), "optimal", PLIES)


def _ladder(size: int, lab: Laboratory) -> Measured:
    return ladder_over_figure(
        lab,
        learning_curves(size, lab),
        digitised(f"score.q.{size}"),
        f"000-q-{size}",
        f"Quixo {size}×{size}: score of Q-learning against opt",
        "training games",
    )


def _entry(size: int) -> Entry:
    reported = {name: points[-1] for name, points in digitised(f"score.q.{size}").curves.items()}
    return Entry(
        name=f"000.q.{size}",
        title=f"score of Q-learning on {size}×{size} against opt, 9 rungs × 6 p",
        where="3.6.1, figure",
        kind=Kind.STATISTICAL,
        reported=reported,
        settings=f"ludometer ladder quixo:{size} --agent {AGENT} --versus optimal --rungs {','.join(map(str, RUNGS))} "
        f"--blunder {','.join(BLUNDERS)} --games {GAMES} --limit {PLIES}",
        measure=partial(_ladder, size),
        rule=whole_figure(),
        reported_text=f"54 points; n = 8,000: {', '.join(f'{value:g}' for value in reported.values())}",
    )


def _asymptotes(lab: Laboratory) -> Measured:
    curves = learning_curves(5, lab)
    return Measured([curves["0"][-1].value, curves["0.01"][-1].value])


def _features(lab: Laboratory) -> Measured:
    from ludometer.core.protocol.learning import feature_names

    return Measured({str(size): len(feature_names(game(f"quixo:{size}"))) for size in (3, 4, 5)})


ENTRIES: tuple[Entry, ...] = (
    *(_entry(size) for size in (5, 4, 3)),
    Entry(
        "000.q.asymptote",
        "scores of Q-learning on 5×5 in the end",
        "3.6.1",
        Kind.STATISTICAL,
        [3, 4],
        f"ludometer ladder quixo:5 --agent {AGENT} --versus optimal --blunder 0,0.01 --rungs 8000",
        _asymptotes,
        holds(lambda value: max(value) <= 6, "both are at most 6"),
        "about 3 for p = 0, about 4 for p = 0.01 (MCTS: 50 and 85)",
    ),
    Entry(
        "000.q.features",
        "number of features of a board of side l",
        "2.4.1",
        Kind.EXACT,
        {str(side): 4 * side + 7 for side in (3, 4, 5)},
        "the game's own list of features",
        _features,
        equal(),
        "4 l + 7: 19, 23, 27 for l = 3, 4, 5",
        in_suite=True,
    ),
)
