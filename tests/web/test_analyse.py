"""The pages Analyse and Watch in a real browser."""

from __future__ import annotations

import base64
import json
import time

import pytest

from ludometer.games import game as find_game
from ludometer.solvers import solution_for
from ludometer.view.results.solutions import move_labels
from tests.web.boards import BoardPage, new_game
from tests.web.conftest import PATIENCE, PHONE, Browser, LabProcess

RECORD = """[Game "tictactoe"]
[First "Ada"]
[Second "<b>Bob</b>"]
[Result "1-0"]

1. A1 B1 2. B2 C3 3. A3 C1 4. A2 1-0
"""


def test_a_position_set_up_by_clicking_has_the_values_of_probe(lab: LabProcess, browser: Browser) -> None:
    browser.open(lab, "/analyse?game=quixo:3")
    page = BoardPage(browser)
    browser.click("#setup")
    for name, clicks in (("A1", 1), ("B1", 2), ("C3", 1), ("B2", 3)):  # X, O, X, and round again to empty
        for _ in range(clicks):
            page.click(name)
    browser.wait_for(lambda: page.holds("B1") == "B1, O", "the mark")
    from selenium.webdriver.support.ui import Select

    Select(browser.find("#setup-parts select")).select_by_value("o")
    browser.wait_for(lambda: browser.find("#position").get_attribute("value") == "XO./.../..X o", "the position")
    assert len(browser.all(".layer-pieces .first")) == 2 and len(browser.all(".layer-pieces .second")) == 1, "the marks are seen"
    browser.click("#setup-done")
    browser.wait_for(lambda: browser.text("#kind") == "exact", "values")
    position = find_game("quixo:3").position("XO./.../..X o")
    found = solution_for(position.game).probe(position)
    browser.wait_for(lambda: len(browser.all(".layer-values .exact")) == len(found.moves), "all values")
    shown = sorted(each.text for each in browser.all(".layer-values .exact"))
    assert shown == sorted(move_labels(found).values())
    best = [row.find_element("css selector", "button").text for row in browser.all("#moves tr") if "best" in row.text]
    assert sorted(best) == sorted(position.move_text(move) for move in found.best)
    assert "position=XO.%2F...%2F..X+o" in browser.driver.current_url, "the address can be shared"
    browser.open(lab, browser.driver.current_url.removeprefix(lab.url))
    browser.wait_for(lambda: browser.find("#position").get_attribute("value") == "XO./.../..X o", "the shared position")
    browser.audit()


@pytest.mark.parametrize("spec", ["dots:2x2", "ultimate", "tictactoe"])
def test_every_board_can_be_set_up(lab: LabProcess, browser: Browser, spec: str) -> None:
    browser.open(lab, f"/analyse?game={spec}")
    page = BoardPage(browser)
    before = browser.wait_for(lambda: browser.find("#position").get_attribute("value"), "a position")
    browser.click("#setup")
    page.click({"dots:2x2": "A1-B1", "ultimate": "A1/B2", "tictactoe": "B2"}[spec])
    changed = browser.wait_for(lambda: (text := browser.find("#position").get_attribute("value")) != before and text, "another position")
    browser.click("#setup-done")
    browser.wait_for(lambda: "Setting up" not in browser.text("#status"), "the position")
    assert lab.get("/api/positions", game=spec, position=changed)["position"] == changed


def test_a_position_that_cannot_be_is_explained(lab: LabProcess, browser: Browser) -> None:
    browser.expected = ["422"]
    browser.open(lab, "/analyse?game=tictactoe")
    page = BoardPage(browser)
    browser.click("#setup")
    for name in ("A1", "B1", "C1"):
        page.click(name)
    browser.wait_for(lambda: "has a line" in browser.text("#error"), "the reason")
    browser.click("#setup-done")
    assert browser.text("#status") == "Setting up"
    browser.open(lab, "/analyse?game=tictactoe&position=%3Cscript%3Ealert(1)%3C/script%3E")
    browser.wait_for(lambda: "expected one of" in browser.text("#error"), "the reason")


