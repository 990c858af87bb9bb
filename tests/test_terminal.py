"""The program in a real terminal: started, used, left, killed."""

import json
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest

from evaltui.disk.journal.journal_reading import finished_in
from evaltui.tui.render.case_columns import LEAD
from tests.sample_project import FIND_ORDER, copy_samples
from tests.terminal import EVALTUI, Terminal, plain_environment, terminal
from tests.test_line import CASE, EXPECTED, WRONG

pytestmark = pytest.mark.slow

MOUSE = (1000, 1002, 1003, 1006, 1015)
CURSOR, ALTERNATE, PASTE = 25, 1049, 2004
ALL_IN_SIGHT = (160, 55)
"""A terminal that no row of the samples is pushed out of when their order changes."""
LAST = "gs-track-parcel-004"
"""It runs after all others."""
OWED = 'Is article "Oak Shelf" available?'


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    return copy_samples(tmp_path / "samples")


def edit(root: Path, before: str, after: str) -> None:
    path = root / FIND_ORDER
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))


def is_clean(shown: Terminal) -> bool:
    """Nothing of the dashboard is left switched on in the terminal."""
    modes = shown.modes
    off = (ALTERNATE, PASTE, *MOUSE)
    return modes.get(CURSOR, True) and not any(modes.get(mode) for mode in off)


def test_a_save_reaches_the_screen_and_quitting_leaves_a_clean_terminal(samples: Path) -> None:
    with terminal(samples) as shown:
        shown.shows("2 Cases 46", "WATCH", CASE)
        shown.until(lambda: "✓" in shown.row(CASE))
        edit(samples, EXPECTED, WRONG)
        shown.until(lambda: "✗" in shown.row(CASE))
        shown.until(lambda: "1 judged again · 1 worse" in shown.lines[0])
        assert shown.modes[ALTERNATE]
        shown.press("q")
        assert shown.ends() == 0
        exit_summary = shown.after_dashboard.decode().split("\x1b[?1049l")[-1]
    assert is_clean(shown)
    words = [line for line in exit_summary.splitlines() if line.strip("\x1b[?0123456789;<>hlmu \r")]
    assert 3 <= len(words) <= 20
    assert any("35 passed, 10 failed" in line for line in words)
    assert any("evaltui run" in line for line in words)
    assert any("evals/results" in line for line in words)


@pytest.mark.parametrize(
    "size",
    [(60, 20), *(pytest.param(size, marks=pytest.mark.slow) for size in ((100, 30), (80, 24)))],
)
def test_smaller_terminals(samples: Path, size: tuple[int, int]) -> None:
    with terminal(samples, size=size) as shown:
        shown.shows("2 Cases 46", "? help")
        shown.press("q")
        assert shown.ends() == 0
    assert is_clean(shown)


def test_ctrl_c_twice_quits_cleanly(samples: Path) -> None:
    with terminal(samples) as shown:
        shown.shows("2 Cases 46", "WATCH")
        shown.press("\x03")
        shown.read(0.2)
        shown.press("\x03")
        assert shown.ends() == 0
    assert is_clean(shown)


