"""A real browser, and a server of a project for it to look at."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

LIMIT_S = 30.0
TOKEN = "0123456789abcdef"
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

    def __init__(self, port: int, size: tuple[int, int] = (1400, 900)) -> None:
        self._client = httpx.Client(
            base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False
        )
        flags = (
            "headless=new",
            "no-sandbox",
            "disable-dev-shm-usage",
            "window-size={},{}".format(*size),
        )
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

    @property
    def screen(self) -> str:
        return str(self.run(READ))

    def shows(self, text: str) -> None:
        """Wait until the screen does."""
        self._until(READ, lambda screen: text in screen)

    def shows_no_more(self, text: str) -> None:
        self._until(READ, lambda screen: text not in screen)

    def has_ended(self) -> None:
        self._until("return document.body.className", lambda classes: "-closed" in classes)

    def close(self) -> None:
        with closing(self._client):
            ended = self._client.delete(self._session.rstrip("/")).json()["value"]
            assert ended is None, ended

    def _until(self, script: str, is_met: Any) -> None:
        until = time.monotonic() + LIMIT_S
        while not is_met(said := self.run(script)):
            assert time.monotonic() < until, said
            time.sleep(0.1)

    def _ask(self, path: str, **body: Any) -> Any:
        answer = self._client.post(path, json=body).json()["value"]
        assert not (isinstance(answer, dict) and "error" in answer), answer
        return answer


@contextmanager
def browsing(size: tuple[int, int] = (1400, 900)) -> Iterator[Browser]:
    """`size`: of its window, in pixels."""
    if shutil.which("chromedriver") is None:
        pytest.skip("needs chromium and chromedriver: scripts/system-packages.sh")
    with (
        subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True) as driver,
        ExitStack() as ends,
    ):
        ends.callback(driver.terminate)
        assert driver.stdout is not None
        ports = (re.search(r"successfully on port (\d+)", line) for line in driver.stdout)
        found = Browser(next(int(port[1]) for port in ports if port), size)
        ends.callback(found.close)
        yield found


@contextmanager
def served(root: Path, *more: str) -> Iterator[str]:
    """Where the project is served; it asks for `TOKEN`."""
    words = ("-m", "evaltui", "serve", "--port", "0", "--json", "-C", str(root), *more)
    environment = {**os.environ, "EVALTUI_SERVE_TOKEN": TOKEN}
    with subprocess.Popen(
        [sys.executable, *words], stdout=subprocess.PIPE, env=environment
    ) as server:
        try:
            assert server.stdout is not None
            yield f"{json.loads(server.stdout.readline())['url']}/"
            server.terminate()
            server.wait(30)
            rest = server.stdout.read()
            assert rest == b"", f"only its address is printed, not {rest!r}"
        finally:
            server.kill()
