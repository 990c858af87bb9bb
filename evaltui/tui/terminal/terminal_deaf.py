"""A terminal that is open but no longer read: leaving the dashboard does not wait for it.

Its reader is stopped, or hangs. Once its buffer is full Textual's thread that paints waits in a
write, the application waits for that thread, and nothing that is to be closed would be.
"""

import atexit
import os
import time
from collections.abc import Callable
from threading import Thread

from evaltui.process import interrupter
from evaltui.tui.terminal.terminal_hangup import PAINTER
from evaltui.tui.terminal.terminal_modes import opened_without_waiting, silence

LONGEST_DEAF_S = 1.5
_LOOK_EVERY_S = 0.1


def deafness_watcher(restore_terminal: Callable[[], None]) -> Callable[[], None]:
    """What is returned is called once the dashboard was told to end; call this on the main thread.

    What is painted goes nowhere once the terminal took nothing for so long, and at the very end it
    is tried once more to restore it.
    """
    try:
        terminal = opened_without_waiting(1)
    except (OSError, AttributeError):  # none, somebody else's, or that of Windows
        return lambda: None
    interrupt = interrupter(PAINTER)

    def watch() -> None:
        heard = time.monotonic()
        while time.monotonic() - heard < LONGEST_DEAF_S:
            if _takes_more(terminal):
                heard = time.monotonic()
            time.sleep(_LOOK_EVERY_S)
        atexit.register(restore_terminal)
        silence()
        interrupt()

    return lambda: Thread(target=watch, name="evaltui-deaf", daemon=True).start()


def _takes_more(terminal: int) -> bool:
    """Asked with a byte that terminals pass over. That there is room for one tells nothing: whoever
    writes may wait for room for more."""
    try:
        os.write(terminal, b"\0")
    except BlockingIOError:
        return False
    except OSError:
        return True  # it is gone, and whoever writes hears of that
    return True
