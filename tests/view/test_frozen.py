"""What people read and see of results, frozen: every word, number, line and colour of texts, notebooks and pictures."""

from __future__ import annotations

import re
from math import inf

import pytest

from ludometer.agents import agent
from ludometer.arena.experiments.runs import MatchComparison, StoredGame
from ludometer.arena.measurements.totals import PairTotals, Spread
from ludometer.arena.statistics.match_statistics import match_statistics
from ludometer.arena.statistics.pair_counts import Interval, PairCounts
from ludometer.arena.statistics.transitivity import Transitivity
from ludometer.arena.work.store import Run
from ludometer.core.drawing import Drawing
from ludometer.core.random import stream
from ludometer.core.record import Record
from ludometer.dynamics.portrait import learning_dynamics
from ludometer.games import game
from ludometer.view import search_trees as tree_view
from ludometer.view.boards.gallery import gallery
from ludometer.view.boards.svg import render
from ludometer.view.boards.terminal import position_text
from ludometer.view.boards.theme import LOOKS, diverging, ink_on
from ludometer.view.dynamics.plots import figure_of
from ludometer.view.results import ladders, matches, report_pages, reports, runs, scales, tournaments
from ludometer.view.results.solution_plots import class_figure, distance_figure
from ludometer.view.search_trees import tree_figure
from tests.freezing import described, frozen
from tests.view import handmade
from tests.view.results.test_solution_plots import MOVES, TILES

FIGURES = 2e-3  # by how much numbers of a picture may differ: other versions of what computes them


# ---- matches and tournaments ----


def test_a_match_in_words() -> None:
    few = PairCounts((0, 0, 0, 0, 0, 0, 0, 0, 5))
    shown = [handmade.match_result()]
    shown += [handmade.match_result(end, sprt=handmade.sprt_result(decision)) for end, decision in (("sprt", "elo1"), ("stopped", "elo0"))]
    shown.append(handmade.match_result("width", sprt=handmade.sprt_result("continue"), plies=0, notes=()))
    for counts in (few, few.swapped()):
        totals = PairTotals(counts, Spread(9, (10,)))
        shown.append(handmade.match_result("decided", totals=totals, statistics=match_statistics(counts)))
    frozen("match.txt", "\n\n----\n".join(matches.match_text(result) for result in shown))
    frozen("match.html", matches.match_html(shown[0]))


def test_a_match_drawn() -> None:
    few = handmade.match_result(history=handmade.match_result().history[:2])
    frozen("match.figure", "\n".join(described(matches.match_plot(result)) for result in (handmade.match_result(), few)), FIGURES)


def test_a_tournament_in_words() -> None:
    quiet = {"cycles": (), "groups": (("mcts:100", "alphabeta:2", "random"),), "ended": "games", "notes": ()}
    shown = [handmade.tournament_result(), handmade.tournament_result(transitivity=Transitivity(0.75, 0.3), **quiet)]
    shown += [handmade.tournament_result(transitivity=found, **quiet) for found in (Transitivity(None, None), Transitivity(0.8, 0.05))]
    frozen("tournament.txt", "\n\n----\n".join(tournaments.tournament_text(result) for result in shown))
    frozen("tournament.html", tournaments.tournament_html(shown[0]))


def test_a_tournament_drawn() -> None:
    frozen("tournament.figure", described(tournaments.tournament_plot(handmade.tournament_result())), FIGURES)


