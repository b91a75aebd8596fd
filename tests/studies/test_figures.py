"""Figures as data, for pages that draw them by themselves."""

from __future__ import annotations

import json
from math import nan

import numpy as np

from ludometer.studies.figures import Figure, FigureCurve


def test_a_figure_is_plain_data() -> None:
    curve = FigureCurve("3×3", np.array([1, 10]), [0.1, nan], reported_x=(1,), reported_y=(None,))
    document = Figure("name", "title", "x", "y", [curve], x_scale="log").document()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert document["curves"][0] == {
        "label": "3×3",
        "x": [1.0, 10.0],
        "y": [0.1, None],
        "low": [],
        "high": [],
        "reported_x": [1.0],
        "reported_y": [None],
    }
    assert document["x_scale"] == "log"
