"""`python -m ludometer.demo`: a short game of each kind, played, printed and drawn; pictures and records go to ./demo-output."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from ludometer.arena.playing import play_game
from ludometer.core.errors import LudometerError
from ludometer.core.files import write_text
from ludometer.games import game, kinds
from ludometer.view.gallery import gallery
from ludometer.view.terminal import position_text, wants_colour

FOLDER = Path("demo-output")
SEED = 1

# Caption, game, position and the move that follows: boards in the middle of a game.
GALLERY = (
    ("Quixo", "quixo:5", "OX.XO/O...O/X..../....X/XX.OX x", "A3>top"),
    (
        "Ultimate Tic-Tac-Toe",
        "ultimate",
        "X.OO..X../.X.XXX.O./..XO...XO/O.OX.O.../.X..XO.X./..X...O../XX..O.X../O...X...O/.OO.X.... o B2",
        "B2/A3",
    ),
    ("m,n,k", "mnk:7,7,5", "......./..O..../.XXO.../.OXXO../..O.X../...X.O./....... x", "B2"),
    (
        "Dots-and-Boxes",
        "dots:5x5",
        "--.--/|a|b|_|a|_./--.-./._._|_|a|_./-..-./|b|_._|_._|/-.---/._._|b|a|b|/.----/._|b|b|b|a|/----- b",
        "E3-E4",
    ),
)


def draw_gallery() -> str:
    """The picture of several games side by side."""
    boards = [(caption, game(spec).position(position).play(move)) for caption, spec, position, move in GALLERY]
    return gallery(boards, title="Boards of " + ", ".join(caption for caption, _ in boards))


def main() -> None:
    """Play, print and draw."""
    since = time.perf_counter()
    FOLDER.mkdir(exist_ok=True)
    specs = [kind.listed[0] for kind in kinds().values()]
    for number, spec in enumerate(specs, start=1):
        print(f"\n[{number}/{len(specs)}] {spec}: random against random", flush=True)
        record = play_game(spec, "random", "random", seed=SEED)
        print(position_text(record.final, wants_colour(sys.stdout)))
        name = record.game.spec.replace(":", "-").replace(",", "-")
        written = [write_text(FOLDER / f"{name}.svg", record.final.svg(title=record.game.spec)), FOLDER / f"{name}.txt"]
        record.save(written[1])
        print(f"{record.result} after {len(record.moves)} moves; see {' and '.join(map(str, written))}")
    print(f"\na picture of all: {write_text(FOLDER / 'gallery.svg', draw_gallery())}")
    print(f"done in {time.perf_counter() - since:.1f} s")


if __name__ == "__main__":
    try:
        main()
    except LudometerError as error:
        sys.exit(f"ludometer: {error}")