def test_runs_in_words() -> None:
    listed = [
        Run(1, "match", {}, "quixo:3", ("mcts:100", "random"), "2026-01-02T03:04:05", 75.0, "0.1.0", None, 600, 500),
        Run(12, "report", {"unit_size": 1}, "mnk:3,3,3", ("x" * 40, "y" * 30), "2026-11-12T13:14:15", 3.25, "0.2.0", {"a": 1}, 7, 7),
        Run(13, "report", {"unit_size": 1}, "mnk:3,3,3", ("x" * 30, "y" * 28), "2026-11-12T13:14:15", 3.25, "0.2.0", {"a": 1}, 7, 7),
    ]
    texts = [runs.runs_text(listed), *(runs.run_text(run, None) for run in listed[:2]), runs.run_text(listed[0], "the result")]
    games = [StoredGame(n, *(("a", "b") if n % 2 else ("b", "a")), "1-0", 9 + n, None, 1234 + n, 0) for n in range(3)]
    texts += [runs.games_text(games, 0), runs.games_text(games, 1500)]
    one, other = handmade.match_result(), handmade.match_result(statistics=match_statistics(PairCounts((1, 0, 0, 0, 9, 0, 0, 0, 9))))
    for low, high in ((-0.05, 0.061), (0.001, 0.02), (-0.02, 0.0)):
        found = MatchComparison((3, 4), (one, other), (low + high) / 2, Interval(low, high), {"seed": (7, 8), "ply_limit": (None, 5)})
        texts.append(runs.comparison_text(found))
    frozen("runs.txt", "\n\n----\n".join(texts))


# ---- ladders, depth and reports ----

LADDERS = {
    "outcome": handmade.outcome_ladder,
    "accuracy": handmade.accuracy_ladder,
    "rungs": handmade.rungs_ladder,
    "length": handmade.length_ladder,
}


def test_ladders_in_words() -> None:
    made = [make() for make in LADDERS.values()]
    frozen("ladders.txt", "\n\n----\n".join(map(ladders.ladder_text, made)))
    frozen("ladders.html", "\n".join(map(ladders.ladder_html, made)))


@pytest.mark.parametrize("name", LADDERS)
def test_ladders_drawn(name: str) -> None:
    ladder = LADDERS[name]()
    pictures = [ladders.ladder_plot(ladder)]
    pictures += [ladders.ladder_plot(ladder, axis=axis, normalised=axis == "seconds") for axis in ("positions", "seconds")]
    frozen(f"ladder-{name}.figure", "\n".join(map(described, pictures)), FIGURES)


def test_depth_in_words() -> None:
    frozen("depth.txt", scales.depth_text(handmade.depths()))
    frozen("depth.html", scales.depth_html(handmade.depths()))


def test_depth_drawn() -> None:
    frozen("depth.figure", described(scales.depth_plot(handmade.depths())), FIGURES)


@pytest.mark.exhaustive
def test_a_report_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    built_in = {**handmade.card().document(), "game": "quixo:4"}
    monkeypatch.setattr(reports, "reference_cards", lambda: [built_in, handmade.card().document()])
    report = handmade.report()
    frozen("report.txt", reports.report_text(report))
    frozen("report.md", reports.report_markdown(report))
    page = re.sub(r"<svg.*?</svg>", "<svg/>", report_pages.report_page(report), flags=re.DOTALL)
    frozen("report.html", page.replace("><", ">\n<"))
    inner = re.sub(r"<svg.*?</svg>", "<svg/>", report_pages.report_html(report), flags=re.DOTALL)
    assert inner.startswith("<div><style>") and inner.endswith("</main></div>")
    assert inner.split("<main>")[1].split("</main>")[0] in page, "the same without the page around it"


def test_every_kind_of_perfect_result() -> None:
    cases = [{"value": value, "distance": distance} for value in ("win", "loss", "draw") for distance in (5, None)]
    cases += [{"margin": margin} for margin in (3, 0, -1)]
    texts = [reports.perfect_text({"perfect": case}) for case in (None, *cases)]
    texts += [reports.power(value) for value in (1, 9_999_999, 1e7, 3e20)] + [reports.points(share) for share in (0.1, -0.1, 0)]
    frozen("perfect.txt", "\n".join(texts))


