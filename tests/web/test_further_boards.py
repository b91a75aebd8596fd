"""Boards that are not grids of cells to put marks on: hexagons, points on lines, pits, and moves of two or three picks."""

from __future__ import annotations

import pytest

from ludometer.games import game as find_game
from ludometer.games import kinds
from tests.web.boards import new_game
from tests.web.conftest import PHONE, Browser, LabProcess

SHOWN_IN_DETAIL = ("quixo", "mnk", "dots", "ultimate", "matrix")  # by test_play
SPECS = [kind.listed[-1] for kind in kinds().values() if kind.name not in SHOWN_IN_DETAIL]


def moves_of(lab: LabProcess, state: dict) -> list[str]:
    return list(lab.get(f"/api/sessions/{state['id']}")["moves"])


@pytest.mark.parametrize("spec", SPECS)
def test_moves_by_clicks(lab: LabProcess, browser: Browser, spec: str) -> None:
    """Six moves, each by pointing at its places one after the other; the rules are asked what that leads to."""
    state, page = new_game(lab, browser, spec)
    position = find_game(spec).start()
    for count in range(6):
        if position.is_over:
            break
        browser.wait_for(lambda count=count: len(browser.all("#record li")) == count + 1, f"move {count}")
        offered = lab.get(f"/api/sessions/{state['id']}")["board"]["moves"]
        chosen = offered[(7 * count + 3) % len(offered)]
        for name in chosen["picks"]:
            assert name in page.open_areas()
            page.click(name)
        position = position.play(chosen["move"])
        browser.wait_for(lambda count=count: len(moves_of(lab, state)) == count + 1, chosen["move"])
        assert moves_of(lab, state)[-1] == chosen["move"]


WALKS = """
const areas = [...document.querySelectorAll(".board .area")];
const found = {};
for (const area of areas) {
  found[area.dataset.area] = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"].map((key) => {
    area.focus();
    area.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    return document.activeElement.dataset.area;
  });
}
return found;
"""


@pytest.mark.parametrize("spec", SPECS)
def test_arrows_lead_everywhere(lab: LabProcess, browser: Browser, spec: str) -> None:
    """Every place of the board can be reached from every other with the arrow keys."""
    new_game(lab, browser, spec)
    ways = browser.script(WALKS)
    for start in ways:
        reached, waiting = {start}, [start]
        while waiting:
            for name in set(ways[waiting.pop()]) - reached:
                reached.add(name)
                waiting.append(name)
        assert reached == set(ways), f"from {start}: {sorted(set(ways) - reached)} cannot be reached"


def test_a_man_is_dragged_and_then_the_man_it_takes_is_chosen(lab: LabProcess, browser: Browser) -> None:
    """Closing a mill in nine men's morris: the drag is the first two picks, a click the third; Escape takes the choice back."""
    state, page = new_game(lab, browser, "morris:9", start="XX./..O/.../X....X/OOO/.../... x 0")
    page.drag("G4", "G1")
    browser.wait_for(lambda: "picked" in page.area("G1").get_attribute("class"), "the step")
    assert moves_of(lab, state) == [] and page.open_areas() == ["F2"]
    page.click("F2")
    browser.wait_for(lambda: moves_of(lab, state) == ["G4-G1xF2"], "the move")


def test_cars_leave_by_dragging_and_by_touch(lab: LabProcess, browser: Browser) -> None:
    state, page = new_game(lab, browser, "dodgem:3", start="..X/.X./O.O x")
    page.drag("C1", "exit of row 1")
    browser.wait_for(lambda: moves_of(lab, state) == ["C1-off"], "the car leaving")
    state, page = new_game(lab, browser, "dodgem:3", start="..X/.X./O.O x", size=PHONE, touch=True)
    page.touch("B2", "C2")
    browser.wait_for(lambda: moves_of(lab, state) == ["B2-C2"], "the step")


def test_hexagons_by_keyboard(lab: LabProcess, browser: Browser) -> None:
    """Arrows walk over the slanting rows, Enter puts a stone, and the other player takes it over."""
    from selenium.webdriver.common.keys import Keys

    state, page = new_game(lab, browser, "hex:3,swap")
    browser.script("arguments[0].focus()", page.area("A1"))
    for reached in ("B1", "C1"):
        browser.press(Keys.ARROW_RIGHT)
        browser.wait_for(lambda reached=reached: page.focused == reached, reached)
    browser.press(Keys.ARROW_DOWN)
    browser.wait_for(lambda: page.focused in ("B2", "C2"), "either cell below")
    cell = page.focused
    assert page.holds(cell) == f"{cell}, empty"
    browser.press(Keys.ENTER)
    browser.wait_for(lambda: moves_of(lab, state) == [cell], "the stone")
    browser.wait_for(lambda: page.holds(cell) == f"{cell}, X", "the stone on the board")
    browser.wait_for(lambda: "swap" in page.open_areas(), "the button")
    page.click("swap")
    browser.wait_for(lambda: moves_of(lab, state) == [cell, "swap"], "the swap")
    browser.wait_for(lambda: page.holds({"B2": "B2", "C2": "B3"}[cell]).endswith(", O"), "the stone taken over")


def test_a_pass_is_a_button(lab: LabProcess, browser: Browser) -> None:
    state, page = new_game(lab, browser, "othello:4", start="XO../..../..../.... o")
    assert page.open_areas() == ["pass"]
    page.click("pass")
    browser.wait_for(lambda: moves_of(lab, state) == ["pass"], "the pass")