def test_moves_are_made_and_taken_back_and_the_line_is_stepped_through(lab: LabProcess, browser: Browser) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.open(lab, "/analyse?game=quixo:3")
    page = BoardPage(browser)
    browser.wait_for(lambda: len(browser.all("#line button")) == 7, "the principal line: the first player wins in 7")
    browser.all("#line button")[1].click()
    browser.wait_for(lambda: "XO" in browser.find("#position").get_attribute("value").replace("/", "").replace(".", ""), "two moves")
    browser.click("#back")
    browser.wait_for(lambda: browser.text("#status") == "o to move", "one move back")
    browser.wait_for(lambda: browser.all(".layer-shapes .last"), "the move that led here, marked")
    browser.press(Keys.ARROW_LEFT)
    browser.wait_for(lambda: browser.find("#position").get_attribute("value") == ".../.../... x", "the start")
    browser.press(Keys.ARROW_RIGHT)
    browser.wait_for(lambda: browser.text("#status") == "o to move", "one move on")
    browser.press(Keys.ARROW_LEFT)
    browser.wait_for(lambda: browser.find("#position").get_attribute("value") == ".../.../... x", "the start again")
    page.click("A1")
    page.click("right of row 1")
    browser.wait_for(lambda: browser.find("#position").get_attribute("value") == "..X/.../... o", "the move")
    browser.wait_for(lambda: browser.text("#value") == "o: loss in 6", "its value")


def test_an_estimate_is_told_apart_and_grows(lab: LabProcess, browser: Browser) -> None:
    browser.open(lab, "/analyse?game=quixo:5")
    browser.wait_for(lambda: "playouts" in browser.text("#work"), "an estimate")
    first = int(browser.text("#work").split()[0].replace(",", ""))
    browser.wait_for(lambda: int(browser.text("#work").split()[0].replace(",", "")) > first, "a better one")
    assert browser.text("#kind") == "estimate: MCTS" and browser.all(".layer-values .estimate") and not browser.all(".layer-values .exact")


def test_labels_of_values_stay_inside_their_marks(lab: LabProcess, browser: Browser) -> None:
    browser.open(lab, "/analyse?game=quixo:4")
    browser.wait_for(lambda: browser.all(".layer-values .exact"), "values such as W21")
    width = "each.querySelector('text').getBBox().width / each.querySelector('circle').getBBox().width"
    wide = f"return [...document.querySelectorAll('.layer-values .exact')].map((each) => {width})"
    shares = browser.script(wide)
    assert shares and max(shares) <= 0.95, max(shares)
    browser.open(lab, "/analyse?game=quixo:4", PHONE)
    browser.wait_for(lambda: browser.all(".layer-values .exact"), "values on a phone")
    assert {each.text for each in browser.all(".layer-values .exact")} == {"21"}, "the number alone, which can be read"
    high = browser.script("return document.querySelector('.layer-values .exact text').getBoundingClientRect().height")
    assert max(browser.script(wide)) <= 0.95 and high >= 9, f"text of {high} pixels"


def test_what_has_no_values_is_not_said_to_be_thought_about(lab: LabProcess, browser: Browser) -> None:
    browser.open(lab, "/analyse?game=matrix:sexes")
    browser.wait_for(lambda: "see the page Dynamics" in browser.text("#error"), "the reason")
    assert not browser.find("#kind").is_displayed()


def test_the_alpha_beta_estimate_sees_a_win(lab: LabProcess, browser: Browser) -> None:
    from selenium.webdriver.support.ui import Select

    browser.open(lab, "/analyse?game=tictactoe&position=XX./OO./...%20x")
    browser.find(".board .area")
    Select(browser.find("#engine")).select_by_value("search")
    browser.wait_for(lambda: "alpha-beta" in browser.text("#work"), "a search")
    browser.wait_for(lambda: browser.text("#moves tr:first-child button") == "C1", "the best move first")
    assert "win" in browser.text("#moves tr:first-child")


def test_search_tree_and_predecessors(lab: LabProcess, browser: Browser) -> None:
    browser.open(lab, "/analyse?game=quixo:3&position=..X/.../...%20o")
    browser.find(".board .area")
    browser.click("#predecessors-part summary")
    browser.wait_for(lambda: browser.all("#predecessors button"), "predecessors")
    assert ".../.../... x" in [each.text for each in browser.all("#predecessors button")]
    browser.click("#tree-part summary")
    browser.click("#set-tree button")
    browser.wait_for(lambda: "positions looked at" in browser.text("#tree-numbers"), "the tree in numbers")
    browser.wait_for(lambda: browser.script("return document.getElementById('tree-picture').naturalWidth") > 300, "the picture")


