"""Learners: the same as their slow twin, on the clock of their field, and independent of who computes them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ludometer.core.errors import LudometerError
from ludometer.dynamics.fields import field_of
from ludometer.dynamics.integration import integrate
from ludometer.dynamics.learners import learner_settings, run_learners, wilson
from ludometer.dynamics.payoffs import as_arrays, find_game
from ludometer.dynamics.portrait import learning_dynamics
from tests.dynamics.naive_learners import naive_run

SETTINGS = [
    {"kind": "greedy"},
    {"kind": "greedy", "epsilon": 0.3, "printed": True},
    {"kind": "greedy", "printed": True},
    {"kind": "boltzmann", "tau": 0.5, "gamma": 0.5},
    {"kind": "boltzmann", "kappa": 3},
    {"kind": "faq", "tau": 0.4, "start": (0.2, 0.3, 0.5, 0.6, 0.3, 0.1)},
    {"kind": "faq", "tau": 0.4, "kappa": 4, "q0": 0.0},
    {"kind": "cross", "start": (0.2, 0.3, 0.5, 0.6, 0.3, 0.1)},
    {"kind": "cross", "kappa": 2, "alpha": 0.2, "start": (0.2, 0.3, 0.5, 0.6, 0.3, 0.1)},
]


@pytest.mark.parametrize("options", SETTINGS, ids=lambda options: "-".join(map(str, options)))
def test_same_as_slow_twin(options: dict) -> None:
    settings = learner_settings(**options)
    runs = run_learners("matrix:brps", runs=3, episodes=400, points=401, seed=9, settings=settings)
    row, column = as_arrays(find_game("matrix:brps")[0])
    payoffs = [row, column]
    if settings.kind == "cross":
        payoffs = [(table - table.min()) / 1.0 for table in payoffs]  # the spread of these payoffs is 1
    for run in (0, 2):
        wanted = naive_run(settings, [table.tolist() for table in payoffs], run, 9, 400)
        assert runs.policy[run] == pytest.approx(np.array(wanted), abs=1e-6)


def test_results_do_not_depend_on_workers_or_on_other_runs() -> None:
    one, two = (run_learners("matrix:sexes", "faq", runs=230, episodes=200, seed=4, workers=workers) for workers in (1, 3))
    few = run_learners("matrix:sexes", "faq", runs=7, episodes=200, seed=4)
    for name in ("policy", "values", "frequency", "tail_policy", "tail_frequency", "earned"):
        assert np.array_equal(getattr(one, name), getattr(two, name))
        assert np.array_equal(getattr(one, name)[:7], getattr(few, name))
    assert not np.array_equal(one.policy, run_learners("matrix:sexes", "faq", runs=230, episodes=200, seed=5).policy)


@pytest.mark.exhaustive
def test_the_mean_of_frequency_adjusted_learners_follows_the_field() -> None:
    """10,000 pairs: within 0.005 everywhere, at α·β = 0.0005."""
    start = [0.7, 0.3, 0.6, 0.4]
    runs = run_learners("matrix:sexes", "faq", runs=10_000, episodes=8_000, alpha=0.05, beta=0.01, tau=0.5, start=start, points=41)
    field = runs.field()
    assert field == field_of("matrix:sexes", "boltzmann", 0.5) and runs.clock == pytest.approx(0.0005)
    path = integrate(field, start, runs.times[-1], len(runs.times))
    assert np.abs(runs.mean - path.states).max() < 0.005
    assert np.ptp(path.states[:, 0]) > 0.2  # which is a long way


def test_plain_boltzmann_learners_do_not() -> None:
    start = [0.7, 0.3, 0.1, 0.9]
    runs = run_learners("matrix:sexes", "boltzmann", runs=2_000, episodes=2_000, alpha=0.005, gamma=0.0, tau=0.5, start=start)
    path = integrate(field_of("matrix:sexes", "boltzmann", 0.5), start, runs.times[-1], len(runs.times))
    assert runs.field() is None and np.abs(runs.mean - path.states).max() > 0.1


@pytest.mark.exhaustive
def test_lenient_and_cross_learners_follow_their_fields() -> None:
    start = [0.3, 0.7, 0.35, 0.65]
    lenient = run_learners("matrix:stag", "faq", runs=1_000, episodes=10_000, alpha=0.05, beta=0.02, tau=0.3, kappa=3, start=start)
    path = integrate(lenient.field(), start, lenient.times[-1], len(lenient.times))
    assert np.abs(lenient.mean - path.states).max() < 0.02
    cross = run_learners("matrix:prisoners", "cross", runs=1_000, episodes=6_000, alpha=0.002, start=start)
    path = integrate(cross.field(), start, cross.times[-1], len(cross.times))
    assert np.abs(cross.mean - path.states).max() < 0.02 and path.states[-1, 0] < 0.1


def test_the_study_s_schedules() -> None:
    greedy, boltzmann = learner_settings("greedy"), learner_settings("boltzmann")
    assert (greedy.alpha, greedy.gamma, greedy.epsilon) == (0.05, 0.1, (1.0, 0.01, -0.001))
    assert boltzmann.temperature == (80.0, 0.01, 0.01)
    assert learner_settings("greedy", printed=True).epsilon == (1.0, 0.01, 0.001)  # grows: no learner ever exploits


def test_boltzmann_learners_settle_when_the_temperature_has_fallen() -> None:
    runs = run_learners("matrix:prisoners", "boltzmann", runs=100, points=1001)
    settled = runs.settled(0.1)  # (80 − 0.01) / 0.01 = 7,999 episodes
    assert (settled >= 7_900).all() and (settled < 8_500).all() and np.median(settled) == pytest.approx(8_000, abs=60)


def test_the_mark_at_which_runs_settle() -> None:
    """The first mark after the last one at which either policy is unsure; a policy is unsure from 0.1 bits on."""
    sure, unsure = (1.0, 0.0), (0.9, 0.1)  # entropies 0 and 0.47
    rows = [
        [sure, sure, sure, sure],
        [unsure, sure, sure, sure],
        [sure, unsure, unsure, sure],
        [unsure, sure, unsure, unsure],
    ]
    policy = np.array([[(*row, *sure) for row in run] for run in rows], np.float32)
    policy = np.concatenate([policy, policy[:, :, [2, 3, 0, 1]]])  # and the same of the column player
    runs = run_learners("matrix:sexes", "boltzmann", runs=8, episodes=90, points=4)
    assert runs.marks.tolist() == [0, 30, 60, 90]
    assert replace(runs, policy=policy).settled().tolist() == [0, 30, 90, -1] * 2
    assert replace(runs, policy=policy).settled(0.5).tolist() == [0] * 8


def test_ends_of_the_study_s_games() -> None:
    for name, labels in (("dispersion", {"(A,B)", "(B,A)"}), ("sexes", {"(O,O)", "(M,M)"})):
        for kind in ("greedy", "boltzmann"):
            ends = run_learners(f"matrix:{name}", kind, runs=200, q0=(-4.0, 4.0)).ends()
            assert {end.label for end in ends} == labels
            assert sum(end.count for end in ends) == 200 and all(end.gains == (0, 0) for end in ends)


def test_some_learners_cooperate_in_the_prisoner_s_dilemma() -> None:
    """After (D,D) has been paid −3 for a while, D's value is below C's; both change, earn −1, and D is never tried again."""
    ends = {end.label: end for end in run_learners("matrix:prisoners", "boltzmann", runs=400).ends()}
    assert set(ends) == {"(D,D)", "(C,C)"}
    assert ends["(D,D)"].gains == (0, 0) and ends["(C,C)"].gains == (1, 1)


def test_paper_against_paper_is_where_learners_stop_and_no_equilibrium() -> None:
    ends = {end.label: end for end in run_learners("matrix:brps", "boltzmann", runs=200).ends()}
    assert ends["(P,P)"].share > 0.8 and ends["(P,P)"].gains == pytest.approx((0.05, 0.05))


def test_the_printed_update_never_stops_growing() -> None:
    """With the bracket misplaced, the best action's value gains α·r each time: nothing holds it back."""
    printed, usual = (
        run_learners("matrix:sexes", "greedy", runs=50, episodes=20_000, epsilon=0.05, printed=printed) for printed in (True, False)
    )
    assert usual.values[:, -1].max() < 3.4 and printed.values[:, -1].max() > 500
    assert printed.values[:, -1].max() > 1.8 * printed.values[:, len(printed.marks) // 2].max()


def test_payoffs_are_counted() -> None:
    earned = run_learners("5,-7 5,-7; 5,-7 5,-7", "greedy", runs=20, episodes=500).earned
    assert earned == pytest.approx(np.tile([5.0, -7.0], (20, 1)))


def test_ends_beside_logit_equilibria() -> None:
    portrait = learning_dynamics("matrix:pennies", dynamics="boltzmann", tau=0.5, learners="faq", runs=100, episodes=4_000)
    (end,) = portrait.ends
    assert end.label == "(0.5 0.5 | 0.5 0.5)" and end.share == 1


def test_wilson() -> None:
    assert wilson(0, 10) == pytest.approx((0.0, 0.27753), abs=1e-4) and wilson(10, 10) == pytest.approx((0.72247, 1.0), abs=1e-4)
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)  # Newcombe 1998, table I


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "minimax"}, "there are no learners 'minimax'"),
        ({"alpha": 0}, "alpha is a number from 1e-09 to 1, not 0"),
        ({"alpha": float("nan")}, "alpha is a number"),
        ({"gamma": 1}, "gamma is a number from 0 to 0.999, not 1"),
        ({"tau": 0}, "tau is a number"),
        ({"kind": "greedy", "epsilon": 1.5}, "epsilon is a number from 0 to 1, not 1.5"),
        ({"kind": "faq", "epsilon": 0.5}, "epsilon is for greedy learners"),
        ({"kind": "cross", "q0": 1.0}, "cross learning has no Q-values"),
        ({"kind": "faq", "printed": True}, "for greedy and boltzmann learners"),
        ({"q0": (1.0, float("inf"))}, "q0 is a number or a range"),
        ({"q0": (2.0, 1.0)}, "q0 is a number or a range"),
        ({"runs": 0}, "the number of runs is from 1"),
        ({"episodes": 0}, "the number of episodes is from 1"),
        ({"runs": 10_000_000}, "more than 4 GB"),
        ({"start": [0.5, 0.5]}, "has 4 probabilities here, not 2"),
    ],
)
def test_bad_settings(options: dict, message: str) -> None:
    with pytest.raises(LudometerError, match=message):
        run_learners("matrix:sexes", **options)
