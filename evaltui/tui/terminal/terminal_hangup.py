"""Notices that the terminal is gone, even if SIGHUP is ignored or never sent.

Textual knows no such end. Its thread that paints ends with the first write that fails, and once
thirty more wait for it the application waits with them; its thread that reads keys turns forever
at the end of the file, as long as the application lives.
"""

import os
import select
import sys
import time
from collections.abc import Callable
from threading import Thread

from evaltui.process import mend_thread

PAINTER = "textual-output"
"""Textual's name of the thread that paints."""
_KEY_EVERY_S = 0.1


def watch_for_hangup(hang_up: Callable[[], None]) -> None:
    """Call it, in a thread, once the terminal is gone; more than once is possible.

    What is painted from then on goes nowhere.
    """
    if sys.__stdin__ is None or not hasattr(select, "poll"):  # Windows
        return
    keyboard = sys.__stdin__.fileno()
    shown_on = tuple(number for number in (1, 2) if os.isatty(number))

    def let_go() -> None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for number in shown_on:
            os.dup2(nowhere, number)
        hang_up()

    def wait() -> None:
        poll = select.poll()
        poll.register(keyboard, 0)  # nothing but the end, which is told always
        ((_, events),) = poll.poll()
        if events & (select.POLLHUP | select.POLLERR):
            let_go()
            _type_little(keyboard)

    mend_thread(PAINTER, let_go)
    Thread(target=wait, name="evaltui-hangup", daemon=True).start()


def _type_little(keyboard: int) -> None:
    """Be the keyboard until the process ends: whoever reads it neither turns nor waits for long."""
    read_from, typed_into = os.pipe()
    os.dup2(read_from, keyboard)
    while True:
        os.write(typed_into, b"\0")
        time.sleep(_KEY_EVERY_S)
