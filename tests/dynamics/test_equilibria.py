"""Equilibria: known ones, thousands of random games against Gambit and Nashpy, and what is said about them."""

from __future__ import annotations

import random
import warnings
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ludometer.core.errors import LudometerError
from ludometer.dynamics.components import affine_dimension
from ludometer.dynamics.equilibria import equilibria, nash_conv, parse_profile, zero_sum_value
from ludometer.dynamics.payoffs import find_game
from ludometer.dynamics.stability import determinant, is_evolutionarily_stable, is_strictly_copositive
from ludometer.games import game
from ludometer.games.matrix.bimatrix import Bimatrix, matrix_game
from tests.dynamics.gambit_twin import extreme_equilibria

# game -> (row, column, payoffs, Pareto-optimal)
KNOWN = {
    "dispersion": [("1 0", "0 1", "1 1", True), ("0 1", "1 0", "1 1", True), ("1/2 1/2", "1/2 1/2", "0 0", False)],
    "sexes": [("1 0", "1 0", "3 2", True), ("0 1", "0 1", "2 3", True), ("3/5 2/5", "2/5 3/5", "6/5 6/5", False)],
    "prisoners": [("0 1", "0 1", "-3 -3", False)],
    "brps": [("1/16 10/16 5/16", "1/16 10/16 5/16", "0 0", True)],
    "stag": [("1 0", "1 0", "2 2", True), ("0 1", "0 1", "1 1", False), ("1/2 1/2", "1/2 1/2", "1 1", False)],
    "pennies": [("1/2 1/2", "1/2 1/2", "0 0", True)],
    "rps": [("1/3 1/3 1/3", "1/3 1/3 1/3", "0 0", True)],
    "shapley": [("1/3 1/3 1/3", "1/3 1/3 1/3", "1/3 1/3", True)],
    "hawkdove": [("1 0", "0 1", "2 0", True), ("0 1", "1 0", "0 2", True), ("1/2 1/2", "1/2 1/2", "1/2 1/2", False)],
}


def numbers(text: str) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, text.split()))


def random_game(source: np.random.Generator, low: int = 2, high: int = 5, most: int = 2) -> Bimatrix:
    rows, columns = source.integers(low, high + 1, 2)
    return matrix_game(*source.integers(-most, most + 1, (2, rows, columns)))


@pytest.mark.parametrize("name", KNOWN)
def test_known_equilibria_exactly(name: str) -> None:
    found = equilibria(f"matrix:{name}")
    assert [(one.row, one.column, one.payoffs, one.pareto) for one in found] == [
        (numbers(row), numbers(column), numbers(paid), pareto) for row, column, paid, pareto in KNOWN[name]
    ]
    assert not found.degenerate and all(component.isolated for component in found.components)
    assert all(sum(nash_conv(found.game, one.row, one.column)) == 0 for one in found)
    assert found.value == (0 if name in ("brps", "pennies", "rps") else None)


def same_as_gambit(subject: Bimatrix) -> bool:
    """Compares extreme equilibria and maximal sets; returns whether the game is degenerate.  Gambit lists some twice."""
    ours = equilibria(subject)
    theirs, cliques = extreme_equilibria(subject)
    mine = [(one.row, one.column) for one in ours]
    assert len(set(mine)) == len(mine) and set(mine) == set(theirs)
    sets = {frozenset(product(part.rows, part.columns)) for component in ours.components for part in component.sets}
    assert sets == {frozenset(clique) for clique in cliques}
    assert sorted(number for component in ours.components for number in component.members) == list(range(len(mine)))
    return ours.degenerate


def test_random_games_as_in_gambit() -> None:
    pytest.importorskip("pygambit")
    source = np.random.default_rng(7)
    degenerate = sum(same_as_gambit(random_game(source)) for _ in range(60))
    assert 40 < degenerate < 60  # small whole payoffs: most games have ties


