"""What all matplotlib figures share: their look, and how they are written.  matplotlib is loaded when the first one is drawn."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from ludometer.core.errors import LudometerError, shorten
from ludometer.core.files import write_with
from ludometer.view.boards.theme import INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = (".png", ".svg", ".pdf")
GRID = "#d8d2c6"


def new_figure(rows: int, columns: int, width: float, height: float) -> tuple[Figure, list[Axes]]:
    """A figure of this size in inches, and its axes, row by row.  No window is opened."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    for one in axes.flat:
        plain(one)
    return figure, list(axes.flat)


def plain(axes: Axes) -> None:
    """Draw axes without a box around them, behind what they show."""
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def entitle(figure: Figure, text: str) -> None:
    """Set the headline of a figure."""
    figure.suptitle(text, color=INK, fontsize=13, fontweight="bold")


def percent(share: float, place: object = None) -> str:
    """A share as whole percents; a formatter of axes."""
    return f"{share:.0%}"


def check_format(file: str) -> None:
    """Raise LudometerError unless the ending of a file's name is a format that can be drawn."""
    if Path(file).suffix.lower() not in FORMATS and not file.startswith("/dev/"):
        raise LudometerError(f"a plot is written as {', '.join(FORMATS)}; {shorten(file)} ends otherwise")


def save(figure: Figure, file: str | Path) -> Path:
    """Write a plot in the format of the file's ending; raises LudometerError."""
    check_format(str(file))
    suffix = Path(file).suffix.lower().lstrip(".") or "png"
    return write_with(file, lambda stream: figure.savefig(stream, format=suffix, dpi=150))


def figure_bytes(figure: Figure, form: str) -> bytes:
    """A plot as the content of a file in this format."""
    stream = io.BytesIO()
    figure.savefig(stream, format=form, dpi=150)
    return stream.getvalue()
