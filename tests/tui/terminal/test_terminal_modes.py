"""Once the terminal is restored nothing is switched on in it again."""

import os
import sys
from pathlib import Path
from time import monotonic

from evaltui.tui.terminal import terminal_modes
from tests.terminal import Terminal

MODES = (1000, 1003, 1006, 1004, 1049, 2004)
PAINTING = """
import os, sys, threading
from evaltui.tui.terminal.terminal_modes import terminal_restorer

restore = terminal_restorer()
begun = threading.Event()

def paint():
    while True:
        for mode in {modes}:
            sys.__stderr__.write(f"\\x1b[?{{mode}}h")
            sys.__stderr__.flush()
        begun.set()

threading.Thread(target=paint, daemon=True).start()
begun.wait()
restore()
end = threading.Timer(0.05, os._exit, (0,))
end.start()
end.join()
"""


def test_what_is_painted_after_it_goes_nowhere(tmp_path: Path) -> None:
    shown = Terminal([sys.executable, "-c", PAINTING.format(modes=MODES)], tmp_path)
    try:
        assert shown.ends() == 0
        assert [mode for mode in MODES if shown.modes[mode]] == []
    finally:
        shown.close()


def test_a_terminal_that_takes_more_is_restored_however_late() -> None:
    there, here = os.pipe()
    terminal_modes._write_until(monotonic() - 1.0, here, b"last words")
    assert os.read(there, 99) == b"last words"
    os.close(here)
    os.close(there)
