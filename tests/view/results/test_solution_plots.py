"""Plots: what is drawn is what was counted, and nothing is left behind when drawing fails."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludometer.core.errors import LudometerError
from ludometer.view.figures import save
from ludometer.view.results.solution_plots import class_figure, distance_figure

TILES = [
    {"mover": 0, "other": 0, "win": 1, "loss": 0, "draw": 0},
    {"mover": 0, "other": 1, "win": 0, "loss": 4, "draw": 0},
    {"mover": 1, "other": 0, "win": 1, "loss": 2, "draw": 1},
    {"mover": 1, "other": 1, "win": 2, "loss": 1, "draw": 1},
]
MOVES = [{"moves": n, "mover": None, "other": None, "win": n, "loss": 1, "draw": 2} for n in range(4)]


def test_classes_of_a_tile_game() -> None:
    """Bars of the classes that taking blanks in turn leads to, and of those in which the mover is ahead; each row says which it is."""
    figure = class_figure("some", TILES)
    taken, ahead, *maps = [axes for part in figure.subfigs for axes in part.axes if axes.get_xlabel()]
    assert "take blanks in turn" in taken.get_title() and "one more" in ahead.get_title()
    assert [label.get_text() for label in taken.get_xticklabels()] == ["0,0", "0,1", "1,1"]
    assert [round(bar.get_height(), 3) for bar in taken.patches] == [1, 0, 0.5, 0, 0, 0.25, 0, 1, 0.25]
    assert [label.get_text() for label in ahead.get_xticklabels()] == ["0,0", "1,0", "1,1"]
    assert [round(bar.get_height(), 3) for bar in ahead.patches] == [1, 0.25, 0.5, 0, 0.25, 0.25, 0, 0.5, 0.25]
    win, draw, loss = (np.ma.filled(axes.images[0].get_array(), np.nan) for axes in maps)
    assert win[0, 1] == 0.25 and draw[1, 1] == 0.25 and loss[1, 0] == 1  # [other, mover]
    assert [text.get_text() for text in maps[0].texts] == ["100", "25", "", "50"]


def test_classes_by_moves() -> None:
    (axes,) = class_figure("some", MOVES).axes
    assert axes.get_xlabel() == "moves played" and len(axes.patches) == 12
    assert [label.get_text() for label in axes.get_legend().get_texts()] == ["loss", "draw", "win"]


def test_distances_and_points() -> None:
    (axes,) = distance_figure("some", {"win": {1: 10, 3: 4}, "loss": {0: 7, 1: 2}}).axes
    assert [list(line.get_ydata()) for line in axes.lines] == [[10, 4], [7, 2]]
    assert axes.get_yscale() == "log"
    assert axes.lines[0].get_xdata()[0] < 1 < axes.lines[1].get_xdata()[1]  # beside each other
    (points,) = distance_figure("some", {"win": {}, "loss": {}, "margin": {-1: 3, 0: 5, 2: 8}}).axes
    assert [bar.get_height() for bar in points.patches] == [3, 5, 8]


def test_files(tmp_path: Path) -> None:
    figure = distance_figure("some", {"win": {1: 10}, "loss": {0: 7}})
    for suffix, magic in ((".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")):
        assert save(figure, tmp_path / f"plot{suffix}").read_bytes().startswith(magic)
    width, height = (int.from_bytes((tmp_path / "plot.png").read_bytes()[place : place + 4]) for place in (16, 20))
    assert (width, height) == (9.0 * 150, 4.6 * 150), "150 dots an inch"
    for name in ("plot", "plot.jpeg", "no/plot.png"):
        with pytest.raises(LudometerError):
            save(figure, tmp_path / name)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["plot.pdf", "plot.png", "plot.svg"]
    save(figure, "/dev/null")


def test_two_threads_write_one_plot(tmp_path: Path) -> None:
    """Each writes under a name of its own, and one of the two whole files stays."""
    figures = [distance_figure("some", {"win": {1: count}, "loss": {0: 7}}) for count in (10, 20)]
    gate = threading.Barrier(2)

    def write(figure: Any) -> None:
        savefig = figure.savefig

        def together(*arguments: Any, **options: Any) -> None:
            gate.wait()  # both have opened their temporary files
            savefig(*arguments, **options)

        figure.savefig = together
        save(figure, tmp_path / "plot.svg")

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, figures))
    assert [file.name for file in tmp_path.iterdir()] == ["plot.svg"]
    assert (tmp_path / "plot.svg").read_text().rstrip().endswith("</svg>")