@pytest.mark.exhaustive
def test_a_thousand_random_games_as_in_gambit() -> None:
    pytest.importorskip("pygambit")
    source = np.random.default_rng(1)
    degenerate = sum(same_as_gambit(random_game(source)) for _ in range(1000))
    assert 700 < degenerate < 1000


def test_games_of_larger_numbers_as_in_gambit() -> None:
    """Few ties, and one-row and one-column games."""
    pytest.importorskip("pygambit")
    source = np.random.default_rng(3)
    assert sum(same_as_gambit(random_game(source, 1, 6, 1000)) for _ in range(60)) < 10


@pytest.mark.exhaustive
def test_random_games_as_in_nashpy() -> None:
    """Nashpy's support enumeration compares rounded payoffs for equality and misses some; its vertex enumeration does not."""
    nashpy = pytest.importorskip("nashpy")
    source = np.random.default_rng(5)
    compared = 0
    for _ in range(60):
        row, column = source.integers(-50, 51, (2, *source.integers(2, 6, 2)))
        ours = equilibria(row, column)
        if ours.degenerate:
            continue
        theirs = nashpy.Game(row, column)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            by_vertices, by_supports = (
                {tuple(np.round(np.concatenate(pair), 7)) for pair in found}
                for found in (theirs.vertex_enumeration(), theirs.support_enumeration())
            )
        assert by_supports <= by_vertices == {tuple(np.round([float(p) for p in (*one.row, *one.column)], 7)) for one in ours}
        compared += len(ours)
    assert compared > 80


def test_shifting_and_scaling_payoffs_changes_no_equilibrium() -> None:
    source = np.random.default_rng(11)
    for _ in range(20):
        row, column = source.integers(-3, 4, (2, 3, 4))
        changed_row = [[Fraction(int(a), 7) + 5 + j for j, a in enumerate(line)] for line in row]
        changed_column = [[Fraction(int(b)) * 3 - i for b in line] for i, line in enumerate(column)]
        before, after = equilibria(row, column), equilibria(changed_row, changed_column)
        assert [(one.row, one.column) for one in before] == [(one.row, one.column) for one in after]


def test_ten_by_ten() -> None:
    source = np.random.default_rng(2)
    for table in (source.integers(-100, 101, (2, 10, 10)), source.integers(-1, 2, (2, 10, 10))):
        found = equilibria(*table)
        assert len(found) % 2 == 1 or found.degenerate
        assert all(sum(nash_conv(found.game, one.row, one.column)) == 0 for one in found)


def test_eleven_actions_are_refused() -> None:
    with pytest.raises(LudometerError, match="up to 10×10; this one is 11×11"):
        equilibria(np.eye(11, dtype=int), np.eye(11, dtype=int))


def test_everything_is_an_equilibrium_when_nothing_matters() -> None:
    found = equilibria(np.zeros((3, 2), int), np.zeros((3, 2), int))
    (component,) = found.components
    (part,) = component.sets
    assert found.degenerate and len(found) == 6 and component.dimension == 3
    assert set(part.rows) == {numbers("1 0 0"), numbers("0 1 0"), numbers("0 0 1")} and len(part.columns) == 2


def test_a_component_of_two_sets() -> None:
    """Rows T, M pay the same against L: an edge of equilibria that turns a corner at (T, L)."""
    found = equilibria([[1, 1], [1, 0]], [[1, 1], [1, 0]])
    (component,) = found.components
    assert len(found) == 3 and component.dimension == 1 and len(component.sets) == 2
    for part in component.sets:
        for row, column in product(part.rows, part.columns):
            for share in (Fraction(1, 3), Fraction(4, 5)):
                mixed = [share * a + (1 - share) * b for a, b in zip(row, part.rows[0])]
                assert sum(nash_conv(found.game, mixed, column)) == 0


