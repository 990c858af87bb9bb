"""What touches the interpreter as a whole; no other module of our own process does.

What is done to be faster stays only as long as the benchmark that it names shows a gain.
"""

import atexit
import gc
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

LONGEST_END_S = 10.0
"""After a signal to end: by then everything is written, or nothing will ever be."""
LONGEST_TIDYING_S = 30.0
"""The same for a run: its servers may take several seconds each to end."""


def look_for_garbage_rarely() -> None:
    """Much is made here and little thrown away: look for cycles rarely, and not at all at the end.

    `benchmarks/startup.py`: without it `evaltui check` of the samples takes 1.27 times as much of
    the processor, `evaltui run` of them 1.29 times; most of that is the look at the end. With
    20,000 results a look at everything takes 26 ms, less than two frames.
    """
    gc.set_threshold(50_000, 20, 20)
    atexit.register(gc.freeze)


def look_for_no_garbage() -> Callable[[], None]:
    """Look for none until what is returned was called; call it whatever happens.

    `benchmarks/screen_start.py`: what a first frame needs is made once and stays, and one look at
    it all takes a twentieth of the processor's time until then.
    """
    if not gc.isenabled():
        return lambda: None
    gc.disable()
    return gc.enable


def answer_keys_soon() -> None:
    """Let the thread that reads keys have its turn 1 ms after a key came, not 5.

    `benchmarks/screen_keys.py`: a fifth of what a key may take while 1,000 results a second come.
    """
    sys.setswitchinterval(0.001)


def cancel_on_signals(heard: list[int]) -> None:
    """End the current task as on Ctrl+C when somebody else loses patience, e.g. a CI system, or the
    terminal is closed; the number of the SIGTERM or SIGHUP is added to `heard`.

    Whatever still holds the process after `LONGEST_TIDYING_S`, or when another SIGTERM comes, is
    left where it is; a hangup is told twice. What is ignored stays ignored: that is what `nohup`
    asks for.
    """
    import asyncio
    import os
    import signal
    from threading import Timer

    task = asyncio.current_task()
    if task is None:
        return

    def end(number: int) -> None:
        if not heard:
            last = Timer(LONGEST_TIDYING_S, os._exit, (128 + number,))
            last.daemon = True
            last.start()
        elif number == signal.SIGTERM:
            os._exit(128 + number)
        heard.append(number)
        task.cancel()

    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", None)):
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            with suppress(NotImplementedError, ValueError, RuntimeError):
                asyncio.get_running_loop().add_signal_handler(number, end, int(number))


@contextmanager
def tidying_at_signals() -> Iterator[None]:
    """At the first SIGTERM or SIGHUP raise SystemExit wherever we are, so that what was begun is
    removed; at another one leave at once. What is ignored stays ignored.

    For what may take long without the event loop having its turn.
    """
    import signal

    def end(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        raise SystemExit(128 + number)

    before: dict[int, Any] = {}
    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", None)):
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            with suppress(ValueError):  # only the main thread may
                before[number] = signal.signal(number, end)
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def end_on_signals(
    end: Callable[[int], None],
    restore_terminal: Callable[[], None],
    on_signal: Callable[[], None] = lambda: None,
    *,
    longest_s: float = LONGEST_END_S,
    further: int = 1,
) -> Callable[[], None]:
    """Call `end` on the running loop with the number of the first SIGTERM, SIGINT or SIGHUP, and
    `on_signal` before that: the loop may be held up.

    What is returned does as SIGHUP would, from any thread, also where that is ignored.

    So many `further` ones leave at once with 128 + the last one's number, and so does the first if
    the process is still there after `longest_s`. A hangup is told by the kernel and by the shell:
    one after another does not count. What is ignored stays ignored: that is what `nohup` asks for.
    """
    import asyncio
    import os
    import signal
    from contextvars import copy_context
    from threading import Timer

    loop = asyncio.get_running_loop()
    # A signal comes in the middle of any task: `end` would be taken for a part of it, and could
    # not wait for it.
    context = copy_context()
    hangup = getattr(signal, "SIGHUP", None)
    heard: list[int] = []

    def leave(number: int) -> None:
        restore_terminal()
        os._exit(128 + number)

    def leave_late(number: int) -> None:
        last = Timer(longest_s, leave, (number,))
        last.daemon = True
        last.start()

    def take(number: int, _: object) -> None:
        if loop.is_closed():
            os._exit(128 + number)  # the terminal is as before, and a few last words go unsaid
        if not heard:
            heard.append(number)
            if number == hangup:
                # It is followed by SIGCONT, at which Textual would open the terminal that is gone.
                signal.signal(signal.SIGCONT, signal.SIG_IGN)
            leave_late(number)
            on_signal()
            loop.call_soon_threadsafe(end, number, context=context)
        elif number != hangup:
            heard.append(number)
            if len(heard) > further:
                leave(number)

    def hang_up() -> None:
        number = int(hangup or signal.SIGTERM)
        leave_late(number)  # here, since the loop may hear of it never
        with suppress(RuntimeError):  # it has ended already
            loop.call_soon_threadsafe(take, number, None)

    # At a second SIGINT asyncio would raise wherever we are, halfway out of the terminal too.
    for number in (signal.SIGTERM, signal.SIGINT, hangup):
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, take)
    return hang_up


def around_handler(number: int, ours: Callable[[Callable[[], None]], None]) -> None:
    """Have `ours` called for a signal, with what calls the handler that there was."""
    import signal

    theirs = signal.getsignal(number)
    if callable(theirs):
        known = theirs
        signal.signal(number, lambda got, frame: ours(lambda: known(got, frame)))


def interrupter(name: str) -> Callable[[], None]:
    """What has a thread of that name try again, from any thread, what the system keeps it waiting
    in: its file may be another one now. On the main thread."""
    import signal

    number = getattr(signal, "SIGURG", None)
    if number is None or signal.getsignal(number) is not signal.SIG_DFL:
        return lambda: None
    signal.signal(number, lambda *_: None)  # what is ignored interrupts nothing

    def interrupt() -> None:
        for thread in threading.enumerate():
            if thread.name == name and thread.ident is not None:
                with suppress(OSError):  # it has ended meanwhile
                    signal.pthread_kill(thread.ident, number)

    return interrupt


def mend_thread(name: str, mend: Callable[[], None]) -> None:
    """Have a thread of that name that an OSError ends call `mend` and then begin again."""
    before = threading.excepthook

    def hook(failed: threading.ExceptHookArgs) -> None:
        thread = failed.thread
        if thread is None or thread.name != name or not isinstance(failed.exc_value, OSError):
            before(failed)
            return
        mend()
        thread.run()

    threading.excepthook = hook
