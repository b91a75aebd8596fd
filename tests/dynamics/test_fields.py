"""Fields: exact eigenvalues, leniency by chance, paths that stay inside, and what they conserve."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from ludometer.core.errors import LudometerError
from ludometer.dynamics.basins import basins
from ludometer.dynamics.equilibria import equilibria
from ludometer.dynamics.fields import Field, Lenience, best_replies, field_of
from ludometer.dynamics.integration import conserved, fictitious_play, flow, integrate, separatrices
from ludometer.dynamics.logit import bifurcation, fixed_points, logit_equilibria, principal_branch
from ludometer.dynamics.payoffs import find_game
from ludometer.dynamics.rest_points import kind_of, rest_points, rest_sets

FIELDS = [
    ("sexes", {}),
    ("brps", {"kind": "boltzmann", "tau": 0.3}),
    ("stag", {"kappa": 4}),
    ("brps", {"kind": "boltzmann", "tau": 0.1, "kappa": 3, "populations": 1}),
    ("2,1 0,3 1,0; 0,0 1,1 3,2", {}),
]


def inside(field: Field, source: np.random.Generator) -> np.ndarray:
    return field.join([source.dirichlet(np.ones(size)) for size in field.sizes])


# ---- the equations


@pytest.mark.parametrize(("name", "options"), FIELDS)
def test_velocity_is_the_written_equation(name: str, options: dict) -> None:
    """Slow loops over the formulas, with leniency as Σ_j A_ij y_j [P(≤)^κ − P(<)^κ] / P(=)."""
    field = field_of(f"matrix:{name}", **options)
    source = np.random.default_rng(1)
    for _ in range(10):
        state = inside(field, source)
        parts = field.split(state)
        wanted = []
        for table, x, y in zip(field.tables, parts, parts[::-1]):
            f = []
            for payoffs in table:
                total = 0.0
                for j, payoff in enumerate(payoffs):
                    at_most, less, equal = (float(y[test].sum()) for test in (payoffs <= payoff, payoffs < payoff, payoffs == payoff))
                    total += payoff * y[j] * (at_most**field.kappa - less**field.kappa) / equal
                f.append(total)
            mean = sum(share * earned for share, earned in zip(x, f))
            for share, earned in zip(x, f):
                change = share * (earned - mean) * field.selection
                if field.kind == "boltzmann":
                    change -= share * (math.log(share) - sum(p * math.log(p) for p in x))
                wanted.append(change)
        assert field.velocity(state) == pytest.approx(wanted, abs=1e-12)
        assert [part.sum() for part in field.split(field.velocity(state))] == pytest.approx([0] * len(field.sizes), abs=1e-12)


@pytest.mark.parametrize(("name", "options"), FIELDS)
def test_logarithms_tell_the_same(name: str, options: dict) -> None:
    field = field_of(f"matrix:{name}", **options)
    state = inside(field, np.random.default_rng(2))
    step = 1e-6
    ahead = field.from_logs(field.to_logs(state) + step * field.log_velocity(field.to_logs(state)))
    assert (ahead - state) / step == pytest.approx(field.velocity(state), abs=1e-4)
    assert field.from_logs(field.to_logs(state)) == pytest.approx(state, abs=1e-14)


@pytest.mark.parametrize(("name", "options"), FIELDS)
def test_jacobian_by_differences(name: str, options: dict) -> None:
    field = field_of(f"matrix:{name}", **options)
    state = inside(field, np.random.default_rng(3)) * 0.8 + 0.2 * field.middle()
    step = 1e-6 * np.eye(len(state))
    differences = (field.velocity(state + step) - field.velocity(state - step)) / 2e-6
    assert field.jacobian(state) == pytest.approx(differences.T, abs=1e-6)


def test_leniency_is_the_expected_maximum() -> None:
    """Monte Carlo: the mean of the best of κ payoffs, within four standard errors."""
    source = np.random.default_rng(4)
    table = np.array([[2.0, 0.0, 2.0, -1.0], [1.0, 1.0, 1.0, 1.0], [0.5, 3.0, -2.0, 0.5]])
    lenience = Lenience.of(table)
    for kappa in (1, 2, 5, 25):
        mixture = source.dirichlet(np.ones(4))
        drawn = source.choice(4, size=(40_000, kappa), p=mixture)
        for action, exact in enumerate(lenience.expectation(mixture, kappa)):
            best = table[action][drawn].max(axis=1)
            assert exact == pytest.approx(best.mean(), abs=4 * best.std() / 200 + 1e-12)
    assert lenience.expectation(mixture, 1) == pytest.approx(table @ mixture)


def test_the_boundary_is_safe() -> None:
    for kind in ("replicator", "boltzmann", "best-response"):
        velocity = field_of("matrix:brps", kind).velocity(np.array([1.0, 0, 0, 0, 0.5, 0.5]))
        assert np.isfinite(velocity).all()


def test_replies_that_are_equal_up_to_rounding_share() -> None:
    assert 0.1 + 0.2 != 0.3
    assert best_replies(np.array([0.1 + 0.2, 0.3, 0.0])).tolist() == [0.5, 0.5, 0.0]
    assert best_replies(np.array([0.3 + 1e-9, 0.3])).tolist() == [1.0, 0.0]


# ---- rest points


def described(name: str, **options) -> list[tuple[list[float], str, list[complex]]]:
    return [(point.state.tolist(), point.kind, list(point.eigenvalues)) for point in rest_points(field_of(f"matrix:{name}", **options))]


def test_the_mixed_points_of_the_study() -> None:
    assert described("sexes")[-1] == ([0.6, 0.4, 0.4, 0.6], "saddle", [1.2, -1.2])
    assert described("dispersion")[-1] == ([0.5] * 4, "saddle", [1, -1])
    state, kind, values = described("brps")[-1]
    assert (state, kind) == ([1 / 16, 10 / 16, 5 / 16] * 2, "centre")
    assert all(value.real == 0 and abs(value.imag) == pytest.approx(math.sqrt(1 / 128)) for value in values)
    assert [kind for state, kind, _ in described("prisoners") if kind == "sink"] == ["sink"]


@pytest.mark.parametrize("name", ["dispersion", "sexes", "prisoners", "brps", "shapley", "1,1 1,0; 0,1 1,0", "2,1 0,3 1,0; 0,0 1,1 3,2"])
def test_the_field_is_zero_at_rest_points_and_equilibria_are_among_them(name: str) -> None:
    field = field_of(f"matrix:{name}")
    points = rest_points(field)
    for point in points:
        assert np.abs(field.velocity(point.state)).max() < 1e-12
        assert point.nash == (point.gain == 0)
    exact = {point.exact for point in points}
    assert {(one.row, one.column) for one in equilibria(f"matrix:{name}")} <= exact


def test_rest_points_by_searching_a_grid() -> None:
    """Wherever the speed of the field has a deep minimum on a fine grid, a rest point is listed."""
    field = field_of("matrix:2,1 0,2; 1,0 3,1")
    shares = np.linspace(0, 1, 201)
    first, second = np.meshgrid(shares, shares, indexing="ij")
    states = np.stack([first, 1 - first, second, 1 - second], axis=-1)
    slow = states[np.abs(field.velocity(states)).max(axis=-1) < 2e-3]
    listed = np.stack([point.state for point in rest_points(field)])
    distance = np.abs(slow[:, None] - listed[None]).max(axis=-1).min(axis=1)
    assert len(slow) and distance.max() < 0.02


def test_kinds() -> None:
    assert [kind_of(values) for values in ([-1, -2], [1, 3], [-1, 1], [1j, -1j], [0, -1], [], [1j, -1j, 0])] == [
        "sink",
        "source",
        "saddle",
        "centre",
        "degenerate",
        "degenerate",
        "degenerate",
    ]


def test_leniency_moves_the_threshold_of_the_stag_hunt() -> None:
    for kappa in (2, 5, 25):
        threshold = 1 - 2 ** (-1 / kappa)
        (point,) = [p for p in rest_points(field_of("matrix:stag", kappa=kappa)) if p.kind == "saddle"]
        assert point.state == pytest.approx([threshold, 1 - threshold] * 2, abs=1e-9)
        (middle,) = [p for p in rest_points(field_of("matrix:stag", kappa=kappa, populations=1)) if p.kind == "source"]
        assert middle.row[0] == pytest.approx(threshold, abs=1e-9)


def test_lenient_points_in_three_actions() -> None:
    field = field_of("matrix:brps", kappa=3)
    assert all(np.abs(field.velocity(point.state)).max() < 1e-9 for point in rest_points(field))
    assert sum((point.state > 0).all() for point in rest_points(field)) == 1


def test_edges_of_rest_points() -> None:
    one, zero = Fraction(1), Fraction(0)
    assert rest_sets(field_of("1,1 1,0; 0,1 1,0")) == [{"row": [(one, zero), (zero, one)], "column": [(zero, one)]}]
    assert rest_sets(field_of("matrix:sexes")) == []


def test_large_games_list_pure_profiles_and_equilibria() -> None:
    payoffs = np.random.default_rng(5).integers(-9, 10, (2, 6, 6))
    points = rest_points(field_of(equilibria(*payoffs).game))
    assert len(points) == 36 + sum(not one.pure for one in equilibria(*payoffs))


# ---- paths


@pytest.mark.parametrize("populations", [1, 2])
def test_biased_rock_paper_scissors_conserves(populations: int) -> None:
    field = field_of("matrix:brps", populations=populations)
    found = conserved(field)
    assert found is not None
    quantity, weights = found
    assert weights.tolist() == [1 / 16, 10 / 16, 5 / 16] * populations
    path = integrate(field, [0.2, 0.3, 0.5, 0.5, 0.3, 0.2][: 3 * populations], 1000, 1001)
    assert np.ptp(quantity(path.states)) < 1e-6
    assert np.ptp(path.states[:, 0]) > 0.2  # it moves
    assert conserved(field_of("matrix:sexes")) is None
    lenient = field_of("matrix:brps", populations=populations, kappa=2)
    assert conserved(lenient) is None
    along = integrate(lenient, [0.2, 0.3, 0.5, 0.5, 0.3, 0.2][: 3 * populations], 10, 11)
    assert np.ptp(quantity(along.states)) > 0.01


@pytest.mark.parametrize(("name", "options"), FIELDS)
def test_paths_stay_on_the_simplex_and_on_their_face(name: str, options: dict) -> None:
    field = field_of(f"matrix:{name}", **options)
    start = field.middle()
    start[:2] = 0, start[0] + start[1]
    path = integrate(field, start, 200, 50)
    assert path.states.min() >= 0 and not path.states[:, 0].any()
    assert np.abs(np.stack([part.sum(axis=-1) for part in field.split(path.states)]) - 1).max() < 1e-12


def test_paths_go_where_they_must() -> None:
    replicator, boltzmann = field_of("matrix:sexes"), field_of("matrix:sexes", "boltzmann", 0.2)
    assert integrate(replicator, [0.61, 0.39, 0.41, 0.59], 40).states[-1] == pytest.approx([1, 0, 1, 0], abs=1e-6)
    assert integrate(replicator, [0.59, 0.41, 0.39, 0.61], 40).states[-1] == pytest.approx([0, 1, 0, 1], abs=1e-6)
    sink = min(fixed_points(boltzmann)[0], key=lambda state: -state[0])
    assert integrate(boltzmann, [0.7, 0.3, 0.7, 0.3], 30).states[-1] == pytest.approx(sink, abs=1e-6)
    many = flow(replicator, np.array([[0.61, 0.39, 0.41, 0.59], [0.2, 0.8, 0.3, 0.7]]), 3.0, 300)
    for start, end in zip(([0.61, 0.39, 0.41, 0.59], [0.2, 0.8, 0.3, 0.7]), many):
        assert integrate(replicator, start, 3.0).states[-1] == pytest.approx(end, abs=1e-6)


def test_best_response_is_followed_exactly() -> None:
    field = field_of("matrix:prisoners", "best-response")
    path = integrate(field, [0.9, 0.1, 0.6, 0.4], 5, 11)
    assert path.states[:, 0] == pytest.approx(0.9 * np.exp(-path.times)) and path.states[:, 2] == pytest.approx(0.6 * np.exp(-path.times))
    pennies = integrate(field_of("matrix:pennies", "best-response"), [0.9, 0.1, 0.7, 0.3], 15).states[-1]
    assert pennies == pytest.approx([0.5] * 4, abs=2e-3)
    with pytest.raises(LudometerError, match="backwards"):
        integrate(field, [0.9, 0.1, 0.6, 0.4], -5)


def test_fictitious_play_finds_equals_equal() -> None:
    """In biased rock-paper-scissors replies often earn the same to the digit; fractions say which, and the first of them is played."""
    table = find_game("matrix:brps")[0]
    states = fictitious_play(table, 200).states
    counts = [[Fraction(0)] * 3, [Fraction(0)] * 3]
    choices = [0, 0]
    ties = 0
    for number, state in enumerate(states):
        for count, choice in zip(counts, choices):
            count[choice] += 1
        assert state == pytest.approx([float(value / (number + 1)) for count in counts for value in count], abs=1e-12)
        earned = [
            [sum(table.row_payoffs[i][j] * counts[1][j] for j in range(3)) for i in range(3)],
            [sum(table.column_payoffs[i][j] * counts[0][i] for i in range(3)) for j in range(3)],
        ]
        ties += sum(one.count(max(one)) > 1 for one in earned)
        choices = [one.index(max(one)) for one in earned]
    assert ties > 0, "otherwise nothing is shown"


def test_fictitious_play_approaches_the_value() -> None:
    last = fictitious_play("matrix:brps", 20_000).states[-1]
    assert last == pytest.approx([1 / 16, 10 / 16, 5 / 16] * 2, abs=0.02)
    cycling = fictitious_play("matrix:shapley", 20_000).states  # Shapley: it does not converge
    assert np.ptp(cycling[10_000:, 0]) > 0.1


def test_separatrices_of_the_battle_of_the_sexes() -> None:
    """x + y = 1 is invariant here: ẋ + ẏ = 0 on it."""
    paths = separatrices(field_of("matrix:sexes"), np.array([0.6, 0.4, 0.4, 0.6]))
    assert len(paths) == 2
    for path in paths:
        assert path.states[:, 0] + path.states[:, 2] == pytest.approx(np.ones(len(path.states)), abs=1e-6)
        assert path.states[-1] == pytest.approx([0.6, 0.4, 0.4, 0.6]) and path.states[0].max() > 0.999
    with pytest.raises(LudometerError, match="in two dimensions"):
        separatrices(field_of("matrix:brps"), np.full(6, 1 / 3))


def test_basins() -> None:
    found = basins(field_of("matrix:sexes"), 30)
    assert found.shares() == pytest.approx([0.5, 0.5], abs=0.02) and (found.ends >= 0).all()
    for start, end in zip(found.starts, found.ends):
        assert (start[0] + start[2] > 1) == (found.sinks[end].state[0] == 1)
    lenient = [basins(field_of("matrix:stag", kappa=kappa, populations=2), 20).shares()[0] for kappa in (1, 3)]
    assert lenient[1] > lenient[0] + 0.3  # lenient learners find the better equilibrium from more places
    coordination = field_of(equilibria(np.diag([2, 3, 1]), np.diag([2, 3, 1])).game, populations=1)
    shares = basins(coordination, 30).shares()
    assert sum(shares) == pytest.approx(1, abs=0.02) and shares[1] > shares[0] > shares[2]
    with pytest.raises(LudometerError, match="not for 3×3"):
        basins(field_of("matrix:brps"))


# ---- logit equilibria


def test_logit_equilibria_satisfy_their_equation() -> None:
    for name, tau, count in (("sexes", 0.3, 3), ("sexes", 2.0, 1), ("pennies", 0.1, 1), ("brps", 0.05, 1), ("stag", 0.05, 3)):
        field = field_of(f"matrix:{name}", "boltzmann", tau)
        found = logit_equilibria(f"matrix:{name}", tau)
        assert len(found) == count
        for state in found:
            for part, earned in zip(field.split(state), field.fitness(state)):
                weights = np.exp((earned - earned.max()) / tau)
                assert part == pytest.approx(weights / weights.sum(), abs=1e-9)


def test_both_ways_find_the_same_logit_equilibria() -> None:
    from ludometer.dynamics.logit import _search

    for name in ("sexes", "stag", "dispersion"):
        field = field_of(f"matrix:{name}", "boltzmann", 0.3)
        one, two = (sorted(map(tuple, np.round(found, 6).tolist())) for found in (fixed_points(field)[0], _search(field)))
        assert one == two


def test_the_principal_branch() -> None:
    branch = principal_branch("matrix:brps", 0.01)
    assert branch.taus[0] == np.inf and branch.taus[-1] == 0.01 and branch.states[0] == pytest.approx([1 / 3] * 6)
    assert branch.states[-1] == pytest.approx(logit_equilibria("matrix:brps", 0.01)[0], abs=1e-8)
    stag = principal_branch("matrix:stag", 0.02)  # Stag and Hare are equally good in the middle, at every temperature
    assert stag.states == pytest.approx(np.full(stag.states.shape, 0.5), abs=1e-9)
    prisoners = principal_branch("matrix:prisoners", 0.02)
    assert prisoners.states[-1] == pytest.approx([0, 1, 0, 1], abs=1e-6)
    for tau, state in zip(prisoners.taus[1:], prisoners.states[1:]):
        assert np.abs(field_of("matrix:prisoners", "boltzmann", tau).velocity(state)).max() < 1e-9


def test_bifurcation_of_the_battle_of_the_sexes() -> None:
    """The mixed point splits at the temperature where its Jacobian 1 − x(1−x)y(1−y)·25/τ² vanishes at the logit equilibrium."""
    counts = [sum(row["tau"] == tau for row in bifurcation("matrix:sexes", [tau])) for tau in (0.5, 1.2, 1.3, 3.0)]
    assert counts == [3, 3, 1, 1]
    kinds = {row["kind"] for row in bifurcation("matrix:sexes", [0.5])}
    assert kinds == {"sink", "saddle"}


# ---- refusals


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "newton"}, "there is no dynamics 'newton'"),
        ({"kind": "boltzmann", "tau": 0}, "from 0.001 to 1000000, not 0"),
        ({"kind": "boltzmann", "tau": float("nan")}, "not nan"),
        ({"kappa": 0}, "kappa is a whole number from 1 to 1000, not 0"),
        ({"kappa": 1.5}, "kappa is a whole number"),
        ({"kind": "best-response", "kappa": 2}, "best-response takes kappa 1 only"),
        ({"populations": 3}, "one or two populations, not 3"),
        ({"populations": 1}, "needs a symmetric game"),
    ],
)
def test_settings_without_meaning(options: dict, message: str) -> None:
    with pytest.raises(LudometerError, match=message):
        field_of("matrix:sexes", **options)


@pytest.mark.parametrize(("start", "duration"), [([1, 0], 1), ([0.5, 0.6, 0.5, 0.5], 1), ([0.5] * 4, 0), ([0.5] * 4, float("nan"))])
def test_bad_paths(start: list[float], duration: float) -> None:
    with pytest.raises(LudometerError):
        integrate(field_of("matrix:sexes"), start, duration)
