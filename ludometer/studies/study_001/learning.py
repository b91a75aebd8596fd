"""Section VIII: Q-learning, and the improvements that the report conjectures."""

from __future__ import annotations

from typing import Any

from ludometer.studies.agreement import ALPHA
from ludometer.studies.entry import Entry, Judgement, Kind, Measured, Verdict
from ludometer.studies.laboratory import Laboratory
from ludometer.studies.study_001.matches import GAME, alpha_beta, one_match, played

_TRAINING = 500  # games against alpha-beta
TABULAR = f"qlearning:{_TRAINING},learner=tabular,opponent=alphabeta,epsilon=0.1"
FEATURES = f"qlearning:{_TRAINING},learner=heuristic,update=step,opponent=alphabeta,epsilon=0.1"
WHOLE_GAMES = f"qlearning:{_TRAINING},learner=heuristic,update=game,opponent=alphabeta,epsilon=0.1"
PATTERNS = f"qlearning:{_TRAINING},learner=binary,opponent=alphabeta,epsilon=0.1"
_NOT_SAID = "number of training games, learning rate, discount and exploration are not said in the report"


def better(reported: Any, measured: Measured) -> Judgement:
    """Whether the improved learner scores more than half against the old one."""
    p_value, score = measured.data["p_value"], float(measured.value)
    text = f"score {100 * score:.1f} %, p = {p_value:.2g}"
    return Judgement(Verdict.AGREES if score > 0.5 and p_value < ALPHA else Verdict.DIFFERS, text)


def _improved(name: str, title: str, learner: str, old: str) -> Entry:
    def measure(lab: Laboratory) -> Measured:
        found = played(lab, learner, old, lab.games(200, 1000))
        strong = [played(lab, one, alpha_beta(), lab.games(60, 400)) for one in (old, learner)]
        note = f"against alpha-beta of depth 2: old {100 * strong[0].value:.1f} %, improved {100 * strong[1].value:.1f} %"
        return Measured(found.value, found.text, found.interval, found.data, note=note)

    return Entry(
        name=f"001.q.conj.{name}",
        title=title,
        where="VIII",
        kind=Kind.CLAIM,
        reported="will show better performance",
        settings=f"ludometer match {GAME} {learner} {old} --games 1000",
        measure=measure,
        rule=better,
        note=_NOT_SAID,
        reason="at this learning rate and after 500 games",
    )


ENTRIES = (
    one_match("001.q.tabular", "tabular Q-learning against alpha-beta", "VIII", TABULAR, alpha_beta(), 0.005, 1000, 60, note=_NOT_SAID),
    one_match(
        "001.q.features",
        "Q-learning with features against alpha-beta",
        "VIII",
        FEATURES,
        alpha_beta(),
        0.004,
        1000,
        60,
        note=_NOT_SAID,
        reason="ours sees moves that end the game for what they are, and its features are normalised",
    ),
    _improved("game", "learning from whole games against learning from single moves", WHOLE_GAMES, FEATURES),
    _improved("binary", "values of binary feature vectors against values of states", PATTERNS, TABULAR),
)
