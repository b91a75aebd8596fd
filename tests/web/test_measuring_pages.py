"""Experiments, dynamics, tables and studies in a real browser."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ludometer.arena.work.execution import Execution
from ludometer.arena.work.store import Store
from ludometer.solvers.longest_wins import longest_wins
from tests.web.conftest import DESKTOP, PATIENCE, PHONE, Browser, LabProcess


def worker_of(lab: LabProcess) -> int:
    """The process that works on an experiment of the lab."""
    for folder in Path("/proc").iterdir():
        try:
            command = (folder / "cmdline").read_bytes()
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        if b"ludometer.web.jobs.worker" in command and parent == lab.process.pid:
            return int(folder.name)
    raise AssertionError("no process works for the lab")


SET_VALUE = "const e = document.getElementById(arguments[0]); e.value = arguments[1]; e.dispatchEvent(new Event('change', {bubbles: true}))"
HOSTILE = "rows=<svg onload=alert(1)>,b&columns=a,%3Cscript%3Ealert(1)%3C/script%3E"


def fill(browser: Browser, **values: Any) -> None:
    for name, value in values.items():
        browser.script(
            SET_VALUE,
            name,
            str(value),
        )


@pytest.fixture(autouse=True)
def nothing_waits(lab: LabProcess) -> Iterator[None]:
    """Every test finds and leaves a lab in which no experiment runs."""
    yield
    for job in lab.get("/api/jobs"):
        if job["state"] in ("queued", "running"):
            lab.post(f"/api/jobs/{job['job']}/stop")
    patiently(lambda: all(job["state"] not in ("queued", "running") for job in lab.get("/api/jobs")), "all experiments to end")


def patiently(condition: Callable[[], Any], what: str) -> Any:
    """What the condition gives, once that is true; experiments take as long as the machine needs."""
    until = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < until, f"waited in vain for {what}"
        time.sleep(0.05)
    return found


def state(browser: Browser) -> str:
    return str(browser.script("return document.getElementById('state').textContent"))


def cells(browser: Browser, css: str) -> list[list[str]]:
    """The texts of the rows of a table."""
    found: list[list[str]] = browser.script(
        "return [...document.querySelectorAll(arguments[0] + ' tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent))",
        css,
    )
    return found


@pytest.mark.browser
def test_a_ladder_is_started_watched_killed_and_resumed(lab: LabProcess, browser: Browser) -> None:
    """That the killed one ends with the numbers of one that was never killed is shown in test_jobs."""
    browser.open(lab, "/experiments")
    browser.click("input[value='ladder']")
    fill(browser, several="mnk:3,3,3", families="mcts", rungs="1000, 4000", versus="random", number=8000, seed=5)
    browser.click("#start")
    browser.find("#experiment")
    patiently(lambda: len(browser.all("#charts .mark")) == 2, "a point of each rung in the plot")
    progress = "return document.getElementById('progress').textContent"
    first = browser.script(progress)
    assert state(browser) == "running" and "of 16,000" in first
    patiently(lambda: browser.script(progress) != first, "the numbers to grow")
    os.kill(worker_of(lab), signal.SIGKILL)
    patiently(lambda: state(browser) == "failed", "the death of the process to be told")
    assert "what it had measured is kept" in browser.text("#problem")
    run = lab.get("/api/runs")[0]
    assert 0 < run["done"] < 16000
    browser.driver.refresh()  # nothing is lost by it
    patiently(lambda: len(browser.all("#charts .mark")) == 2, "the plot after a reload")
    browser.click("#resume")
    patiently(lambda: state(browser) == "running" and lab.get("/api/runs")[0]["done"] > run["done"], "it to go on")
    browser.click("#stop")
    patiently(lambda: state(browser) == "stopped", "the stop")
    games = lab.get(f"/api/runs/{run['run']}")["tables"][0]
    patiently(lambda: cells(browser, "#tables table") == games["rows"], "the last numbers")
    assert [row[0] for row in games["rows"]] == ["1000", "4000"]
    browser.audit()
    for form, mark in (("csv", b"game,first"), ("json", b"{"), ("svg", b"<?xml"), ("png", b"\x89PNG")):
        assert lab.client.get(f"/api/runs/{run['run']}/download", params={"format": form}).content.startswith(mark)


@pytest.mark.browser
def test_a_match_is_stopped_and_goes_on_and_its_games_are_shown(lab: LabProcess, browser: Browser) -> None:
    browser.open(lab, "/experiments")
    fill(browser, game="tictactoe", a="mcts:3000", b="mcts:2000", number=50000)
    browser.click("#start")
    patiently(lambda: browser.all("#charts .curve"), "the plot")
    browser.click("#stop")
    patiently(lambda: state(browser) == "stopped", "the stop")
    done = lab.get("/api/runs")[0]["done"]
    assert 0 < done < 50000
    browser.click("#resume")
    patiently(lambda: state(browser) == "running" and lab.get("/api/runs")[0]["done"] > done, "it to go on")
    browser.click("#stop")
    patiently(lambda: state(browser) == "stopped", "the second stop")
    browser.click("#game-rows button")
    browser.wait_for(lambda: browser.all("#record:not([hidden])"), "the record")
    run = lab.get("/api/runs")[0]["run"]
    assert browser.script("return document.querySelector('#record').textContent") == lab.get(f"/api/runs/{run}/games/0")["text"]
    for size in (DESKTOP, PHONE):
        for dark in (False, True):
            browser.open(lab, f"/experiments/run-{run}", size, dark)
            browser.wait_for(lambda: browser.all("#charts .curve"), "the plot")
            browser.audit()
            browser.screenshot(f"experiment-{'phone' if size == PHONE else 'desktop'}-{'dark' if dark else 'light'}")
            assert browser.script("return document.documentElement.scrollWidth") <= size[0]


def test_a_wrong_wish_is_answered_in_words(lab: LabProcess, browser: Browser) -> None:
    browser.expected = ["422"]
    browser.open(lab, "/experiments")
    fill(browser, game="<img src=x onerror=alert(1)>", a="mcts:100", b="random")
    browser.click("#start")
    browser.wait_for(lambda: "no game is called" in browser.text("#problem"), "the words")
    assert not browser.all("#problem img")


def test_runs_of_the_command_line_appear_while_the_page_is_open(lab: LabProcess, browser: Browser) -> None:
    from ludometer.arena.experiments.match import match

    browser.open(lab, "/experiments")
    browser.wait_for(lambda: browser.script("return document.getElementById('loading').hidden"), "the list")
    with Store(lab.home / "experiments.sqlite") as store:
        result = match("tictactoe", "mcts:9", "random", 40, seed=77, execution=Execution(store))
    browser.wait_for(lambda: browser.all(f"a[href='/experiments/run-{result.run}']"), "the run of another process")
    browser.open(lab, f"/experiments/run-{result.run}")
    browser.wait_for(lambda: "mcts:9" in browser.text("#headline"), "its page")
    assert cells(browser, "#tables table")[0][1:4] == [
        f"{number:,}" for number in (result.counts.wins, result.counts.draws, result.counts.losses)
    ]


def test_rest_points_move_with_a_slider_and_equilibria_do_not(lab: LabProcess, browser: Browser) -> None:
    browser.open(lab, "/dynamics")
    browser.wait_for(lambda: cells(browser, "#rest-points"), "the rest points")
    browser.wait_for(lambda: browser.script("return document.getElementById('busy').hidden"), "the answer")
    equilibria, rest_points = cells(browser, "#equilibria"), cells(browser, "#rest-points")
    assert [row[0] for row in equilibria] == ["O", "M", "3/5 O + 2/5 M"]
    places = "return [...document.querySelectorAll('#panels .rest')].map((mark) => mark.getAttribute('transform'))"
    stars = "return [...document.querySelectorAll('#panels .nash')].map((mark) => mark.getAttribute('transform'))"
    before, fixed = browser.script(places), browser.script(stars)
    assert len(before) == 3
    browser.script("document.getElementById('tau').focus()")
    browser.press(*["\ue014"] * 5, *["\ue00e"] * 2)  # right, page up: by the keyboard alone
    browser.wait_for(lambda: cells(browser, "#rest-points") != rest_points, "the rest points to move")
    browser.wait_for(lambda: browser.script(places) != before, "the marks to move")
    assert cells(browser, "#equilibria") == equilibria and browser.script(stars) == fixed
    tau = float(browser.text("#tau-value"))
    assert tau > 0.5
    fill(browser, named="matrix:prisoners")
    browser.wait_for(lambda: cells(browser, "#equilibria")[0][0] == "D", "the other game")
    assert f"tau={tau}" in browser.driver.current_url  # to be shared
    known = lab.get("/api/dynamics", game="matrix:prisoners", dynamics="boltzmann", tau=tau)
    assert [row[2] for row in cells(browser, "#rest-points")] == [point["kind"] for point in known["rest_points"]]


def test_learners_follow_their_own_sliders(lab: LabProcess, browser: Browser) -> None:
    browser.open(lab, "/dynamics?game=matrix:sexes&dynamics=replicator&learners=greedy&epsilon=0.2&alpha=0.05")
    browser.wait_for(lambda: browser.all("#panels .learner"), "learners")
    assert browser.script("return [document.getElementById('tau').disabled, document.getElementById('epsilon').disabled]") == [True, False]
    before = browser.script("return document.querySelector('#panels .learner').getAttribute('d')")
    points = cells(browser, "#rest-points")
    for name in ("epsilon", "alpha"):
        browser.script("const e = document.getElementById(arguments[0]); e.value = 900; e.dispatchEvent(new Event('input'))", name)
        browser.wait_for(lambda: browser.script("return document.querySelector('#panels .learner').getAttribute('d')") != before, name)  # noqa: B023
        before = browser.script("return document.querySelector('#panels .learner').getAttribute('d')")
    assert cells(browser, "#rest-points") == points


def test_a_payoff_table_is_typed_in_and_hostile_names_stay_text(lab: LabProcess, browser: Browser) -> None:
    browser.open(
        lab,
        f"/dynamics?game=1,1 0,0; 0,0 2,2&{HOSTILE}&dynamics=replicator&learners=none",
    )
    browser.wait_for(lambda: len(cells(browser, "#equilibria")) == 3, "the equilibria")
    assert "<svg_onload=alert(1)>" in browser.script("return document.querySelector('#panels svg').textContent")
    assert not browser.all("#panels svg svg, #panels script, main script, #equilibria svg")
    assert [row[0] for row in cells(browser, "#equilibria")][2] == "2/3 <svg_onload=alert(1)> + 1/3 b"
    browser.click("#more-columns")
    browser.wait_for(lambda: len(browser.all("#payoffs .column-pay")) == 6, "a further column")
    browser.wait_for(lambda: "column player" in browser.text("#rest-points") and len(browser.all("#panels svg")) == 1, "the triangle")
    payoff = browser.all("#payoffs .row-pay")[0]
    payoff.clear()
    payoff.send_keys("x")
    browser.wait_for(lambda: "A payoff is a number" in browser.text("#problem"), "the words")
    browser.audit()


def test_a_small_game_is_solved_from_the_page_and_its_longest_win_stepped_through(lab: LabProcess, browser: Browser) -> None:
    import ludometer as lm

    browser.open(lab, "/tables")
    browser.wait_for(lambda: browser.all("#game option"), "what can be solved")
    fill(browser, game="quixo:3")
    assert "19,683 positions" in browser.text("#forecast")
    browser.click("#solve")
    patiently(lambda: browser.script("return document.getElementById('about-title').textContent") == "quixo:3: win in 7", "the solution")
    facts = browser.text("#facts")
    assert "19,683" in facts and "12,748 (64.8 %)" in facts
    browser.wait_for(lambda: browser.all("#steps button"), "the moves")
    longest = longest_wins(lm.open_solution("quixo:3", lab.home / "tables"), 3)
    assert browser.all("#line option")[1].text == f"Longest win 1: {longest.distance} moves ({longest.distance} moves)"
    assert browser.find("#board").get_attribute("alt") == f"quixo:3: {longest.positions[0]}"
    for number in range(longest.distance):
        assert browser.text("#said").endswith(f"in {longest.distance - number}")
        browser.click("#on")
    assert "over: 1-0" in browser.text("#said") or "over: 0-1" in browser.text("#said")
    assert browser.wait_for(lambda: browser.script("return document.getElementById('board').naturalWidth"), "the picture")
    for size in (DESKTOP, PHONE):
        for dark in (False, True):
            browser.open(lab, "/tables?game=quixo:3", size, dark)
            browser.wait_for(lambda: browser.all("#steps button"), "the moves")
            browser.audit()
            assert browser.script("return document.documentElement.scrollWidth") <= size[0]


def test_findings_of_the_studies_are_shown_with_their_verdicts(lab: LabProcess, browser: Browser) -> None:
    browser.open(lab, "/studies")
    browser.wait_for(lambda: browser.all("#empty:not([hidden])") or browser.all("#rows tr"), "the page")
    finding = {
        "study": "000",
        "item": "000.test.<b>entry",
        "title": "a number",
        "where": "table 1",
        "kind": "exact",
        "settings": "ludometer solve quixo:3",
        "effort": "quick",
        "reported": 7,
        "measured": 7,
        "interval": None,
        "agrees": True,
        "verdict": "agrees",
        "note": "<script>alert(1)</script>",
        "figures": [
            {
                "name": "figure",
                "title": "Ours over theirs <b>",
                "x_label": "iterations",
                "y_label": "score",
                "curves": [
                    {
                        "label": "3",
                        "x": [1, 10],
                        "y": [0.1, 0.5],
                        "low": [],
                        "high": [],
                        "reported_x": [1, 10],
                        "reported_y": [0.2, None],
                    }
                ],
                "x_scale": "log",
                "y_scale": "linear",
            }
        ],
    }
    with Store(lab.home / "experiments.sqlite") as store:
        store.note(store.begin_run("reproduce", finding["item"], (), {"entry": finding["item"]}), 1.0, finding)
    browser.open(lab, "/studies")
    browser.wait_for(lambda: browser.all("#rows tr"), "the findings")
    browser.script("document.querySelector('#verdicts button[data-verdict=agrees]').click()")
    browser.find("#search").send_keys("000.test")
    browser.wait_for(lambda: len(cells(browser, "#content table")) == 1, "it alone")
    (row,) = cells(browser, "#content table")
    assert row[0].startswith("000.test.<b>entry") and row[1:4] == ["7", "7", "agrees"]
    browser.script("document.querySelector('#rows details').open = true")
    browser.wait_for(lambda: len(browser.all("#rows svg.plot .mark")) == 3, "the figure, and the points of the report in it")
    browser.audit()
    browser.open(lab, "/studies", PHONE)
    browser.wait_for(lambda: browser.all("#rows tr"), "the findings")
    verdicts = browser.script("return [...document.querySelectorAll('#rows .badge')].map((each) => each.getBoundingClientRect().right)")
    assert max(verdicts) <= PHONE[0], "every verdict is in sight on a phone"
    narrow = browser.script("return Math.min(...[...document.querySelectorAll('#rows td')].map((each) => each.clientWidth))")
    assert narrow > PHONE[0] / 2, f"a column of {narrow} pixels cannot be read"
    shown = len(browser.all("#rows tr"))
    assert browser.find("#more").is_displayed()
    browser.script("document.getElementById('more').click()")
    browser.wait_for(lambda: len(browser.all("#rows tr")) > shown and not browser.find("#more").is_displayed(), "all of them")
    browser.audit()
    assert json.dumps(lab.get("/api/studies")["verdicts"]).count("agrees")
    assert all(run["kind"] != "reproduce" for run in lab.get("/api/runs"))