def test_an_advantage_is_named_where_it_is_shown() -> None:
    for value, half, words in (
        (0.1, 0.06, "moving first is worth +10.0 points"),
        (-0.1, 0.06, "moving second is worth +10.0 points"),
        (0.05, 0.05, "neither side"),
        (-0.05, 0.05, "neither side"),
    ):
        document = handmade.card().document()
        document["first_player_advantage"] = {"value": value, "interval": [value - half, value + half]}
        assert words in reports.summary(document)


def test_boards_of_a_long_game_are_chosen_evenly() -> None:
    sample = Record(game("quixo:5"), tuple(_long_game()), "*", "a", "b")
    shown = report_pages._boards(handmade.card("quixo:5", sample=sample))
    assert len(sample.moves) == 30
    assert shown.count("<figure>") == report_pages.MOST_BOARDS == 24 and "(24 of 31 positions)" in shown and "after 30 moves" in shown
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", shown)
    assert captions[0] == "start" and captions[-1].startswith("30. ") and captions[1].startswith("1. ")
    few = report_pages._boards(handmade.card("quixo:5", sample=Record(game("quixo:5"), tuple(_long_game()[:23]), "*", "a", "b")))
    assert few.count("<figure>") == 24 and "positions" not in few


def _long_game() -> list[str]:
    """Thirty moves at Quixo that end nothing: tiles go round the edge."""
    position, moves = game("quixo:5").start(), []
    for turn in range(30):
        moves.append(next(move for move in position.moves()[turn % 7 :] if not position.play(move).is_over))
        position = position.play(moves[-1])
    return moves


# ---- plots of solved games ----


def test_classes_drawn() -> None:
    frozen("classes.figure", described(class_figure("some", TILES)) + "\n" + described(class_figure("other", MOVES)), FIGURES)


def test_large_boards_are_drawn_without_numbers() -> None:
    for most, numbers in ((16, True), (17, False)):
        classes = [
            {"mover": mover, "other": other, "win": 995, "loss": 4, "draw": 1} for mover in range(most + 1) for other in range(most + 1)
        ]
        maps = class_figure("some", classes).subfigs[2].axes
        titled = {axes.get_title() for axes in maps if axes.get_title()}
        assert titled == ({"win (%)", "draw (%)", "loss (%)"} if numbers else {"win", "draw", "loss"})
        assert {text.get_text() for axes in maps for text in axes.texts} == ({">99", "<1"} if numbers else set())


def test_distances_drawn() -> None:
    found = {"win": {1: 10, 3: 4}, "loss": {0: 7, 1: 2}}
    points = {"win": {}, "loss": {}, "margin": {-1: 3, 0: 5, 2: 8}}
    frozen("distances.figure", "\n".join(described(distance_figure("some", one)) for one in (found, points)), FIGURES)


# ---- learning dynamics ----


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "spec", "options"),
    [
        ("square", "matrix:sexes", {"learners": "cross", "runs": 4, "episodes": 60}),
        (
            "start",
            "matrix:stag",
            {"learners": "faq", "dynamics": "boltzmann", "tau": 0.3, "start": [0.7, 0.3, 0.6, 0.4], "runs": 2, "episodes": 60},
        ),
        ("triangles", "matrix:brps", {"fictitious": 20}),
        ("one", "matrix:brps", {"populations": 1, "dynamics": "boltzmann", "tau": 0.1}),
        ("line", "matrix:stag", {"populations": 1, "kappa": 3}),
        ("mixed", "2,1 0,3 1,0; 0,0 1,1 3,2", {"dynamics": "best-response"}),
    ],
)
def test_dynamics_drawn(name: str, spec: str, options: dict) -> None:
    """The integrator's last digits are another machine's business."""
    portrait = learning_dynamics(spec, **options)
    pictures = [figure_of(portrait, "field")]
    if name in ("square", "one"):
        pictures.append(figure_of(portrait, "basins"))
    if name == "square":
        pictures.append(figure_of(portrait, "curves"))
    if name in ("triangles", "start"):
        pictures.append(figure_of(portrait, "bifurcation"))
    frozen(f"dynamics-{name}.figure", "\n".join(map(described, pictures)), 0.01)


