"""Section IV: minimax, alpha-beta, expectimax, and how much depth is worth."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludometer.agents import agent
from ludometer.games import game
from ludometer.studies.agreement import hardware, shares
from ludometer.studies.decisions import decided
from ludometer.studies.entry import Entry, Judgement, Kind, Measured, Verdict
from ludometer.studies.laboratory import Laboratory
from ludometer.studies.study_001.matches import GAME, PLAIN, alpha_beta, one_match, played, random_positions

_PLIES = range(1, 60)


def _equal_strength(lab: Laboratory) -> Measured:
    """The score of minimax against alpha-beta, and at how many positions their values differ."""
    positions = random_positions(lab.pick(40, 200), 1, _PLIES)
    minimax, alphabeta = (agent(spec, game(GAME)) for spec in ("minimax:rounds=2,early=no", alpha_beta()))
    values = [(decided(minimax, one).report["score"], decided(alphabeta, one).report["score"]) for one in positions]
    differing = sum(one != other for one, other in values)
    found = played(lab, "minimax:rounds=2,early=no", alpha_beta(), lab.games(60, 1000))
    note = f"values at the root are equal at {len(values) - differing} of {len(values)} positions"
    return Measured(found.value, found.text, found.interval, {**found.data, "differing": differing}, note=note)


def equal_values_and_shares(reported: Any, measured: Measured) -> Judgement:
    """No value differs, and the scores agree."""
    if measured.data["differing"]:
        return Judgement(Verdict.DIFFERS, f"minimax and alpha-beta find other values at {measured.data['differing']} positions")
    return shares(1000)(reported, measured)


def _speed(lab: Laboratory) -> Measured:
    """Milliseconds for a move of both, the mean over positions of random games."""
    positions = random_positions(lab.pick(20, 100), 2, _PLIES)
    milliseconds, nodes = [], []
    for spec in ("minimax:rounds=2,early=no", f"alphabeta:rounds=2,{PLAIN}"):
        reports = [decided(agent(spec, game(GAME)), one).report for one in positions]
        milliseconds.append(1000 * float(np.mean([report["seconds"] for report in reports])))
        nodes.append(float(np.mean([report["nodes"] for report in reports])))
    text = f"{milliseconds[0]:.3g} and {milliseconds[1]:.3g} ms; {nodes[0]:,.0f} and {nodes[1]:,.0f} positions"
    better = float(np.mean([decided(agent(alpha_beta(), game(GAME)), one).report["nodes"] for one in positions]))
    note = f"a ratio of {nodes[0] / nodes[1]:.1f} in positions (reported 18.8 in time); with ordering and a table {nodes[0] / better:.1f}"
    return Measured(milliseconds, text, data={"nodes": nodes}, note=note)


ENTRIES = (
    one_match(
        "001.random.heur1",
        "alpha-beta of depth 2 with heur1 against random moves",
        "IV",
        alpha_beta(2, "heur1"),
        "random",
        0.9635,
        10_000,
        400,
        also_open=True,
    ),
    one_match(
        "001.random.heur3", "alpha-beta of depth 2 with heur3 against random moves", "IV", alpha_beta(), "random", 0.994, 1000, 400, 2000
    ),
    Entry(
        name="001.equal.minimax",
        title="minimax against alpha-beta of the same depth and heuristic",
        where="IV",
        kind=Kind.STATISTICAL,
        reported=0.496,
        reported_text="49.6 % of 1,000 games for minimax",
        settings=f"ludometer match {GAME} minimax:rounds=2,early=no {alpha_beta()} --games 1000; values at the root of 200 positions",
        measure=_equal_strength,
        rule=equal_values_and_shares,
    ),
    Entry(
        name="001.speed.minimax",
        title="milliseconds for a move: minimax and alpha-beta of depth 2",
        where="IV",
        kind=Kind.HARDWARE,
        reported=[1033, 55],
        settings=f"minimax:rounds=2,early=no and alphabeta:rounds=2,{PLAIN} at positions of random games",
        measure=_speed,
        rule=hardware(),
    ),
    one_match("001.expecti.random", "expectimax against random moves", "IV", "expectimax:rounds=2", "random", 1.0, 100, 200, 1000),
    one_match(
        "001.expecti.minimax",
        "minimax of depth 2 with heur3 against expectimax",
        "IV",
        alpha_beta(),
        "expectimax:rounds=2",
        0.78,
        100,
        60,
        400,
        also_open=True,
        reason="not known: weights, ties and what the averages of wins and evaluations mean are not said in the report",
        note="alpha-beta in place of minimax: it finds the same values",
    ),
    one_match("001.depth.2v1", "depth 2 against depth 1", "IV", alpha_beta(2), alpha_beta(1), 0.798, 1000, 200, also_open=True),
    one_match("001.depth.3v2", "depth 3 against depth 2", "IV", alpha_beta(3), alpha_beta(2), 0.695, 100, 60, 400),
    one_match(
        "001.depth.3v1",
        "depth 3 against depth 1",
        "IV",
        alpha_beta(3),
        alpha_beta(1),
        0.755,
        100,
        60,
        400,
        also_open=True,
        reason="the report's own numbers do not fit each other: its depth 3 does worse against depth 1 than its depth 2 does (79.8 %)",
    ),
)