def test_affine_dimension() -> None:
    assert affine_dimension([numbers("1 0 0")]) == 0
    assert affine_dimension([numbers("1 0 0"), numbers("0 1 0"), numbers("1/2 1/2 0")]) == 1
    assert affine_dimension([numbers("1 0 0"), numbers("0 1 0"), numbers("0 0 1")]) == 2


def test_values_of_zero_sum_games_by_another_linear_programme() -> None:
    linprog = pytest.importorskip("scipy.optimize").linprog
    source = np.random.default_rng(9)
    for _ in range(40):
        rows, columns = source.integers(1, 6, 2)
        payoffs = source.integers(-9, 10, (rows, columns))
        # the row player's guarantee v: max v with xᵀA ≥ v
        answer = linprog(
            [0] * rows + [-1],
            np.hstack([-payoffs.T, np.ones((columns, 1))]),
            [0] * columns,
            [[1] * rows + [0]],
            [1],
            [(0, 1)] * rows + [(None, None)],
        )
        found = equilibria(payoffs)
        assert found.value == zero_sum_value(found.game.row_payoffs) == found[0].payoffs[0]
        assert float(found.value) == pytest.approx(-answer.fun, abs=1e-9)


def test_constant_sum() -> None:
    found = equilibria([[3, 1], [0, 2]], [[2, 4], [5, 3]])
    assert (found.total, found.value) == (5, Fraction(3, 2))
    assert "constant-sum (5): the value for the row player is 1.5" in str(found)


def test_dominance_among_equilibria_and_lotteries() -> None:
    found = equilibria("matrix:stag")
    assert [one.dominated_by for one in found] == [(), (0,), (0,)]
    shapley = equilibria("matrix:shapley")[0]
    assert shapley.pareto and not shapley.pareto_lotteries  # (1/3, 1/3) loses to a lottery between 1,0 and 0,1


def test_better_for_one_player_and_equal_for_the_other_is_better() -> None:
    worse, better, _ = equilibria([[1, 0], [0, 2]], [[1, 0], [0, 1]])
    assert (worse.payoffs, better.payoffs) == ((1, 1), (2, 1))
    assert (worse.dominated_by, worse.pareto) == ((1,), False) and (better.dominated_by, better.pareto) == ((), True)
    assert not worse.pareto_lotteries and better.pareto_lotteries


@pytest.mark.parametrize(
    ("name", "stable"),
    [("hawkdove", [None, None, True]), ("stag", [True, True, False]), ("brps", [False]), ("prisoners", [True]), ("sexes", [None] * 3)],
)
def test_evolutionary_stability(name: str, stable: list[bool | None]) -> None:
    assert [one.stable for one in equilibria(f"matrix:{name}")] == stable


def test_good_rock_paper_scissors_is_stable_and_bad_is_not() -> None:
    for win, expected in ((2, True), (Fraction(1, 2), False)):
        payoffs = [[0, -1, win], [win, 0, -1], [-1, win, 0]]
        (one,) = equilibria(payoffs, np.array(payoffs, object).T)
        assert one.stable is expected


def test_evolutionary_stability_by_trying_invaders() -> None:
    """x is stable iff, for every y near x, x earns more against y than y does."""
    source = np.random.default_rng(4)
    tested = {True: 0, False: 0}
    for _ in range(80):
        size = int(source.integers(2, 5))
        payoffs = source.integers(-2, 3, (size, size))
        for one in equilibria(payoffs, payoffs.T):
            if one.row != one.column:
                continue
            answer = is_evolutionarily_stable(matrix_game(payoffs, payoffs.T), one.row)
            x = np.array([float(p) for p in one.row])
            # invaders: mixtures of few actions, which reach the corners of every cone
            invaders = [source.dirichlet(np.full(size, shape)) for shape in (0.05, 0.3, 1.0) for _ in range(60)] + list(np.eye(size))
            near = [0.999 * x + 0.001 * y for y in invaders if np.abs(y - x).max() > 1e-3]
            gains = [float((x - y) @ payoffs @ y) for y in near]
            assert answer == (min(gains) > 1e-12) or (not answer and min(gains) > 0)
            tested[bool(answer)] += 1
    assert min(tested.values()) > 20


