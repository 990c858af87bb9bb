"""Makes the pictures of the documentation: `python scripts/screenshots.py [FOLDER]`.

The dashboard runs on a copy of the sample project with the embedded agent; everything is pinned,
one description is made to claim what another tool does, and the pictures show what comes of it.
Times are levelled and fonts left to the reader: a picture changes only when the screen does.
"""

import asyncio
import re
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from html import unescape
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from rich.cells import cell_len
from textual.pilot import Pilot

from evaltui.core.case import CaseKey
from evaltui.core.events import (
    BaselinePinned,
    CaseFinished,
    DetailLoaded,
    Event,
    ProjectChecked,
    ProjectRead,
    RunFinished,
)
from evaltui.core.result import CaseResult
from evaltui.core.watch_state import WatchState
from evaltui.session import Session
from evaltui.settings.load import load_config
from evaltui.store.store import Store
from evaltui.tui.app import DashboardApp
from evaltui.tui.start import make_app

ROOT = Path(__file__).resolve().parent.parent
TOOL = "tools/shop/cancel-order.tool.ts"
BEFORE = "call off a purchase. Not for returns: use refund_order instead."
AFTER = "call off a purchase, return an item or get their money back."
WORD_IN = "tools/calendar/move-event.tool.ts"
TRACE = CaseKey("evals/support.trace.json", "tr-support-003")
WIDE, NARROW = (148, 36), (84, 30)
SIZES = ((160, 45), (120, 35), (100, 30), (80, 24), (60, 20))
PATIENCE_S = 30.0
CELL = 12.2
"""Width of a cell in the exported picture."""
_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
_MONOSPACE = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
_PADDED = re.compile(r' x="([\d.]+)" (y="[\d.]+") textLength="[\d.]+"([^>]*)>((?:&#160;)+)([^<]*)<')


class LevelStore(Store):
    """Knows the same times on every machine; everything else is as it happens."""

    runs = 0
    is_looked_into = False
    """Whether all mistakes of the last reading are known, which the header counts."""

    def handle(self, event: Event) -> None:
        if isinstance(event, ProjectRead | BaselinePinned):
            self.is_looked_into = False
        elif isinstance(event, ProjectChecked):
            self.is_looked_into = True
        if isinstance(event, CaseFinished | DetailLoaded):
            event = replace(event, result=self._levelled(event.result))
        elif isinstance(event, BaselinePinned):
            pinned_at = time.time() - 3 * 3600 - 60
            levelled = (replace(one, pinned_at=pinned_at) for one in event.baselines)
            event = replace(event, baselines=tuple(levelled))
        elif isinstance(event, RunFinished):
            self.runs += 1
            event = replace(event, duration_s=0.0)
        super().handle(event)

    def _levelled(self, result: CaseResult) -> CaseResult:
        is_trace = result.response is not None and result.response.source == "trace"
        if result.response is not None and not is_trace:
            result = replace(result, response=replace(result.response, duration_ms=1.0))
        took = result.duration_ms if is_trace else 1.0
        # Some minutes ago; or a little ahead, so that it stays just now for all pictures.
        finished_at = time.time() + (30 if self.runs else -205)
        return replace(result, duration_ms=took, queued_ms=0.0, finished_at=finished_at)


async def pictures(project: Path) -> AsyncIterator[tuple[str, str]]:
    """Name and SVG of every picture of the dashboard, one after the other."""
    async with _after_a_save(project, TOOL, BEFORE, AFTER) as (pilot, app):
        await pilot.press("2", "g", "j")
        yield "dashboard", await _shoot(pilot, app)
        await pilot.press("3", "]")
        yield "calls", await _shoot(pilot, app)
        await pilot.press("[", "escape", "4")
        yield "problems", await _shoot(pilot, app)
        await pilot.press("escape", "2", "g", "j")
        await pilot.resize_terminal(*NARROW)
        yield "dashboard-narrow", await _shoot(pilot, app)