def test_no_terminal_means_plain_output(samples: Path) -> None:
    done = subprocess.run(
        EVALTUI, cwd=samples, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 1
    assert "\x1b" not in done.stdout
    assert "gs-find-order-001" in done.stdout


def test_what_a_run_shows_on_its_way_survives_a_kill(samples: Path) -> None:
    with agent_that_owes_an_answer() as url:
        known = killed_when(
            samples, lambda shown: shows_result(shown, LAST), "--agent", url, "--concurrency", "2"
        )
    assert {LAST} < known < set(case_names(samples))


@pytest.mark.parametrize("moment", [0.05, 0.4, 0.7, 0.9, 1.1, 1.4])
def test_whatever_was_shown_as_finished_survives_a_kill(samples: Path, moment: float) -> None:
    end = time.monotonic() + moment
    killed_when(samples, lambda _: time.monotonic() >= end)


def killed_when(samples: Path, is_now: Callable[[Terminal], bool], *arguments: str) -> set[str]:
    """Kill a dashboard, and open another one: what was shown is there, and is not run again.

    Returns the cases that were shown as finished.
    """
    with terminal(samples, *arguments, size=ALL_IN_SIGHT) as shown:
        shown.until(lambda: is_now(shown))
        shown.kill()
    known = {name for name in case_names(samples) if shows_result(shown, name)}
    assert known <= journaled(samples).keys()
    with terminal(samples, "--theme", "light", *arguments, size=ALL_IN_SIGHT) as again:
        again.shows("2 Cases 46", limit_s=30)
        again.until(lambda: "WATCH" in again.lines[0])
        again.until(lambda: all(shows_result(again, name) for name in known))
        again.press("q")
        assert again.ends() == 0
    assert is_clean(again)
    assert not {name for name, runs in journaled(samples).items() if runs > 1} & known
    return known


@contextmanager
def agent_that_owes_an_answer() -> Iterator[str]:
    """The address of an agent that answers every message but that of one case."""
    is_over = Event()

    class Answering(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if asked["message"] == OWED:
                is_over.wait()
            data = b'{"response": "", "toolCalls": []}'
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            with suppress(OSError):  # whoever asked was killed
                self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        serving = Thread(target=server.serve_forever, args=(0.01,))
        serving.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/chat"
        finally:
            is_over.set()
            server.shutdown()
            serving.join()


def case_names(root: Path) -> Iterator[str]:
    for path in sorted((root / "evals").glob("*.json")):
        cases = json.loads(path.read_text()).get("cases", ())
        yield from (case.get("id") or case["case_id"] for case in cases)


def journaled(root: Path) -> Counter[str]:
    """Of how many runs each case's result stands in a journal."""
    paths = (root / ".evaltui" / "runs").glob("*.jsonl")
    return Counter(key.case for path in paths for key in finished_in(path))


def shows_result(shown: Terminal, case: str) -> bool:
    """Whether the row of a case has a verdict: at its place, since other panes show such marks."""
    before = (line.partition(case)[0][-LEAD:] for line in shown.lines if case in line)
    return any(len(cells) == LEAD and cells[2] in "✓✗" for cells in before)


@pytest.mark.external
@pytest.mark.skipif(not (shutil.which("tmux") and shutil.which("vim")), reason="needs tmux and vim")
def test_saving_with_vim_beside_the_dashboard_in_tmux(samples: Path, tmp_path: Path) -> None:
    socket = str(tmp_path / "tmux")

    def tmux(*words: str) -> str:
        command = ["tmux", "-S", socket, "-f", "/dev/null", *words]
        return subprocess.run(
            command, capture_output=True, text=True, check=True, env=plain_environment()
        ).stdout

    def waits_for(pane: str, *texts: str) -> str:
        end = time.monotonic() + 20
        while True:
            text = tmux("capture-pane", "-p", "-t", pane)
            if all(word in text for word in texts):
                return text
            assert time.monotonic() < end, text
            time.sleep(0.05)

    command = " ".join(EVALTUI)
    tmux("new-session", "-d", "-s", "t", "-x", "160", "-y", "45", "-c", str(samples), command)
    try:
        waits_for("t:0", "2 Cases 46", "WATCH")
        tmux("new-window", "-d", "-t", "t:1", "-c", str(samples), "vim", "-u", "NONE", FIND_ORDER)
        waits_for("t:1", '"metadata"')
        tmux("send-keys", "-t", "t:1", ":%s/What is in order/Show me order/ | w", "Enter")
        # What the save reached is said until it has run; what it did is said from then on.
        waits_for("t:0", "find_order.golden.json gs-find-order-001 message  1 ran ·")
        tmux("send-keys", "-t", "t:1", ":q", "Enter")
        tmux("send-keys", "-t", "t:0", "q")
    finally:
        subprocess.run(["tmux", "-S", socket, "kill-server"], capture_output=True, check=False)
