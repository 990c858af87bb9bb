"""The program in a real terminal: started, used, left, killed."""

import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sample_project import FIND_ORDER, copy_samples
from tests.terminal import EVALTUI, Terminal, plain_environment, terminal
from tests.test_line import CASE, EXPECTED, WRONG

MOUSE = (1000, 1002, 1003, 1006, 1015)
CURSOR, ALTERNATE, PASTE = 25, 1049, 2004


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


@pytest.mark.parametrize(
    "moment",
    [0.7, *(pytest.param(at, marks=pytest.mark.slow) for at in (0.05, 0.4, 0.9, 1.1, 1.4))],
)
def test_whatever_was_shown_as_finished_survives_a_kill(samples: Path, moment: float) -> None:
    with terminal(samples) as shown:
        end = time.monotonic() + moment
        while time.monotonic() < end:
            shown.read(0.01)
        shown.kill()
        text = shown.text
    known = {name for name in case_names(samples) if shows_result(text, name)}
    with terminal(samples, "--theme", "light") as again:
        again.shows("2 Cases 46", limit_s=30)
        again.until(lambda: "WATCH" in again.lines[0])
        while again.read(0.02):
            pass  # the rest of this frame
        assert not {name for name in known if not shows_result(again.text, name)}
        again.press("q")
        assert again.ends() == 0
    assert is_clean(again)


def case_names(root: Path) -> Iterator[str]:
    for path in sorted((root / "evals").glob("*.json")):
        cases = json.loads(path.read_text()).get("cases", ())
        yield from (case.get("id") or case["case_id"] for case in cases)


def shows_result(text: str, case: str) -> bool:
    """Whether the row of a case has a verdict; the detail's title names a case too."""
    rows = [line.split(case)[0].rpartition("┃")[2] for line in text.splitlines() if case in line]
    return any("✓" in before or "✗" in before for before in rows)


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
