"""What touches the interpreter as a whole; no other module does, programs beside us apart.

What is done to be faster stays only as long as the benchmark that it names shows a gain.
"""

import atexit
import gc
import sys
from contextlib import suppress


def look_for_garbage_rarely() -> None:
    """Much is made here and little thrown away: look for cycles rarely, and not at all at the end.

    `benchmarks/startup.py`: without it `evaltui check` of the samples takes 1.27 times as much of
    the processor, `evaltui run` of them 1.29 times; most of that is the look at the end. With
    20,000 results a look at everything takes 26 ms, less than two frames.
    """
    gc.set_threshold(50_000, 20, 20)
    atexit.register(gc.freeze)


def answer_keys_soon() -> None:
    """Let the thread that reads keys have its turn 1 ms after a key came, not 5.

    `benchmarks/screen_keys.py`: a fifth of what a key may take while 1,000 results a second come.
    """
    sys.setswitchinterval(0.001)


def cancel_on_sigterm() -> None:
    """End the current task as on Ctrl+C when somebody else loses patience, e.g. a CI system."""
    import asyncio
    import signal

    task = asyncio.current_task()
    if task is not None:
        with suppress(NotImplementedError, ValueError, RuntimeError):
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
