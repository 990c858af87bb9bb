"""From a key to the painted line through a real terminal, 20,000 rows (quiet, must: p50 ≤ 10 ms,
p99 ≤ 50; with 1,000 results a second: 15 and 70), and the memory of that dashboard (< 200 MiB).

    python -m benchmarks.screen_keys_pty [--keys 200] [--rows 20000]
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.screen_save import told
from tests.terminal import Terminal

DASHBOARD = """
import asyncio, sys
from benchmarks.screen_keys import results
from evaltui.tui.start import make_app
from tests.tui import scene
from tests.tui.fake_session import FakeSession
rows, is_busy = int(sys.argv[1]), sys.argv[2] == "busy"
made = scene.suites(rows, min(300, rows))
session = FakeSession(on_open=list(scene.opened(made)))
app = make_app(session)
async def main():
    shown = asyncio.create_task(app.run_async())
    await asyncio.sleep(3)
    load = asyncio.create_task(results(session, made)) if is_busy else None
    await shown
asyncio.run(main())
"""
ROOT = Path(__file__).resolve().parent.parent


def measure(rows: int, keys: int, *, is_busy: bool) -> tuple[list[float], float]:
    """Seconds from each key to the first bytes that move the cursor's line; MiB held."""
    command = [sys.executable, "-c", DASHBOARD, str(rows), "busy" if is_busy else "quiet"]
    with tempfile.TemporaryDirectory(prefix="evaltui-keys-") as folder:
        shown = Terminal(command, Path(folder), environment={"PYTHONPATH": str(ROOT)})
        try:
            shown.shows(f"2 Cases {rows:,}", limit_s=60)
            rest(shown, 4.0)
            times: list[float] = []
            for number in range(keys):
                before = cursor_line(shown)
                started = time.perf_counter()
                shown.press("k" if number % 40 >= 30 else "j")
                limit = 0.3 if is_busy else 2.0
                moved: list[float] = []
                while not moved:  # a busy machine pauses within one frame
                    assert time.perf_counter() - started < 10, shown.text
                    arrivals = [(at, cursor_line(shown)) for at in shown.record(0.06, limit)]
                    moved = [at for at, line in arrivals if line != before]
                times.append(moved[0] - started)
                rest(shown, 0.05)
            status = Path(f"/proc/{shown.pid}/status").read_text()
            rss = next(line for line in status.splitlines() if line.startswith("VmRSS"))
            return times, int(rss.split()[1]) / 1024
        finally:
            shown.close()


def rest(shown: Terminal, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        shown.read(0.02)


def cursor_line(shown: Terminal) -> str:
    """The line of the cases pane where the cursor stands."""
    for line in shown.lines:
        parts = line.split("┃")
        if len(parts) > 1 and parts[1].startswith("›"):
            return parts[1]
    return ""


def main() -> None:
    parser = argparse.ArgumentParser(description="from a key to the screen")
    parser.add_argument("--keys", type=int, default=200)
    parser.add_argument("--rows", type=int, default=20_000)
    options = parser.parse_args()
    for is_busy in (False, True):
        times, mib = measure(options.rows, options.keys, is_busy=is_busy)
        name = "1,000 results a second" if is_busy else "quiet"
        print(f"{told(name, times)}   {mib:6.1f} MiB held with the recorded events")


if __name__ == "__main__":
    main()