def test_a_record_is_reviewed_with_its_blunders(lab: LabProcess, browser: Browser) -> None:
    browser.open(lab, "/analyse?game=tictactoe")
    browser.click("#paste summary")
    browser.find("#record-text").send_keys(RECORD)
    browser.click("#set-record button")
    browser.wait_for(lambda: browser.all("#review-state") and "7 of 7" in browser.text("#review-state"), "the review")
    blunders = [each.text for each in browser.all("#review-moves .blunder")]
    assert len(blunders) == 1 and "B1??" in blunders[0], blunders
    assert "o: 1 blunder" in browser.text("#review-summary") and "against perfect play" in browser.text("#review-state")
    assert len(browser.all("#curve circle.blunder")) == 1 and browser.all("#curve path")
    beside = "const [one, other] = ['board', 'review'].map((id) => document.getElementById(id).getBoundingClientRect());"
    assert browser.script(beside + "return other.top < one.bottom && other.left >= one.right"), "the review is seen beside the board"
    browser.click("#review-moves .blunder")
    browser.wait_for(lambda: browser.find("#position").get_attribute("value") == "X../.../... o", "the position before it")
    browser.wait_for(lambda: browser.text("#value") == "o: draw", "what could have been")
    browser.audit()
    browser.open(lab, browser.driver.current_url.removeprefix(lab.url))  # nothing is lost by a reload
    browser.wait_for(lambda: browser.all("#review-moves .blunder"), "the review again")
    browser.expected = ["422"]
    browser.click("#paste summary")
    browser.find("#record-text").send_keys("nonsense <b>")
    browser.click("#set-record button")
    browser.wait_for(lambda: "record, line 1" in browser.text("#error"), "the reason")


def test_two_agents_are_watched(lab: LabProcess, browser: Browser) -> None:
    browser.open(lab, "/watch?game=quixo:3&first=mcts:50&second=random")
    browser.wait_for(lambda: browser.all("#second select"), "the form")
    browser.click("button[type=submit]")
    browser.wait_for(lambda: len(browser.all("#reports tbody tr")) >= 1, "a move")
    browser.click("#run")
    browser.wait_for(lambda: browser.text("#run") == "Go on", "a pause")
    before = len(browser.all("#reports tbody tr"))
    time.sleep(0.3)
    assert len(browser.all("#reports tbody tr")) == before, "nothing moves while it is paused"
    browser.click("#step")
    browser.wait_for(lambda: len(browser.all("#reports tbody tr")) == before + 1 or "0" in browser.text("#status"), "one more move")
    browser.script("const pace = document.getElementById('pace'); pace.value = 0; pace.dispatchEvent(new Event('change'))")
    browser.click("#run")
    browser.wait_for(lambda: "1-0" in browser.text("#status") or "0-1" in browser.text("#status"), "the end")
    cells = [cell.text for cell in browser.all("#reports tbody tr:last-child td")]
    assert cells[0] == "1" and cells[1] == "x: mcts:50" and cells[3].endswith("%") and cells[4] == "50" and "s" in cells[6]
    browser.audit()


def test_pages_weigh_little_and_ask_nobody_else(lab: LabProcess, browser: Browser) -> None:
    state, page = new_game(lab, browser, "quixo:5")
    time.sleep(0.2)
    kinds = "['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))"
    entries = browser.script(f"return {kinds}.map((each) => [each.name, each.transferSize])")
    assert all(name.startswith(lab.url) for name, _ in entries), "no request leaves the lab"
    weight = sum(size for _, size in entries)
    assert weight <= 60 * 1024, f"the page weighs {weight:,} bytes: {entries}"


def test_a_hostile_key_of_an_analysis_is_refused(lab: LabProcess) -> None:
    from websockets.sync.client import connect

    for key in ("", "x", "%00", base64.urlsafe_b64encode(json.dumps(["/etc/passwd.py", "start", "auto"]).encode()).decode(), "A" * 4000):
        with connect(f"ws://127.0.0.1:{lab.port}/live/analysis/{key}", origin=f"http://127.0.0.1:{lab.port}") as socket:
            assert json.loads(socket.recv(timeout=PATIENCE))["snapshot"]["error"]
