"""The page Play in a real browser: mouse, finger, keyboard; what is shown, said and kept."""

from __future__ import annotations

import pytest

from ludometer.core.record import parse_record
from ludometer.games import game as find_game
from tests.web.boards import BoardPage, new_game
from tests.web.conftest import PHONE, Browser, LabProcess

SPECS = ("quixo:3", "tictactoe", "dots:2x2", "ultimate")


def status(browser: Browser) -> str:
    return browser.text("#status")


def moves_of(lab: LabProcess, state: dict) -> list[str]:
    return list(lab.get(f"/api/sessions/{state['id']}")["moves"])


@pytest.mark.parametrize("spec", SPECS)
def test_a_whole_game_by_clicks(lab: LabProcess, browser: Browser, spec: str) -> None:
    """Every move is the first that the page offers, or the last, in turn; the rules are asked what that leads to."""
    state, page = new_game(lab, browser, spec)
    position = find_game(spec).start()
    count = 0
    while not position.is_over:
        browser.wait_for(lambda count=count: len(browser.all("#record li")) == count + 1, f"move {count}")
        picks = [each for each in lab.get(f"/api/sessions/{state['id']}")["board"]["moves"]]
        chosen = picks[-1 if count % 3 == 0 else len(picks) // 2]
        for name in chosen["picks"]:
            assert name in page.open_areas()
            page.click(name)
        position = position.play(chosen["move"])
        count += 1
    browser.wait_for(lambda: str(position.result) in status(browser), "the result")
    assert moves_of(lab, state)[-1] == chosen["move"] and page.open_areas() == []
    record = lab.client.get(f"/api/sessions/{state['id']}/record").text
    assert parse_record(record).result == position.result
    browser.click("#record li:nth-child(2) button")
    browser.wait_for(lambda: browser.find("#past").is_displayed(), "the past")
    browser.click("#present")
    browser.wait_for(lambda: not browser.find("#past").is_displayed(), "the present")


def test_quixo_by_dragging_with_a_preview(lab: LabProcess, browser: Browser) -> None:
    state, page = new_game(lab, browser, "quixo:5")
    page.drag("A1", "right of row 1", let_go=False)
    slid = browser.script("return document.querySelectorAll('.layer-shapes [transform]').length")
    ghost = browser.all(".layer-ghosts .ghost")
    assert slid >= 5 and len(ghost) == 1, "the row slides and the cube shows the mark it will have"
    assert moves_of(lab, state) == []
    x, y = page.centre("right of row 1")
    browser.command("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y, button="left", clickCount=1)
    browser.wait_for(lambda: moves_of(lab, state) == ["A1>right"], "the move")
    browser.wait_for(lambda: page.holds("E1").startswith("E1, X"), "the cube")
    page.drag("C1", "C3")  # downwards, not all the way: the direction counts
    browser.wait_for(lambda: moves_of(lab, state) == ["A1>right", "C1>bottom"], "the second move")
    page.drag("B2", "right of row 2")  # not on the border: nothing to take
    page.drag("A2", "A2")
    assert moves_of(lab, state) == ["A1>right", "C1>bottom"]


def test_quixo_by_touch_on_a_phone(lab: LabProcess, browser: Browser) -> None:
    state, page = new_game(lab, browser, "quixo:5", size=PHONE, touch=True)
    page.touch("A2", "right of row 2")
    browser.wait_for(lambda: moves_of(lab, state) == ["A2>right"], "the move")
    page.touch("A1", "A1")  # a tap chooses, a tap on an end pushes
    browser.wait_for(lambda: "picked" in page.area("A1").get_attribute("class"), "the cube chosen")
    page.touch("bottom of column A", "bottom of column A")
    browser.wait_for(lambda: moves_of(lab, state) == ["A2>right", "A1>bottom"], "the second move")


def test_a_game_by_keyboard_alone(lab: LabProcess, browser: Browser) -> None:
    """From the form to the end of the game without a mouse, and what is told to a screen reader."""
    from selenium.webdriver.common.keys import Keys

    browser.open(lab, "/play?game=tictactoe&second=human")
    browser.find("#second select")
    for _ in range(30):
        browser.press(Keys.TAB)
        if browser.script("return document.activeElement.type") == "submit":
            break
    browser.press(Keys.ENTER)
    page = BoardPage(browser)
    for _ in range(30):
        browser.press(Keys.TAB)
        if page.focused == "A1":
            break
    assert page.focused == "A1" and page.holds("A1") == "A1, empty"
    walk = [(), (Keys.ARROW_DOWN,), (Keys.ARROW_RIGHT, Keys.ARROW_UP), (Keys.ARROW_DOWN,), (Keys.ARROW_RIGHT, Keys.ARROW_UP)]
    expected = ["A1", "A2", "B1", "B2", "C1"]
    for count, (keys, name) in enumerate(zip(walk, expected), start=1):
        browser.press(*keys)
        assert page.focused == name
        browser.press(Keys.ENTER if count % 2 else " ")
        browser.wait_for(lambda count=count: len(browser.all("#record li")) == count + 1, name)
    browser.wait_for(lambda: "1-0" in status(browser), "the result")
    said = browser.script("return document.getElementById('announcer').textContent")
    assert "x plays C1" in said and "1-0: x wins" in said
    assert page.focused == "C1", "the focus stays where it was"


def test_a_quixo_push_by_keyboard(lab: LabProcess, browser: Browser) -> None:
    from selenium.webdriver.common.keys import Keys

    state, page = new_game(lab, browser, "quixo:4")
    browser.script("arguments[0].focus()", page.area("A1"))
    browser.press(Keys.ENTER)
    assert "chosen" in page.holds("A1") and page.open_areas().count("right of row 1") == 1
    browser.press(Keys.ESCAPE)
    assert "chosen" not in page.holds("A1")
    browser.press(Keys.ENTER, Keys.ARROW_RIGHT)
    assert page.focused == "right of row 1"
    browser.press(Keys.ENTER)
    browser.wait_for(lambda: moves_of(lab, state) == ["A1>right"], "the move")


def test_undo_redo_hint_swap_restart_resign(lab: LabProcess, browser: Browser) -> None:
    state, page = new_game(lab, browser, "tictactoe", second="optimal:steps", seed=1)
    page.click("A1")
    browser.wait_for(lambda: len(browser.all("#record li")) == 3, "the answer")
    assert "O" in page.holds("B2")
    browser.click("#undo")
    browser.wait_for(lambda: len(browser.all("#record li")) == 1, "undo")
    browser.click("#redo")
    browser.wait_for(lambda: len(browser.all("#record li")) == 3, "redo")
    browser.click("#hint")
    browser.wait_for(lambda: "Exact" in browser.text("#advice"), "a hint")
    assert browser.all(".board .area.hinted")
    browser.click("#swap")
    browser.wait_for(lambda: len(browser.all("#record li")) == 4 and browser.text("#player-1 .who") == "You", "the other side")
    browser.click("#restart")
    browser.wait_for(lambda: len(browser.all("#record li")) == 2, "the perfect player begins")
    browser.click("#resign")
    browser.click("#resign-yes")
    browser.wait_for(lambda: "resignation" in status(browser), "the end")
    link = browser.find("#download").get_attribute("href")
    assert "resignation" in lab.client.get(link.removeprefix(lab.url)).text
    browser.audit()


def test_on_a_phone_the_board_stays_where_it_is_while_the_record_grows(lab: LabProcess, browser: Browser) -> None:
    state, page = new_game(lab, browser, "ultimate", size=PHONE)
    count = 0
    while browser.script("const list = document.getElementById('record'); return list.scrollHeight <= list.clientHeight"):
        move = state["board"]["moves"][0]["move"]
        state = lab.post(f"/api/sessions/{state['id']}/moves", move=move, version=state["version"])
        count += 1
        browser.wait_for(lambda count=count: len(browser.all("#record li")) == count + 1, f"move {count}")
        assert browser.script("return scrollY") == 0, "the page was scrolled"
        assert count < 60
    seen = "const item = document.querySelector('#record [aria-current]').getBoundingClientRect();"
    seen += "return item.bottom <= document.getElementById('record').getBoundingClientRect().bottom + 1"
    assert browser.script(seen), "the latest move is seen in the record"


def test_arrow_keys_step_through_the_record(lab: LabProcess, browser: Browser) -> None:
    from selenium.webdriver.common.keys import Keys

    state, page = new_game(lab, browser, "tictactoe")
    for move in ("A1", "B2", "C3"):
        state = lab.post(f"/api/sessions/{state['id']}/moves", move=move, version=state["version"])
    browser.wait_for(lambda: len(browser.all("#record li")) == 4, "three moves")
    browser.press(Keys.ARROW_LEFT)
    browser.wait_for(lambda: page.holds("C3") == "C3, empty", "the position before")
    browser.press(Keys.ARROW_LEFT)
    browser.wait_for(lambda: page.holds("B2") == "B2, empty", "the one before that")
    browser.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    browser.wait_for(lambda: page.holds("C3") == "C3, X", "the game as it stands")
    browser.find("#typed-move").send_keys("A2", Keys.ARROW_LEFT, Keys.ARROW_LEFT)  # there, arrows move the caret
    browser.find("#typed-move").send_keys("x")
    assert browser.find("#typed-move").get_attribute("value") == "xA2" and not browser.find("#past").is_displayed()


def test_a_level_is_called_by_its_name(lab: LabProcess, browser: Browser) -> None:
    new_game(lab, browser, "tictactoe", second="optimal:steps")
    browser.wait_for(lambda: browser.text("#player-1 .who") == "Perfect (optimal:steps)", "the name")
    assert lab.post("/api/sessions", game="quixo:5", first="mcts:300", second="mcts:301")["levels"] == ["Club", ""]


def test_agents_think_beside_the_page_and_move_when_told(lab: LabProcess, browser: Browser) -> None:
    state, page = new_game(lab, browser, "quixo:4", second="mcts:time=10")
    page.click("A1")
    page.click("right of row 1")
    browser.wait_for(lambda: browser.find("#stop").is_displayed(), "thinking")
    browser.click("#record li:first-child button")  # the page goes on meanwhile
    browser.wait_for(lambda: browser.find("#past").is_displayed(), "the past")
    browser.wait_for(lambda: browser.all("#stop:not([hidden])"), "still thinking")
    browser.click("#stop")
    browser.wait_for(lambda: len(moves_of(lab, state)) == 2, "its move")
    assert lab.get(f"/api/sessions/{state['id']}")["reports"][1]["seconds"] < 9.5


def test_the_form_offers_levels_and_options_as_fields(lab: LabProcess, browser: Browser) -> None:
    from selenium.webdriver.support.ui import Select

    browser.open(lab, "/play?game=quixo:3")
    who = browser.find("#second select")
    shown = [option.text.split(":")[0] for option in Select(who).options]
    assert shown == ["You", "Beginner", "Casual", "Club", "Strong", "Expert", "Perfect", "An agent with options …"]
    Select(who).select_by_value("agent")
    browser.audit()
    number = browser.find("#second input[type=number]")
    number.clear()
    number.send_keys("77")
    browser.click("#second details summary")
    next(each for each in browser.all("#second .field") if each.find_element("css selector", "label").text == "reuse").find_element(
        "css selector", "input"
    ).click()
    browser.click("button[type=submit]")
    browser.wait_for(lambda: browser.all("#player-1 .who") and browser.text("#player-1 .who") == "mcts:77,reuse=no", "the agent")


def test_wrong_input_is_answered_in_words(lab: LabProcess, browser: Browser) -> None:
    browser.expected = ["422", "404"]
    browser.open(lab, "/play?game=quixo:99")
    browser.wait_for(lambda: "quixo" in browser.text("#error"), "the error")
    state, page = new_game(lab, browser, "tictactoe")
    browser.find("#typed-move").send_keys("Z9")
    browser.click("#typed button")
    browser.wait_for(lambda: "column" in browser.text("#error"), "the error")
    browser.find("#typed-move").send_keys("b2")
    browser.click("#typed button")
    browser.wait_for(lambda: moves_of(lab, state) == ["B2"], "the move")
    browser.open(lab, "/play/0123456789abcdef")
    browser.wait_for(lambda: "gone" in browser.text("#error"), "the error")


@pytest.mark.browser
def test_a_restart_of_the_server_and_a_lost_connection_lose_nothing(browser: Browser, tmp_path) -> None:
    browser.expected = ["ERR_CONNECTION_REFUSED", "WebSocket connection"]
    home = tmp_path / "home"
    home.mkdir()
    own = LabProcess(home)
    state, page = new_game(own, browser, "tictactoe")
    page.click("B2")
    browser.wait_for(lambda: moves_of(own, state) == ["B2"], "the move")
    browser.script("window.sameDocument = true")
    own.stop()
    browser.wait_for(lambda: "Connection lost" in browser.text("#connection"), "the notice")
    own.start()
    browser.wait_for(lambda: not browser.find("#connection").is_displayed(), "the connection")
    assert browser.script("return window.sameDocument") is True, "the page was not loaded again"
    page.click("A1")
    browser.wait_for(lambda: moves_of(own, state) == ["B2", "A1"], "a move after the restart")
    browser.open(own, f"/play/{state['id']}")
    browser.wait_for(lambda: len(browser.all("#record li")) == 3, "the game after a reload")
    own.stop()


def test_two_pages_see_one_game(lab: LabProcess, browser: Browser) -> None:
    state, page = new_game(lab, browser, "tictactoe")
    lab.post(f"/api/sessions/{state['id']}/moves", move="C3", version=state["version"])  # somebody else
    browser.wait_for(lambda: page.holds("C3") == "C3, X", "their move")
    browser.expected = ["409"]
    browser.script("window.stale = true")
    page.click("A1")
    browser.wait_for(lambda: moves_of(lab, state) == ["C3", "A1"], "our move on the board as it is")


def test_hostile_names_stay_text(lab: LabProcess, browser: Browser) -> None:
    nasty = "<img src=x onerror=alert(1)>"
    browser.expected = ["404", "422"]
    browser.open(lab, "/play/" + "%3Cscript%3Ealert(1)%3C%2Fscript%3E")
    assert browser.all("script:not([src])") == []
    browser.open(
        lab, "/play?game=" + nasty.replace(" ", "%20") + "&position=" + nasty.replace(" ", "%20") + "&first=" + nasty.replace(" ", "%20")
    )
    browser.wait_for(lambda: "no game is called" in browser.text("#error"), "the error")
    assert browser.all("main img[src=x]") == []
    matrix = "matrix:1,2 3,4; 5,6 7,8"
    state, _ = new_game(lab, browser, matrix, second="random")
    browser.wait_for(lambda: browser.all(".board text"), "the table")
    answer = lab.client.get("/api/board.svg", params={"game": "matrix:1;<script>alert(1)</script>"})
    assert answer.status_code == 422 and "<script>" not in answer.text.replace("'1;<script>alert(1)</script>'", "")
