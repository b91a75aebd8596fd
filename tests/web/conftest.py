"""What the tests of the web lab share.

`api` is the application of a lab, called without a network.  `lab` is a server in a process of its own, for tests that need a socket or a
browser.  `browser` is a headless Chromium.  There is one of each in a test process.  After every test that used the browser its messages
are read: a violation of the content security policy or an error in a script fails the test.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

import httpx2
from fastapi.testclient import TestClient

from ludometer.web.lab import Lab
from ludometer.web.server import create_app

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
PATIENCE = 400.0  # seconds until something expected must have come; code may have to be compiled first, on a machine that others use, too
DESKTOP, PHONE = (1280, 900), (390, 844)


class Api:
    """A client of the JSON API."""

    client: httpx2.Client
    home: Path

    def get(self, path: str, **query: Any) -> Any:
        """The JSON that a path answers with."""
        answer = self.client.get(path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, **body: Any) -> Any:
        """The JSON that a path answers with when this is sent."""
        answer = self.client.post(path, json=body)
        assert answer.status_code in (200, 201, 202), answer.text
        return answer.json()


class LabInProcess(Api):
    """The application of a lab, called without a network."""

    def __init__(self, home: Path, client: TestClient, lab: Lab) -> None:
        self.home = home
        self.client = client
        self.lab = lab


@contextmanager
def lab_in_process(home: Path) -> Iterator[LabInProcess]:
    """A lab whose folders all lie in `home`, from its start to its end."""
    lab = Lab(home / "lab", home / "tables", home / "experiments.sqlite")
    with TestClient(create_app(lab, ["testserver"]), raise_server_exceptions=False) as client:
        yield LabInProcess(home, client, lab)


@pytest.fixture(scope="session")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabInProcess]:
    with lab_in_process(tmp_path_factory.mktemp("lab-in-process")) as found:
        yield found


class LabProcess(Api):
    """`ludometer serve` as people start it."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.port = 0
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "ludometer", "serve", "--no-browser", "--port", str(self.port)]
        environment = {**os.environ, "LUDOMETER_HOME": str(self.home)}
        self.errors = open(self.home / "errors.txt", "ab")  # noqa: SIM115
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.errors, env=environment, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+:(\d+)/", line)
        assert found, f"the lab said {line!r}; {(self.home / 'errors.txt').read_text()}"
        self.port = int(found[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.client = httpx2.Client(base_url=self.url, timeout=PATIENCE)

    def stop(self, number: int = signal.SIGINT) -> int:
        self.client.close()
        self.process.send_signal(number)
        try:
            return self.process.wait(PATIENCE)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.errors.close()


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabProcess]:
    running = LabProcess(tmp_path_factory.mktemp("lab"))
    yield running
    running.stop()
    said = (running.home / "errors.txt").read_text()
    assert "Traceback" not in said, said


class Browser:
    """Chromium with the few words that these tests need."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver
        self.expected: list[str] = []  # parts of messages that a test provokes

    def open(self, lab: LabProcess, path: str, size: tuple[int, int] = DESKTOP, dark: bool = False, touch: bool = False) -> Browser:
        self.command("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=size == PHONE)
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.command("Emulation.setTouchEmulationEnabled", enabled=touch)
        self.driver.get(lab.url + path)
        return self

    def command(self, name: str, **parameters: Any) -> Any:
        """A command of the DevTools protocol."""
        return self.driver.execute_cdp_cmd(name, parameters)

    def script(self, text: str, *arguments: Any) -> Any:
        return self.driver.execute_script(text, *arguments)

    def find(self, css: str) -> Any:
        """The element, as soon as there is one."""
        return self.wait_for(lambda: next(iter(self.all(css)), None), css)

    def all(self, css: str) -> list[Any]:
        return list(self.driver.find_elements("css selector", css))

    def click(self, css: str) -> None:
        """Click on an element as soon as that can be done."""
        from selenium.common.exceptions import ElementClickInterceptedException, ElementNotInteractableException

        def done() -> bool:
            try:
                self.find(css).click()
            except (ElementNotInteractableException, ElementClickInterceptedException):
                return False
            return True

        self.wait_for(done, f"{css} to be there for a click")

    def text(self, css: str) -> str:
        return str(self.find(css).text)

    def press(self, *keys: str) -> None:
        """Type on the keyboard, wherever the focus is."""
        from selenium.webdriver import ActionChains

        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def wait_for(self, condition: Callable[[], Any], what: str = "something") -> Any:
        """What the condition gives, once that is true."""
        from selenium.common.exceptions import StaleElementReferenceException

        until = time.monotonic() + PATIENCE
        while True:
            try:
                found = condition()
            except StaleElementReferenceException:
                found = None
            if found:
                return found
            assert time.monotonic() < until, (
                f"waited in vain for {what}; the page says: {self.script('return document.body.innerText')[:1500]}"
            )
            time.sleep(0.03)

    def audit(self) -> None:
        """axe finds nothing on the page as it is."""
        import axe_core_python

        self.script((Path(axe_core_python.__file__).parent / "axe.min.js").read_text())
        found = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            "axe.run(document, {resultTypes: ['violations']}).then(done, (error) => done({violations: [{id: String(error), nodes: []}]}));"
        )
        said = [f"{each['id']}: {[node['target'] for node in each['nodes'][:4]]} {each.get('help', '')}" for each in found["violations"]]
        assert not said, "\n".join(said)

    def screenshot(self, name: str) -> None:
        """Kept where LUDOMETER_SCREENSHOTS says, if it does."""
        folder = os.environ.get("LUDOMETER_SCREENSHOTS")
        if folder:
            self.driver.save_screenshot(str(Path(folder) / f"{name}.png"))

    def complaints(self) -> list[str]:
        """What the browser had to say against the pages since the last call."""
        entries = [entry for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
        return [entry["message"] for entry in entries if not any(part in entry["message"] for part in self.expected)]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("needs chromium and chromedriver")
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    driver.command_executor.client_config.timeout = int(PATIENCE)
    driver.set_script_timeout(PATIENCE)
    driver.set_page_load_timeout(PATIENCE)
    yield Browser(driver)
    driver.quit()


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    chromium.expected = []
    chromium.complaints()
    yield chromium
    said = chromium.complaints()
    chromium.driver.get("about:blank")
    assert not said, "\n".join(said)
