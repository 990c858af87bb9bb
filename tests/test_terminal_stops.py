"""A dashboard that is stopped by somebody else, and goes on: it hears keys, and leaves well."""

import os
import signal
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

import termios

from tests.sample_project import copy_samples
from tests.terminal import Terminal, terminal
from tests.test_terminal import ALTERNATE, is_clean

pytestmark = pytest.mark.slow

LOCAL = 3
"""Place of the local modes, `ECHO` and `ICANON` among them, in what termios tells."""


def local_modes(shown: Terminal) -> int:
    return int(termios.tcgetattr(shown._fd)[LOCAL])


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGTSTP])
def test_what_a_stop_found_is_set_again_and_what_was_at_the_start_in_the_end(
    tmp_path: Path, number: signal.Signals
) -> None:
    with terminal(copy_samples(tmp_path / "samples")) as shown:
        before = local_modes(shown)
        assert before & termios.ECHO
        shown.shows("2 Cases 46", "WATCH")
        in_use = local_modes(shown)
        assert not in_use & (termios.ECHO | termios.ICANON)
        os.kill(shown.pid, number)
        shown.until(lambda: os.waitpid(shown.pid, os.WUNTRACED | os.WNOHANG)[0] == shown.pid)
        while shown.read():
            pass
        # As a shell that edits a line leaves it, and a screen that holds something else.
        mangled = termios.tcgetattr(shown._fd)
        mangled[LOCAL] = in_use | termios.ICANON
        termios.tcsetattr(shown._fd, termios.TCSANOW, mangled)
        shown.modes[ALTERNATE] = False
        shown.screen.reset()
        os.kill(shown.pid, signal.SIGCONT)
        shown.until(lambda: shown.modes[ALTERNATE] and local_modes(shown) == in_use)
        shown.shows("2 Cases 46")
        shown.press("?")
        shown.shows("Esc closes")
        shown.press("\x1b")
        shown.until(lambda: "Esc closes" not in shown.text)
        shown.press("q")
        assert shown.ends() == 0
        assert local_modes(shown) == before
    assert is_clean(shown)
