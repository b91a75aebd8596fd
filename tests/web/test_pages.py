"""Every page loads in a real browser, light and dark, wide and narrow, and axe finds nothing wrong with it."""

from __future__ import annotations

import pytest

from ludometer.web.pages import PAGES
from tests.web.conftest import DESKTOP, PHONE, Browser, LabProcess


@pytest.mark.parametrize("path", [page.path for page in PAGES])
def test_a_page_is_in_order_light_and_dark_wide_and_narrow(lab: LabProcess, browser: Browser, path: str) -> None:
    name = path.strip("/").replace("/", "-") or "home"
    for size, shape in ((DESKTOP, "desktop"), (PHONE, "phone")):
        for dark in (False, True):
            browser.open(lab, path, size, dark)
            browser.find("h1")
            browser.audit()
            browser.screenshot(f"{name}-{shape}-{'dark' if dark else 'light'}")
            at = "const here = document.querySelector('nav [aria-current]')?.getBoundingClientRect();"
            at += "return here ? [here.left, here.right] : [0, 1]"
            left, right = browser.script(at)
            assert 0 <= left < right <= size[0], f"the name of {path} in the navigation is out of sight on a {shape}"
            width = browser.script("return document.documentElement.scrollWidth")
            assert width <= size[0], f"{path} is {width} pixels wide on a {shape}"


def test_light_or_dark_is_a_choice_that_stays(lab: LabProcess, browser: Browser) -> None:
    browser.open(lab, "/")
    background = "return getComputedStyle(document.documentElement).backgroundColor"
    before = browser.script(background)
    browser.click("#theme")
    after = browser.script(background)
    assert before != after
    browser.open(lab, "/")
    browser.wait_for(lambda: browser.script(background) == after, "the choice, which stays")
    browser.click("#theme")
    browser.script("localStorage.clear()")
