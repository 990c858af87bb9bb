"""How the dashboard leaves a terminal after a bug, and what it sends to one without colours."""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time
from pathlib import Path

import pytest

from tests.tui import scene

pytestmark = pytest.mark.slow

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

LIMIT_S = 40.0
PROGRAM = """
import sys
from pathlib import Path
from evaltui.core.config import Config
from evaltui.tui.start import run_dashboard
from tests.tui import scene
from tests.tui.fake_session import FakeSession

class Session(FakeSession):
    async def watch(self):
        if sys.argv[2] == "crash":
            raise ZeroDivisionError("a bug of our own")

made = list(scene.opened(scene.suites(20, 4)))
session = Session(config=Config(Path(sys.argv[1])), on_open=made)
sys.exit(run_dashboard(session))
"""


def played(folder: Path, mode: str, environment: dict[str, str]) -> tuple[int, str]:
    """Exit code and everything sent to the terminal; `q` is pressed once the rows are there."""
    root = Path(__file__).parent.parent
    pid, terminal = pty.fork()
    if pid == 0:
        kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        kept |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "PYTHONPATH": str(root)}
        os.execve(
            sys.executable,
            [sys.executable, "-c", PROGRAM, str(folder), mode],
            kept | environment,
        )
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 120, 0, 0))
    said, until, is_left = b"", time.monotonic() + LIMIT_S, False
    while time.monotonic() < until:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                part = os.read(terminal, 65536)
            except OSError:
                break
            if not part:
                break
            said += part
        if mode == "quit" and not is_left and b"Pariss" in said:
            is_left = True
            os.write(terminal, b"q")
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), said.decode("utf-8", "replace")


def test_a_bug_restores_the_terminal_and_names_what_is_kept(tmp_path: Path) -> None:
    kept = tmp_path / ".evaltui" / "runs" / "run-7.jsonl"
    kept.parent.mkdir(parents=True)
    kept.write_text("", "utf-8")
    code, said = played(tmp_path, "crash", {})
    assert code == 3
    entered, left = said.rfind("\x1b[?1049h"), said.rfind("\x1b[?1049l")
    assert 0 <= entered < left
    assert said.rfind("\x1b[?25h") > entered, "the cursor is shown again"
    assert said.rfind("\x1b[?1000l") > entered, "the mouse is let go of"
    after = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\s+", "", said[left:])
    assert "ZeroDivisionError" in after
    assert "abuginit" in after
    assert kept.name in after


COLOR = re.compile(r"\x1b\[(?:[\d;]*;)?(?:3[0-9]|4[0-9]|9[0-7]|10[0-7])(?:;[\d;]*)?m")


@pytest.mark.parametrize(("environment", "has_colors"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_no_color_is_obeyed(tmp_path: Path, environment: dict[str, str], has_colors: bool) -> None:
    code, said = played(tmp_path, "quit", environment)
    assert code == 0
    assert bool(COLOR.search(said)) is has_colors
    assert "✗" in said, "a verdict has a glyph beside its colour"
    if not has_colors:
        modes = {
            mode for found in re.findall(r"\x1b\[([\d;]+)m", said) for mode in found.split(";")
        }
        assert {"1", "2", "7"} <= modes, "bold, dim and reversed stand for what colours said"


def test_the_scene_has_a_failure_to_look_for() -> None:
    assert any(scene.status_of(index) is scene.F for index in range(20))
