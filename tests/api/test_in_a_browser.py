"""The dashboard in a real browser: a page shows the rows of the sample project, and takes keys."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.sample_project import copy_samples

pytestmark = [pytest.mark.external, pytest.mark.xdist_group("browser")]
pytest.importorskip("textual_serve", reason="needs evaltui[serve]")

LIMIT_S = 30.0
NOTE_THE_TERMINAL = """
Object.defineProperty(Object.prototype, "terminal", {
  configurable: true,
  set(made) {
    if (made && made.buffer) window.shown = made;
    Object.defineProperty(this, "terminal", {value: made, writable: true, configurable: true});
  },
});
"""
READ = """
if (!window.shown) return "";
const buffer = window.shown.buffer.active, lines = [];
for (let row = 0; row < window.shown.rows; row++)
  lines.push(buffer.getLine(row + buffer.viewportY).translateToString());
return lines.join("\\n");
"""


class Browser:
    """A headless Chromium, told what to do by WebDriver."""

    def __init__(self, port: int) -> None:
        self._client = httpx.Client(
            base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False
        )
        flags = ("headless=new", "no-sandbox", "disable-dev-shm-usage", "window-size=1400,900")
        options = {"args": [f"--{flag}" for flag in flags]}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options}
        made = self._ask("session", capabilities={"alwaysMatch": wanted})
        self._session = f"session/{made['sessionId']}/"

    def open(self, url: str) -> None:
        script = {"source": NOTE_THE_TERMINAL}
        command = "Page.addScriptToEvaluateOnNewDocument"
        self._ask(f"{self._session}goog/cdp/execute", cmd=command, params=script)
        self._ask(f"{self._session}url", url=url)

    def run(self, script: str) -> Any:
        return self._ask(f"{self._session}execute/sync", script=script, args=[])

    def press(self, key: str) -> None:
        self.run("window.shown.focus()")
        steps = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        keyboard = {"type": "key", "id": "keyboard", "actions": steps}
        self._ask(f"{self._session}actions", actions=[keyboard])

    def shows(self, text: str) -> None:
        """Wait until the screen does."""
        self._until(READ, lambda screen: text in screen)

    def shows_no_more(self, text: str) -> None:
        self._until(READ, lambda screen: text not in screen)

    def has_ended(self) -> None:
        self._until("return document.body.className", lambda classes: "-closed" in classes)

    def close(self) -> None:
        self._client.delete(self._session)
        self._client.close()

    def _until(self, script: str, is_met: Any) -> None:
        until = time.monotonic() + LIMIT_S
        while not is_met(said := self.run(script)):
            assert time.monotonic() < until, said
            time.sleep(0.1)

    def _ask(self, path: str, **body: Any) -> Any:
        answer = self._client.post(path, json=body).json()["value"]
        assert not (isinstance(answer, dict) and "error" in answer), answer
        return answer


@pytest.fixture
def browser() -> Iterator[Browser]:
    if shutil.which("chromedriver") is None:
        pytest.skip("needs chromium and chromedriver: scripts/system-packages.sh")
    with (
        subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True) as driver,
        ExitStack() as ends,
    ):
        ends.callback(driver.terminate)
        assert driver.stdout is not None
        ports = (re.search(r"successfully on port (\d+)", line) for line in driver.stdout)
        found = Browser(next(int(port[1]) for port in ports if port))
        ends.callback(found.close)
        yield found


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """Where the sample project is served; it asks for a token."""
    root = copy_samples(tmp_path / "samples")
    words = ("-m", "evaltui", "serve", "--port", "0", "--json", "-C", str(root))
    environment = {**os.environ, "EVALTUI_SERVE_TOKEN": "0123456789abcdef"}
    with subprocess.Popen(
        [sys.executable, *words], stdout=subprocess.PIPE, env=environment
    ) as server:
        try:
            assert server.stdout is not None
            yield f"{json.loads(server.stdout.readline())['url']}/"
            server.terminate()
            server.wait(30)
            assert server.stdout.read() == b"", "only its address is printed"
        finally:
            server.kill()


def test_the_dashboard_shows_the_project_and_takes_keys(browser: Browser, served: str) -> None:
    browser.open(f"{served}?token=0123456789abcdef")
    browser.shows("find_order.golden")
    browser.shows("gs-find-order-001")
    assert browser.run("return location.search") == "", "the token is not seen in the address"
    browser.shows("run #1")  # of what was never run
    browser.press("a")
    browser.shows("run #2")
    browser.press("/")
    browser.shows("Esc take back")
    for letter in "parcel":
        browser.press(letter)
    browser.shows_no_more("ls-move-event-005")
    browser.shows("gs-track-parcel-002")
    browser.press("\ue00c")  # Escape
    browser.shows("ls-move-event-005")
    browser.press("q")
    browser.has_ended()
