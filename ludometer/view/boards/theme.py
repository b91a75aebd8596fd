"""How each role of `core.drawing` looks, in pictures and on a terminal; the only place with colours.

The two players are told apart by shape and by a pair of colours (blue, vermilion) that stays distinct for colour-blind eyes.
Values from −1 to 1 run from purple over near-white to green, a scale that is safe for them too.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Look:
    """The paint of one role; lengths are in board units."""

    fill: str = "none"
    fill_opacity: float = 1.0
    stroke: str = "none"
    stroke_opacity: float = 1.0
    width: float = 0.04  # of an outline
    line: float = 0.04  # width of a line drawn for itself
    dashed: bool = False
    corner: float = 0.0  # radius of a rectangle's corners
    shadow: str = ""  # colour of a thin edge below a rectangle, which makes it stand out


PAPER = "#fbf7ef"  # behind the whole picture
INK = "#3d3229"  # titles and labels laid over moves

FIRST = "#155a96"
SECOND = "#c4511a"

LOOKS = {
    "board": Look(fill="#e6cfa6", corner=0.1, shadow="#b8976a"),
    "frame": Look(fill="#8a6546", corner=0.14, shadow="#5e422b"),
    "cell": Look(fill="#f4e5c8", corner=0.08, shadow="#d2b587"),
    "grid": Look(stroke="#8f7350", width=0.035, line=0.035),
    "first": Look(fill=FIRST, stroke=FIRST, line=0.12),
    "second": Look(fill=SECOND, stroke=SECOND, line=0.12),
    "first-area": Look(fill=FIRST, fill_opacity=0.2, corner=0.06),
    "second-area": Look(fill=SECOND, fill_opacity=0.2, corner=0.06),
    "last": Look(fill="#ffd75e", fill_opacity=0.45, stroke="#e2a400", stroke_opacity=0.9, width=0.05, line=0.13, corner=0.08),
    "target": Look(fill="#1f8a70", fill_opacity=0.1, stroke="#1f8a70", stroke_opacity=0.8, width=0.07, line=0.07, corner=0.08),
    "faint": Look(fill="#b9a27c", fill_opacity=0.6, stroke="#b9a27c", stroke_opacity=0.7, line=0.035, dashed=True),
    "label": Look(fill="#806c54"),
    "value": Look(fill=INK),
    "hole": Look(fill="#d4b27c", corner=0.3),
}

# Purple to green, from a value of −1 to a value of 1.
DIVERGING = ("#762a83", "#a277b4", "#d5c1df", "#f7f5f0", "#bfe0b8", "#6bb56e", "#1b7837")

# Pictures of learning dynamics.  Areas are light and of different lightness; lines have a style each beside their colour.
STREAM = "#a9b4be"
EQUILIBRIUM = "#e2a400"
GRID = "#d8d2c6"
FAINT_GRID = "#e4ded2"
AREAS = ("#9cc3e6", "#f4c28f", "#b9dfb1", "#d3bfe0", "#f2e394", "#c9c9c9")
LINES = (FIRST, SECOND, "#1b7837", DIVERGING[0], "#8c6d00", "#5a5a5a", "#0f9bb3", "#b0407c", "#6a8f00", "#000000")
# Curves in one plot: told apart by colour-blind eyes (after Okabe and Ito), and by their markers.
SERIES = (FIRST, SECOND, "#1f8a70", "#a3508b", "#c99700", "#4a4a4a", "#56a3d9", "#7a5230")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")

# Terminal styles as ANSI codes; a span with several roles gets all of them.
TERMINAL = {
    "board": "",
    "frame": "33",
    "cell": "",
    "grid": "2",
    "first": "1;34",
    "second": "1;31",
    "first-area": "34",
    "second-area": "31",
    "last": "7",
    "target": "32",
    "hole": "",
    "faint": "2",
    "label": "2",
    "value": "1",
}


def diverging(value: float) -> str:
    """The colour of a value from −1 to 1, as #rrggbb; values beyond are drawn as the nearest end."""
    place = (min(1.0, max(-1.0, value)) + 1) / 2 * (len(DIVERGING) - 1)
    below = min(int(place), len(DIVERGING) - 2)
    parts = zip(_channels(DIVERGING[below]), _channels(DIVERGING[below + 1]))
    return "#" + "".join(f"{round(low + (high - low) * (place - below)):02x}" for low, high in parts)


def ink_on(colour: str) -> str:
    """Dark or light ink, whichever reads better on a #rrggbb colour."""
    red, green, blue = _channels(colour)
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#ffffff"


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