# ---- search trees ----


@pytest.mark.parametrize(("spec", "text", "searcher"), [("tictactoe", "X.O/.X./..O x", "alphabeta:9"), ("tictactoe", "start", "minimax:3")])
def test_trees_drawn(spec: str, text: str, searcher: str) -> None:
    tree = agent(searcher, game(spec)).tree(game(spec).position(text), stream(1))
    frozen(f"tree-{searcher.replace(':', '-')}.figure", described(tree_figure(tree)), FIGURES)


def test_values_in_a_tree() -> None:
    values = (9_000.5, -9_000.5, 9_000, -9_000, 0.12345, -2, 0.0)
    assert [tree_view._value_text(value) for value in values] == ["wins", "loses", "+9e+03", "-9e+03", "+0.123", "-2", "0"]


# ---- boards ----


@pytest.mark.parametrize(
    ("spec", "text", "move"),
    [
        ("quixo:3", "XX./.../OO. o", "A3>right"),
        ("tictactoe", "XO./.../... x", "B2"),
        ("dots:1x2", "-./|...|/.- a", None),
        ("ultimate", "start", "B2/C3"),
    ],
)
def test_boards_drawn(spec: str, text: str, move: str | None) -> None:
    chosen = game(spec)
    position = chosen.start() if spec == "dots:1x2" or text == "start" else chosen.position(text)
    position = position.play(move if move in position.moves() else position.moves()[1])
    shown = position.svg(labels={position.legal[0]: "W3", position.legal[1]: "+10"}, colours={position.legal[0]: 0.5}, title="a title")
    name = spec.replace(":", "-")
    frozen(f"board-{name}.svg", shown)
    frozen(f"board-{name}.txt", position_text(position) + "\n" + position_text(position, colour=True).replace("\x1b", "ESC"))


def test_every_shape_in_every_role() -> None:
    drawing = Drawing(14, 9)
    for column, role in enumerate(LOOKS):
        for row, kind in enumerate(("rect", "disc", "ring", "cross", "line", "arrow", "dot", "text")):
            x, y = column + 0.5, row + 0.5
            numbers = {"rect": (x, y, 0.8, 0.6), "line": (x, y, x + 0.5, y + 0.2), "arrow": (x, y, x + 0.6, y - 0.8)}.get(kind, (x, y, 0.3))
            drawing.add(kind, *numbers, role=role, text=f"{role} & <{kind}>")
    drawing.add("rect", 1, 1, 0.05, 3, role="grid")  # too thin for an outline
    drawing.add("rect", 1, 1, 0.2, 0.1, role="cell")  # too small for a full corner and shadow
    drawing.add("arrow", 1, 1, 1, 1, role="last")  # nowhere to go
    drawing.add("arrow", 1, 1, 1.1, 1, role="last")  # a short one
    frozen("shapes.svg", render(drawing, title="a long title " * 9, size=900))


def test_a_gallery() -> None:
    boards = [("one", game("quixo:2").start()), ("two & <more>", game("dots:1x2").start()), ("three", game("tictactoe").start())]
    frozen("gallery.svg", gallery(boards, columns=2, size=600))
    one_row = gallery(boards)
    assert 'width="1200"' in one_row and "<title>one, two &amp; &lt;more&gt;, three</title>" in one_row
    assert "<title>mine</title>" in gallery(boards, columns=9, title="mine")
    assert len({gallery(boards, columns).split("viewBox")[1].split('"')[1] for columns in (0, 1, 2, 3, 4)}) == 3


def test_colours_and_inks() -> None:
    values = (-inf, -1, -0.9, -0.5, -0.1, 0, 0.1, 0.5, 0.9, 1, 3)
    frozen("colours.txt", "\n".join(f"{value} {diverging(value)} {ink_on(diverging(value))}" for value in values))
    assert ink_on("#8c8c8c") == "#ffffff" and ink_on("#8d8d8d") != "#ffffff"
