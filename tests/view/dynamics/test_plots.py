"""Pictures of learning dynamics: what is drawn is what was computed."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from ludometer.core.errors import LudometerError
from ludometer.dynamics.fields import field_of
from ludometer.dynamics.portrait import Portrait, learning_dynamics
from ludometer.view.dynamics import fields
from ludometer.view.dynamics.axes import on_triangle, streams_on_square
from ludometer.view.dynamics.curves import smoothed
from ludometer.view.dynamics.plots import field_figure, figure_of, svg

FEW = {"runs": 30, "episodes": 400}


@pytest.fixture(scope="module")
def sexes() -> Portrait:
    return learning_dynamics("matrix:sexes", learners="cross", **FEW)


def labels(figure) -> list[str]:
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


def test_the_square(sexes: Portrait) -> None:
    figure = field_figure(sexes)
    (axes,) = figure.axes
    assert axes.get_xlabel() == "row player: probability of O (else M)"
    assert axes.get_ylabel() == "column player: probability of O (else M)"
    stars = sorted((line.get_xdata()[0], line.get_ydata()[0]) for line in axes.lines if line.get_marker() == "*")
    assert stars == [(0, 0), (0.6, 0.4), (1, 1)]
    crosses = [(line.get_xdata()[0], line.get_ydata()[0]) for line in axes.lines if line.get_marker() == "X"]
    assert crosses == [(0.6, 0.4)]
    assert {"Nash equilibrium", "rest point: saddle", "separatrix", "policies of 3 pairs: cross learning"} <= set(labels(figure))


def test_streams_on_the_square_point_to_the_better_replies() -> None:
    """Battle of the sexes: each player's share of O grows where the other plays O, and falls where he plays M."""
    drawn: list[tuple] = []

    class Axes:
        def streamplot(self, x, y, right, up, **style) -> None:
            drawn.append((right, up))

    streams_on_square(Axes(), field_of("matrix:sexes"))  # type: ignore[arg-type]  # only this method is used
    ((right, up),) = drawn
    inside = slice(1, -1)
    assert (up[inside, -1] > 0).all() and (up[inside, 0] < 0).all()
    assert (right[-1, inside] > 0).all() and (right[0, inside] < 0).all()


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("spec", "options", "panels"),
    [
        ("matrix:brps", {}, 2),
        ("matrix:brps", {"populations": 1, "dynamics": "boltzmann", "tau": 0.1}, 1),
        ("2,1 0,3 1,0; 0,0 1,1 3,2", {}, 2),
        ("2,1 0,3; 1,0 0,0; 1,1 3,2", {"dynamics": "best-response"}, 2),
        ("matrix:stag", {"populations": 1, "kappa": 3}, 1),
        ("0,0 0,0; 0,0 0,0", {}, 1),
    ],
)
def test_every_size_is_drawn(spec: str, options: dict, panels: int) -> None:
    portrait = learning_dynamics(spec, **options)
    figure = field_figure(portrait)
    assert len(figure.axes) == panels and labels(figure)
    ElementTree.fromstring(svg(portrait))


def test_larger_games_are_not_drawn() -> None:
    portrait = learning_dynamics(np.eye(4, dtype=int), np.eye(4, dtype=int))
    with pytest.raises(LudometerError, match="this one is 4×4"):
        field_figure(portrait)
    assert portrait._repr_svg_() is None and portrait._repr_html_().startswith("<pre>")


@pytest.mark.exhaustive
def test_notebooks_and_files(sexes: Portrait, tmp_path: Path) -> None:
    assert sexes._repr_html_().startswith("<svg") and "Battle of the sexes" in sexes._repr_html_()
    for picture in ("field", "basins", "curves", "bifurcation"):
        assert sexes.plot(str(tmp_path / f"{picture}.png"), picture).stat().st_size > 10_000
    with pytest.raises(LudometerError, match="there is no picture 'map'"):
        figure_of(sexes, "map")
    with pytest.raises(LudometerError, match="need learners"):
        figure_of(learning_dynamics("matrix:sexes"), "curves")


def test_basins_are_named_with_their_shares(sexes: Portrait) -> None:
    figure = figure_of(sexes, "basins")
    (axes,) = figure.axes
    assert {text.get_text() for text in axes.texts} == {"to O, O", "to M, M"}
    assert sum(label.startswith("leads to") and label.endswith("50.0%") for label in labels(figure)) == 2


def test_curves_show_one_pair_and_the_mean() -> None:
    portrait = learning_dynamics("matrix:prisoners", learners="greedy", **FEW)
    figure = figure_of(portrait, "curves")
    assert len(figure.axes) == 6 and figure.axes[-1].get_xlabel() == "episode"
    times, states = smoothed(portrait.runs)
    assert states.shape[:2] == (30, len(times)) and states.sum(axis=-1) == pytest.approx(np.full(states.shape[:2], 2.0), abs=1e-5)


@pytest.mark.exhaustive
def test_bifurcation_points_are_logit_equilibria() -> None:
    (axes,) = figure_of(learning_dynamics("matrix:stag"), "bifurcation").axes
    by_label = {line.get_label(): line for line in axes.lines}
    assert np.allclose(by_label["not stable"].get_ydata(), 0.5)
    assert axes.get_xscale() == "log" and axes.get_xlabel() == "temperature τ"
    figure_of(learning_dynamics("matrix:brps"), "bifurcation")


def test_places_on_the_triangle() -> None:
    x, y = on_triangle(np.eye(3))
    assert x.tolist() == [0, 1, 0.5] and y == pytest.approx([0, 0, np.sqrt(3) / 2])


def test_tables_name_equilibria_and_ends_by_their_actions() -> None:
    portrait = learning_dynamics("matrix:sexes", dynamics="boltzmann", tau=0.5, learners="faq", runs=20, episodes=2000, seed=1)
    found = fields.tables(portrait)
    assert found["equilibria"]["rows"][2][3] == "not Pareto-optimal; worse than (O, O), (M, M)"
    assert all(row[3].count(", ") == 1 for row in found["rest_points"]["rows"])
    head, rows = found["learners"]["head"], found["learners"]["rows"]
    assert head == ["row player", "column player", "share", "95 % interval"]
    assert {row[0] for row in rows} <= {"0.997 O + 0.003 M", "0.019 O + 0.981 M", "elsewhere"}
    assert abs(sum(float(row[2].removesuffix(" %")) for row in rows) - 100) < 0.3
