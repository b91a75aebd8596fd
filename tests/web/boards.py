"""Pointing at boards in the browser."""

from __future__ import annotations

from typing import Any

from tests.web.conftest import Browser, LabProcess


class BoardPage:
    """A page with a board on it."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        browser.find(".board .area")

    def area(self, name: str) -> Any:
        return self.browser.find(f'.board [data-area="{name}"]')

    def centre(self, name: str) -> tuple[float, float]:
        """The middle of an area on the screen, scrolled into view."""
        self.browser.script("arguments[0].scrollIntoView({block: 'center'})", self.area(name))
        x, y = self.browser.script(
            "const b = arguments[0].getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]", self.area(name)
        )
        return float(x), float(y)

    def click(self, name: str) -> None:
        x, y = self.centre(name)
        for kind, buttons in (("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)):
            self.browser.command(
                "Input.dispatchMouseEvent",
                type=kind,
                x=x,
                y=y,
                button="left" if kind != "mouseMoved" else "none",
                buttons=buttons,
                clickCount=1,
            )

    def drag(self, begin: str, end: str, let_go: bool = True) -> None:
        (x1, y1), (x2, y2) = self.centre(begin), self.centre(end)
        self.browser.command("Input.dispatchMouseEvent", type="mouseMoved", x=x1, y=y1)
        self.browser.command("Input.dispatchMouseEvent", type="mousePressed", x=x1, y=y1, button="left", buttons=1, clickCount=1)
        for step in range(1, 9):
            x, y = x1 + (x2 - x1) * step / 8, y1 + (y2 - y1) * step / 8
            self.browser.command("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, button="left", buttons=1)
        if let_go:
            self.browser.command("Input.dispatchMouseEvent", type="mouseReleased", x=x2, y=y2, button="left", clickCount=1)

    def touch(self, begin: str, end: str) -> None:
        (x1, y1), (x2, y2) = self.centre(begin), self.centre(end)
        self.browser.command("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x1, "y": y1}])
        for step in range(1, 9):
            point = {"x": x1 + (x2 - x1) * step / 8, "y": y1 + (y2 - y1) * step / 8}
            self.browser.command("Input.dispatchTouchEvent", type="touchMove", touchPoints=[point])
        self.browser.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def open_areas(self) -> list[str]:
        """What can be pointed at now."""
        return list(self.browser.script("return [...document.querySelectorAll('.board .area.open')].map((each) => each.dataset.area)"))

    def holds(self, name: str) -> str:
        """What a screen reader is told of an area."""
        return str(self.area(name).get_attribute("aria-label"))

    @property
    def focused(self) -> str:
        return str(self.browser.script("return document.activeElement.dataset.area ?? document.activeElement.id"))


def new_game(
    lab: LabProcess, browser: Browser, game: str, first: str = "human", second: str = "human", page: str = "play", **options: Any
) -> Any:
    """(state, board page) of a new game."""
    view = {key: options.pop(key) for key in ("size", "dark", "touch") if key in options}
    state = lab.post("/api/sessions", game=game, first=first, second=second, **options)
    browser.open(lab, f"/{page}/{state['id']}", **view)
    return state, BoardPage(browser)
