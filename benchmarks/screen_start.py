"""Time to the first full frame, as a ratio to an empty Textual app, at several sizes.

Run: `python benchmarks/screen_start.py [rounds]`. Each start is a process of its own; contenders
take turns, medians are compared. `shell` is the frame before the project is read, `board` the
frame that shows every row of the last known board.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

SIZE = (160, 45)
clock = time.process_time
"""Nothing here waits, and other processes of a busy machine do not count."""


def empty() -> float:
    started = clock()
    from textual.app import App

    done: list[float] = []

    class Empty(App[None]):
        def on_mount(self) -> None:
            self.call_after_refresh(self.painted)

        def painted(self) -> None:
            done.append(clock() - started)
            self.exit()

    asyncio.run(Empty().run_async(headless=True, size=SIZE))
    return done[0]


def dashboard(cases: int, is_board: bool) -> float:
    from tests.tui import scene
    from tests.tui.fake_session import FakeSession

    session = FakeSession(on_open=list(scene.opened(scene.suites(cases, min(300, cases)))))
    unloaded = [name for name in sys.modules if name.startswith(("textual", "rich"))]
    assert not unloaded, "the measurement must pay for the imports"
    started = clock()
    from evaltui.tui.start import make_app

    app = make_app(session)
    done: list[float] = []

    def painted() -> None:
        if is_board and not app.dashboard.cases.shown:
            app.call_after_refresh(painted)
            return
        done.append(clock() - started)
        app.exit()

    app.call_later(lambda: app.call_after_refresh(painted))
    asyncio.run(app.run_async(headless=True, size=SIZE))
    return done[0]


def once(argument: str) -> float:
    command = [sys.executable, __file__, "--once", argument]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(["", *sys.path])}
    # Compiling our modules anew in each process would be measured, Textual's are compiled.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment["PYTHONPYCACHEPREFIX"] = str(Path(tempfile.gettempdir(), "evaltui-benchmark"))
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return float(done.stdout)


def main() -> None:
    if "--once" in sys.argv:
        kind, _, cases = sys.argv[-1].partition(":")
        print(empty() if kind == "empty" else dashboard(int(cases), kind == "board"))
        return
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    contenders = ["empty", "shell:10", "shell:20000", "board:10", "board:20000"]
    for name in contenders:
        once(name)
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name in contenders:
            times[name].append(once(name))
    floor = median(times["empty"])
    for name, found in times.items():
        print(f"{name:12} {median(found) * 1000:7.0f} ms  {median(found) / floor:5.2f} x")


if __name__ == "__main__":
    main()
