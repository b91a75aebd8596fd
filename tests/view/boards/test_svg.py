"""Pictures: well-formed, safe, and with everything on them that the game draws."""

from xml.etree import ElementTree

import pytest

from ludometer.core.drawing import Drawing
from ludometer.core.errors import GameDefinitionError, LudometerError
from ludometer.games import game, kinds
from ludometer.view.boards.gallery import gallery
from ludometer.view.boards.svg import render
from ludometer.view.boards.theme import LOOKS, TERMINAL, diverging, ink_on

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</text><script>alert('x')</script> & \" ' \x00\x1b\ud800 \U0001f600 ]]>"


def elements(svg, name, role=None):
    return [e for e in ElementTree.fromstring(svg).iter(SVG + name) if role is None or e.get("class") == role]


@pytest.mark.parametrize("listed", [kind.listed[0] for kind in kinds().values()])
def test_every_game_draws_its_start_and_a_later_position_with_a_value_on_every_move(listed):
    position = game(listed).start()
    ElementTree.fromstring(position.svg())
    position = position.play(position.legal[0])
    labels = {move: f"{move:+d}" for move in position.legal}
    svg = position.svg(labels=labels, colours={move: 0.5 for move in position.legal}, title=listed)
    written = {element.text for element in elements(svg, "text", "value")}
    assert set(labels.values()) <= written
    assert listed in [element.text for element in elements(svg, "text")]


def test_marks_are_drawn_for_both_players():
    position = game("quixo:4").position("XX../O.../..../..O. x")
    svg = position.svg()
    assert len(elements(svg, "path", "first")) == 2
    assert len(elements(svg, "circle", "second")) == 2
    assert not elements(svg, "rect", "last")
    assert elements(position.play("A4>right").svg(), "rect", "last")


def test_labels_and_titles_cannot_break_out():
    position = game("quixo:3").start()
    svg = position.svg(labels={0: HOSTILE}, title=HOSTILE)
    assert not elements(svg, "script")
    assert "alert" in elements(svg, "text", "value")[0].text
    assert "\U0001f600" in svg and "\x00" not in svg and "\x1b" not in svg
    svg.encode()


def test_a_picture_needs_nothing_from_outside():
    svg = game("quixo:4").start().svg()
    for word in ("href", "url(", "<style", "<image", "@import", "<script"):
        assert word not in svg


@pytest.mark.parametrize(("drawing", "size"), [(Drawing(4, 2), ("200", "100")), (Drawing(2, 4), ("100", "200"))], ids=["wide", "high"])
def test_the_longer_side_has_the_size_asked_for(drawing, size):
    picture = ElementTree.fromstring(render(drawing, size=200))
    assert (picture.get("width"), picture.get("height")) == size


def test_moves_may_be_given_as_text():
    position = game("quixo:3").start()
    by_text = position.svg(labels={"A1>right": "w"}, colours={"A1>right": "#102030"})
    number = position.parse_move("A1>right")
    assert by_text == position.svg(labels={number: "w"}, colours={number: "#102030"})
    assert 'fill="#102030"' in by_text


@pytest.mark.parametrize(
    "options",
    [
        {"colours": {0: "red;}"}},
        {"colours": {0: '"/><script>'}},
        {"colours": {0: float("nan")}},
        {"labels": {999: "x"}},
        {"size": 0},
    ],
)
def test_what_cannot_be_drawn_is_refused(options):
    with pytest.raises(LudometerError):
        game("quixo:3").start().svg(**options)


@pytest.mark.parametrize(
    ("kind", "numbers", "role"),
    [
        ("star", (1, 1, 1), "cell"),
        ("disc", (1, 1), "cell"),
        ("disc", (1, 1, float("inf")), "cell"),
        ("disc", (1, 1, 1), "sparkling"),
    ],
)
def test_a_game_that_draws_wrongly_is_told_so(kind, numbers, role):
    drawing = Drawing(2, 2)
    drawing.add(kind, *numbers, role=role)
    with pytest.raises(GameDefinitionError):
        render(drawing)


@pytest.mark.parametrize("kind", ["rect", "disc", "ring", "cross", "line", "arrow", "dot", "text"])
@pytest.mark.parametrize("role", list(LOOKS))
def test_every_shape_can_have_every_role(kind, role):
    drawing = Drawing(4, 4)
    numbers = {"rect": (1, 1, 2, 2), "line": (1, 1, 2, 2), "arrow": (1, 1, 2, 2)}.get(kind, (2, 2, 1))
    drawing.add(kind, *numbers, role=role, text="t")
    assert len(list(ElementTree.fromstring(render(drawing)).iter())) > 3
    assert role in TERMINAL


def test_values_run_from_purple_over_nearly_white_to_green():
    assert diverging(-1) == diverging(-7) == "#762a83"
    assert diverging(1) == "#1b7837"
    assert diverging(0) == "#f7f5f0"
    assert ink_on(diverging(1)) == ink_on(diverging(-1)) == "#ffffff"
    assert ink_on(diverging(0)) != "#ffffff"


def test_a_gallery_shows_all_its_boards_with_captions():
    positions = [(f"board {n}", game(f"quixo:{n}").start()) for n in (2, 3, 4)]
    svg = gallery(positions, columns=2)
    captions = [element.text for element in elements(svg, "text")]
    assert all(caption in captions for caption, _ in positions)
    assert len(elements(svg, "rect", "cell")) == 4 + 9 + 16
    with pytest.raises(LudometerError):
        gallery([])
