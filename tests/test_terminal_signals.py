"""A dashboard that is told to end: nothing is lost, and the terminal is as before."""

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaltui.disk.journal.journal_reading import read_events
from evaltui.process import LONGEST_END_S
from evaltui.tui.terminal.terminal_modes import LONGEST_LAST_WORDS_S
from tests.terminal import EVALTUI, Terminal, terminal
from tests.test_terminal import is_clean

pytestmark = pytest.mark.slow

AGENT = """
import time

def answer(message):
    time.sleep(0 if message == "quick" else {seconds})
    return "done"
"""
SETTINGS = """
agent = "slow"

[agents.slow]
type = "python"
function = "agent.py:answer"
is_free = true
"""
ROOT = Path(__file__).parent.parent
NEVER_CLOSED = """
import asyncio, sys
from pathlib import Path
from evaltui.core.config import Config
from evaltui.tui.start import run_dashboard
from tests.tui import scene
from tests.tui.fake_session import FakeSession

class Session(FakeSession):
    async def watch(self):
        await asyncio.Event().wait()

    async def close(self):
        Path(sys.argv[1], "closing").touch()
        await asyncio.Event().wait()

made = list(scene.opened(scene.suites(20, 4)))
sys.exit(run_dashboard(Session(config=Config(Path(sys.argv[1])), on_open=made)))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Two cases: the first is answered at once, the second not while somebody waits."""
    (tmp_path / "agent.py").write_text(AGENT.format(seconds=600))
    (tmp_path / "evaltui.toml").write_text(SETTINGS)
    cases = [
        {"id": f"gs-{word}-001", "input": {"message": word}, "expect": {"toolsCalled": ["look"]}}
        for word in ("quick", "slow")
    ]
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals" / "look.golden.json").write_text(json.dumps({"cases": cases}))
    return tmp_path


@pytest.fixture
def shown(project: Path) -> Iterator[Terminal]:
    """The dashboard in the middle of a run: one case has its result."""
    with terminal(project) as shown:
        shown.shows("2 Cases 2", "WATCH")
        shown.press("a")
        shown.until(lambda: "✗" in shown.row("gs-quick-001"))
        yield shown


def events(project: Path) -> list[str]:
    (journal,) = (project / ".evaltui" / "runs").glob("*.jsonl")
    return [type(event).__name__ for event in read_events(journal)]


@pytest.fixture(autouse=True)
def hearing() -> None:
    """Jobs in the background are started deaf to Ctrl+C, and so is what they start."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGTERM,
        pytest.param(signal.SIGINT, marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, marks=pytest.mark.slow),
    ],
)
def test_a_signal_ends_the_dashboard_as_q_does(
    shown: Terminal, project: Path, number: signal.Signals
) -> None:
    os.kill(shown.pid, number)
    assert shown.ends() == 128 + number
    assert is_clean(shown)
    assert "1 failed" in shown.after_dashboard.decode()
    assert {"CaseFinished", "RunFinished"} <= set(events(project)), "the run came to its end"
    assert list((project / "evals" / "results").glob("*.json")), "results are written"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_does_not_wait(tmp_path: Path, number: signal.Signals) -> None:
    shown = Terminal([sys.executable, "-c", NEVER_CLOSED, str(tmp_path)], ROOT)
    try:
        shown.shows("2 Cases 20")
        os.kill(shown.pid, number)
        shown.until((tmp_path / "closing").exists)
        assert not is_clean(shown)
        os.kill(shown.pid, number)
        assert shown.ends(LONGEST_END_S * 0.7) == 128 + number
        assert is_clean(shown)
    finally:
        shown.close()


@pytest.fixture
def deaf(project: Path) -> Iterator[Terminal]:
    """The dashboard before any run, started by somebody who ignores SIGHUP."""
    command = "trap '' HUP; exec \"$@\""
    shown = Terminal(["sh", "-c", command, "sh", *EVALTUI], project)
    try:
        shown.shows("2 Cases 2", "WATCH")
        yield shown
    finally:
        shown.close()


def closed(shown: Terminal) -> int:
    """Close the terminal; the exit code of what ran in it."""
    shown.hang_up()
    return shown.ends(20)


def test_a_terminal_that_is_closed_loses_nothing(shown: Terminal, project: Path) -> None:
    assert closed(shown) == 128 + signal.SIGHUP
    assert {"CaseFinished", "RunFinished"} <= set(events(project))


def test_nothing_is_lost_where_sighup_is_ignored_and_the_terminal_took_no_more(
    deaf: Terminal, project: Path
) -> None:
    deaf.press("a")
    deaf.until(lambda: "✗" in deaf.row("gs-quick-001"))
    deaf.press("\t" * 200)  # paints the whole screen as often, and nobody reads it
    assert closed(deaf) == 128 + signal.SIGHUP
    assert {"CaseFinished", "RunFinished"} <= set(events(project))


def test_sighup_alone_ends_nothing_where_it_is_ignored(deaf: Terminal) -> None:
    os.kill(deaf.pid, signal.SIGHUP)
    deaf.press("?")
    deaf.shows("Esc closes")
    assert deaf.status is None


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_terminal_that_takes_nothing_is_not_waited_for(
    shown: Terminal, project: Path, number: signal.Signals
) -> None:
    for _ in range(8):
        shown.press("\t" * 50)  # paints the whole screen as often, and nobody reads it
        time.sleep(0.02)
    os.kill(shown.pid, number)
    end = time.monotonic() + LONGEST_END_S * 0.7
    while not (found := os.waitpid(shown.pid, os.WNOHANG))[0]:
        assert time.monotonic() < end, "it did not end"
        time.sleep(0.02)
    shown.status = os.waitstatus_to_exitcode(found[1])
    assert shown.status == 128 + number
    assert {"CaseFinished", "RunFinished"} <= set(events(project)), "the run came to its end"


def test_a_second_signal_does_not_wait_for_such_a_terminal(shown: Terminal) -> None:
    for _ in range(8):
        shown.press("\t" * 50)
        time.sleep(0.02)
    os.kill(shown.pid, signal.SIGTERM)
    time.sleep(0.3)
    os.kill(shown.pid, signal.SIGTERM)
    end = time.monotonic() + 2 * LONGEST_LAST_WORDS_S
    while not (found := os.waitpid(shown.pid, os.WNOHANG))[0]:
        assert time.monotonic() < end, "it did not end"
        time.sleep(0.02)
    shown.status = os.waitstatus_to_exitcode(found[1])
    assert shown.status == 128 + signal.SIGTERM
