"""A terminal that is gone is noticed without a signal, a paint or a key."""

import errno
import signal
import sys
from pathlib import Path
from queue import Queue
from threading import Event, Thread, excepthook

import pytest

from evaltui.process import mend_thread
from tests.terminal import Terminal

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

from textual.drivers._writer_thread import WriterThread

from evaltui.tui.terminal.terminal_hangup import PAINTER

IDLE = """
import contextlib, os, sys, threading
from evaltui.tui.terminal.terminal_hangup import watch_for_hangup
watch_for_hangup(lambda: os._exit(7))
with contextlib.suppress(OSError):  # it may be gone before all of it is written
    print("ready", flush=True)
threading.Event().wait()
"""


def test_the_end_of_the_terminal_is_heard_where_sighup_is_not() -> None:
    signal_before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        shown = Terminal([sys.executable, "-c", IDLE], Path(__file__).parents[3])
    finally:
        signal.signal(signal.SIGHUP, signal_before)
    try:
        shown.shows("ready")
        shown.hang_up()
        assert shown.ends(20) == 7
    finally:
        shown.close()


class Gone:
    """A terminal that takes nothing until somebody mends it."""

    def __init__(self) -> None:
        self.is_gone = True
        self.taken: Queue[str] = Queue()

    def write(self, text: str) -> None:
        if self.is_gone:
            raise OSError(errno.EIO, "gone")
        self.taken.put(text)

    def flush(self) -> None:
        pass

    def mend(self) -> None:
        self.is_gone = False


def test_whoever_paints_is_not_kept_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("threading.excepthook", excepthook)
    file, is_painted = Gone(), Event()
    mend_thread(PAINTER, file.mend)
    painter = WriterThread(file)  # type: ignore[arg-type]

    def paint() -> None:
        for number in range(200):
            painter.write(str(number))
        is_painted.set()

    painter.start()
    Thread(target=paint, daemon=True).start()
    assert is_painted.wait(20)
    painter.stop()
    assert not painter.is_alive()
    assert file.taken.qsize() >= 199, "one was lost with the terminal"
