"""From a key to the painted line on 20,000 rows: quiet, and under 1,000 results a second.

Run: `python benchmarks/screen_keys.py [keys] [rows]`. The time runs from the key event's arrival in
the application to the end of the paint that it caused; the terminal itself is not part of it.
"""

import asyncio
import sys
import time
from statistics import median, quantiles
from typing import Any

from textual.events import Key

from evaltui.core.events import CaseFinished, CaseStarted, RunStarted
from evaltui.tui.start import make_app
from tests.tui import scene
from tests.tui.fake_session import FakeSession

RATE = 1000


async def measure(keys: int, rows: int, is_busy: bool) -> tuple[list[float], list[float]]:
    made = scene.suites(rows, min(300, rows))
    session = FakeSession(on_open=list(scene.opened(made)))
    app = make_app(session)
    painted = asyncio.Event()
    times: list[float] = []
    worked: list[float] = []
    async with app.run_test(size=(160, 45)) as pilot:
        await pilot.pause(0.5)
        cases = app.dashboard.cases
        compositor = app.dashboard._compositor
        render = compositor.render_update

        def render_update(*args: Any, **options: Any) -> Any:
            cursor = cases.cursor
            update = render(*args, **options)
            shown.append(cursor)
            painted.set()
            return update

        compositor.render_update = render_update  # type: ignore[method-assign]
        shown = [cases.cursor]
        done = finished(made) if is_busy else []
        load = asyncio.create_task(results(session, made, done)) if is_busy else None
        await asyncio.sleep(0.5)
        for number in range(keys):
            key = "k" if number % 40 >= 30 else "j"
            painted.clear()
            before, at, cpu = cases.cursor, time.perf_counter(), time.process_time()
            app.post_message(Key(key, key))
            async with asyncio.timeout(60):
                while shown[-1] == before:
                    await painted.wait()
                    painted.clear()
            times.append(time.perf_counter() - at)
            worked.append(time.process_time() - cpu)
            await asyncio.sleep(0.02)
        if load is not None:
            load.cancel()
    return times, worked


def finished(made: Any) -> list[CaseFinished]:
    """Made before the clock runs: it is not the dashboard's work."""
    return [
        CaseFinished("run-9", scene.result(case, scene.status_of(index + 1)))
        for index, case in enumerate(scene.cases_of(made))
    ]


async def results(session: FakeSession, made: Any, done: list[CaseFinished]) -> None:
    """One result every millisecond, in bursts as the loop wakes."""
    cases = scene.cases_of(made)
    keys = tuple(case.key for case in cases)
    session.emit(RunStarted("run-9", scene.AGENT, 9, keys, "all cases", (), 32, 1, time.time()))
    started, sent = time.perf_counter(), 0
    while True:
        due = int((time.perf_counter() - started) * RATE)
        for index in range(sent, due):
            case = cases[index % len(cases)]
            session.emit(CaseStarted("run-9", scene.AGENT, case.key), done[index % len(cases)])
        sent = due
        await asyncio.sleep(0.005)


def main() -> None:
    keys = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    rows = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
    for is_busy in (False, True):
        times, worked = asyncio.run(measure(keys, rows, is_busy))
        name = f"{rows} rows, {RATE if is_busy else 0} results a second"
        p99 = quantiles(times, n=100)[98]
        busy = median(worked) * 1000
        print(f"{name:38} p50 {median(times) * 1000:5.1f} ms  p99 {p99 * 1000:6.1f} ms", end="")
        print(f"  (of which the process worked {busy:4.1f} ms)")


if __name__ == "__main__":
    main()
