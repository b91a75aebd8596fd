"""Texts and pictures frozen as data: what people read today is what they read tomorrow, unless somebody means to change it.

`frozen(name, text)` compares with `tests/frozen/NAME`.  After a change that is meant, run the test with `LUDOMETER_FREEZE=1` in the
environment: it writes the files anew, and their difference in version control is what to read and to answer for.
"""

from __future__ import annotations

import difflib
import os
import re
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent / "frozen"
_NUMBER = re.compile(r"[-−]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
_MOST_POINTS = 24  # of a line that are written out; of longer ones every n-th


def frozen(name: str, text: str, tolerance: float = 0.0) -> None:
    """Fail unless `text` is what the file has; with a tolerance numbers may differ by so much, or by that share of their size."""
    file = FOLDER / name
    text = "\n".join(line.rstrip() for line in text.strip().splitlines()) + "\n"
    if os.environ.get("LUDOMETER_FREEZE") == "1":
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return
    wanted = file.read_text()
    if text == wanted or tolerance and _close(text, wanted, tolerance):
        return
    shown = "\n".join(list(difflib.unified_diff(wanted.splitlines(), text.splitlines(), "frozen", "now", lineterm="", n=0))[:40])
    raise AssertionError(f"{name} has changed:\n{shown}")


def _close(text: str, wanted: str, tolerance: float) -> bool:
    if _NUMBER.sub("#", text) != _NUMBER.sub("#", wanted):
        return False
    numbers = ([float(found.replace("−", "-")) for found in _NUMBER.findall(one)] for one in (text, wanted))
    return all(abs(a - b) <= tolerance * max(1.0, abs(b)) for a, b in zip(*numbers))


def described(figure: Any) -> str:
    """A matplotlib figure in words: titles, axes, lines, bars, areas, texts and legends, with their places and colours."""
    lines = _figure_lines(figure)
    for number, part in enumerate(figure.subfigs):
        lines += [f"part {number}", *(f"  {line}" for line in _figure_lines(part))]
    return "\n".join(lines)


def _figure_lines(figure: Any) -> list[str]:
    lines = [f"title: {figure.get_suptitle()}"] if figure.get_suptitle() else []
    lines += [f"text {text.get_text()!r}" for text in figure.texts if text is not getattr(figure, "_suptitle", None)]
    for axes in figure.axes if not figure.subfigs else []:
        lines += ["axes", *(f"  {line}" for line in _axes_lines(axes))]
    lines += [f"legend {_legend(legend)}" for legend in figure.legends]
    return lines


def _legend(legend: Any) -> str:
    handles = [_colour(getattr(one, "get_color", getattr(one, "get_facecolor", None))()) for one in legend.legend_handles]
    return "; ".join(f"{text.get_text()} {colour}" for text, colour in zip(legend.get_texts(), handles))


def _axes_lines(axes: Any) -> list[str]:
    titles = [axes.get_title(loc=side) for side in ("left", "center", "right")]
    lines = [f"titles {titles}", f"x {axes.get_xlabel()!r} {axes.get_xscale()} {_numbers(axes.get_xlim())}"]
    lines.append(f"y {axes.get_ylabel()!r} {axes.get_yscale()} {_numbers(axes.get_ylim())}")
    for name, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
        if type(axis.get_major_formatter()).__name__ in ("FixedFormatter", "FuncFormatter"):
            labels = [label.get_text() for label in axis.get_ticklabels()]
            lines.append(f"{name} ticks {labels[:40]}")
        for line in [line for line in axis.get_gridlines() if line.get_visible()][:1]:
            lines.append(f"{name} grid {_colour(line.get_color())} {line.get_linestyle()!r} {line.get_linewidth():g}")
    for line in axes.lines:
        style = f"{_colour(line.get_color())} {line.get_linestyle()!r} {line.get_marker()!r} {line.get_linewidth():g}"
        label = "" if line.get_label().startswith("_") else repr(line.get_label())
        lines.append(f"line {label} {style} x {_numbers(line.get_xdata())} y {_numbers(line.get_ydata())}")
    for patch in axes.patches:
        box = patch.get_bbox() if hasattr(patch, "get_bbox") else patch.get_path().get_extents()
        lines.append(f"{type(patch).__name__} {_colour(patch.get_facecolor())} {_numbers(box.extents)}")
    for collection in axes.collections:
        lines.append(_collection(collection))
    for image in axes.images:
        shown = np.ma.filled(image.get_array().astype(float), np.nan)
        lines.append(f"image {shown.shape} {_numbers(shown.ravel())} from {image.norm.vmin} to {image.norm.vmax}")
    for text in axes.texts:
        where = [*text.get_position(), *getattr(text, "xy", ())]
        lines.append(f"text {text.get_text()!r} {_colour(text.get_color())} {text.get_weight()} at {_numbers(where)}")
    if axes.get_legend() is not None:
        lines.append(f"legend {_legend(axes.get_legend())}")
    return lines


def _collection(collection: Any) -> str:
    paths = collection.get_paths()
    head = f"{type(collection).__name__} {collection.get_label() if not collection.get_label().startswith('_') else ''}"
    offsets = np.ma.filled(np.ma.asarray(collection.get_offsets(), float), np.nan)
    if len(paths) > 200:
        return f"{head} of many"
    extents = [path.get_extents().extents for path in paths if len(path.vertices)]
    colours = [_colour(one) for one in collection.get_facecolor()[:3]] + [_colour(one) for one in collection.get_edgecolor()[:3]]
    places = _numbers(np.array(extents).ravel()) if type(collection).__name__ != "PathCollection" else _numbers(offsets.ravel())
    values = "" if collection.get_array() is None else f" values {_numbers(collection.get_array())}"
    sizes = f" sizes {_numbers(collection.get_sizes())}" if hasattr(collection, "get_sizes") and len(collection.get_sizes()) else ""
    return f"{head} of {len(paths)} {' '.join(colours)} {places}{values}{sizes}"


def _colour(colour: Any) -> str:
    from matplotlib.colors import to_hex

    return str(to_hex(colour)) if len(np.shape(colour)) < 2 else " ".join(to_hex(one) for one in colour[:3])


def _numbers(values: Any) -> str:
    array = np.asarray(values, float).ravel()
    if len(array) > _MOST_POINTS:
        places = np.unique(np.linspace(0, len(array) - 1, _MOST_POINTS).astype(int))
        return f"{len(array)}: {_numbers(array[places])}"
    return " ".join(f"{0.0 if abs(value) < 1e-7 else value:.4g}" for value in array)