def test_copositivity_and_determinants() -> None:
    source = random.Random(3)
    for _ in range(200):
        size = source.randint(1, 4)
        half = [[source.randint(-3, 3) for _ in range(size)] for _ in range(size)]
        form = [[Fraction(half[i][j] + half[j][i]) for j in range(size)] for i in range(size)]
        as_floats = np.array(form, float)
        assert float(determinant(form)) == pytest.approx(np.linalg.det(as_floats), abs=1e-6)
        grid = [np.array(v, float) for v in product(range(5), repeat=size) if any(v)]
        least = min(v @ as_floats @ v / (v.sum() ** 2) for v in grid)
        if least <= 0:
            assert not is_strictly_copositive(form)
        elif least > 1:
            assert is_strictly_copositive(form)


def test_nash_conv_of_the_study_s_profile() -> None:
    """Paper against Paper: Scissors would earn 0.05 instead of 0, for either player."""
    table, _ = find_game("matrix:brps")
    assert nash_conv(table, *parse_profile(table, "P P")) == (Fraction(1, 20), Fraction(1, 20))
    assert nash_conv(table, [0.0, 1.0, 0.0], [0, 1, 0])[0] == pytest.approx(0.05)
    assert sum(nash_conv(table, *parse_profile(table, "1/16,5/8,5/16 .0625,.625,.3125"))) == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("P", "write the row player's mixed strategy"),
        ("P P P", "write the row player's mixed strategy"),
        ("1,0 P", "has 3 numbers, not 2"),
        ("Q P", "'Q', which is not a number"),
        ("1/2,1/2,1/2 P", "sum to 1"),
        ("2,-1,0 P", "sum to 1"),
        ("nan,0,1 P", "'nan', which is not a number"),
    ],
)
def test_bad_profiles(text: str, message: str) -> None:
    with pytest.raises(LudometerError, match=message):
        parse_profile(find_game("matrix:brps")[0], text)


def test_games_are_found_in_every_form() -> None:
    wanted = find_game("matrix:sexes")[0].row_payoffs
    for form in ("matrix:sexes", "sexes", "3,2 0,0; 0,0 2,3", "MATRIX:3,2 0,0; 0,0 2,3", game("matrix:sexes"), find_game("sexes")[0]):
        assert find_game(form)[0].row_payoffs == wanted
    assert find_game([[3, 0], [0, 2]], np.array([[2, 0], [0, 3.0]]))[1] == "matrix:3,2 0,0; 0,0 2,3"
    for other in ("quixo:3", "tictactoe", "examples/connect_three.py"):
        with pytest.raises(LudometerError, match="is not a matrix game"):
            find_game(other)


def test_results_print_themselves() -> None:
    found = equilibria("matrix:sexes")
    assert "3/5 O + 2/5 M" in str(found) and repr(found) == str(found)
    assert found._repr_html_().startswith("<pre>Nash equilibria: 3, all isolated")
    assert "every mixture of" in str(equilibria([[1, 1], [1, 0]], [[1, 1], [1, 0]]))


def test_equilibria_as_a_frame() -> None:
    pytest.importorskip("pandas")
    found = equilibria("matrix:sexes")
    frame = found.to_frame()
    names = list(frame.columns)
    assert len(frame) == 3 and [name for name in names if name.startswith("row ")][-1] == "row payoff"
    for (_, row), one in zip(frame.iterrows(), found, strict=True):
        assert tuple(row[names[:2]]) == one.row and tuple(row[names[2:4]]) == one.column
        assert (row["row payoff"], row["column payoff"]) == one.payoffs
        assert row["pure"] == one.pure and row["component"] == one.component