async def pictures_of_a_save(project: Path) -> AsyncIterator[tuple[str, str]]:
    """What the screen says after one word was taken out, at every size and in two themes."""
    async with _after_a_save(project, WORD_IN, "reschedule, postpone or", "reschedule or") as (
        pilot,
        app,
    ):
        for theme in ("dark", "light"):
            app.use_theme(theme)
            for width, height in SIZES:
                await pilot.resize_terminal(width, height)
                await pilot.press("2", "g", "j")
                yield f"save-{width}x{height}-{theme}", await _shoot(pilot, app)


async def pictures_of_a_trace(project: Path) -> AsyncIterator[tuple[str, str]]:
    """A run that happened already, event by event."""
    store = LevelStore()
    session = Session(load_config(project).config, store=store)
    app = make_app(session, theme="dark")
    async with app.run_test(size=WIDE) as pilot:
        await _until(
            pilot, lambda: session.state is WatchState.WATCHING and store.runs == 1, "first run"
        )
        app.dashboard.controller.open(TRACE)
        await pilot.pause()
        app.clear_notifications()
        yield "trace", await _shoot(pilot, app)
        await pilot.press("q")


@asynccontextmanager
async def _after_a_save(
    project: Path, tool: str, before: str, after: str
) -> AsyncIterator[tuple[Pilot[Any], DashboardApp]]:
    """The dashboard on the project, all pinned, once a tool was saved with other words."""
    store = LevelStore()
    session = Session(load_config(project).config, store=store)
    app = make_app(session, theme="dark")
    async with app.run_test(size=WIDE) as pilot:
        await _until(
            pilot, lambda: session.state is WatchState.WATCHING and store.runs == 1, "first run"
        )
        board = session.store.board(session.agents[0])
        await session.baselines.pin(tuple(board.rows), session.agents[0])
        await _until(pilot, lambda: all(row.baseline for row in board.rows.values()), "pins")
        path = project / tool
        text = path.read_text(encoding="utf-8")
        assert before in text
        path.write_text(text.replace(before, after), encoding="utf-8")
        await _until(
            pilot,
            lambda: store.runs == 2 and any(row.regressed for row in board.rows.values()),
            "regression",
        )
        await _until(pilot, lambda: store.is_looked_into, "look at what was saved")
        app.clear_notifications()
        yield pilot, app
        await pilot.press("q")


async def _until(pilot: Pilot[Any], condition: Callable[[], bool], what: str) -> None:
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                await pilot.pause(0.02)
    except TimeoutError:
        raise SystemExit(f"no {what} within {PATIENCE_S:g} s") from None


async def _shoot(pilot: Pilot[Any], app: DashboardApp) -> str:
    controller = app.dashboard.controller
    controller.pump.flush()
    controller.follow()
    await pilot.pause(0.3)  # What a case said is read from disk beside the screen.
    picture = _FONTS.sub("", app.export_screenshot(title="evaltui"))
    picture = _PADDED.sub(_without_blanks, picture.replace("Fira Code, monospace", _MONOSPACE))
    return "".join(f"{line.rstrip()}\n" for line in picture.splitlines() if line.strip())


def _without_blanks(text: re.Match[str]) -> str:
    """Blanks in front become an offset: some viewers swallow them."""
    place = float(text[1]) + text[4].count("&#160;") * CELL
    length = cell_len(unescape(text[5])) * CELL
    return f' x="{place:g}" {text[2]} textLength="{length:g}"{text[3]}>{text[5]}<'


async def make(folder: Path) -> dict[str, str]:
    made: dict[str, str] = {}
    for number, series in enumerate((pictures, pictures_of_a_save, pictures_of_a_trace)):
        project = folder / str(number) / "shop"
        ignored = shutil.ignore_patterns(".evaltui", "results", "baselines")
        shutil.copytree(ROOT / "sample_evals", project, ignore=ignored)
        made |= {name: picture async for name, picture in series(project)}
    return made


def main() -> None:
    images = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images"
    images.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, picture in asyncio.run(make(Path(folder))).items():
            path = images / f"{name}.svg"
            path.write_text(picture, encoding="utf-8")
            print(path.name)


if __name__ == "__main__":
    main()
