"""Tries patterns in a process of its own; run as a script, it needs nothing of evaltui.

Requests on stdin are marshalled `(pattern, text, limit in seconds, is Python's)`, both as
`utf16_pattern.py` makes them unless the pattern is one of Python's, replies on stdout `True`,
`False` or, for a pattern that does not compile, the complaint; before the first one it says `None`,
once it has started. The process ends with its stdin.
"""

import marshal
import sys
from typing import Any


def serve(library: str) -> None:
    """Answer until stdin ends; `library` is the folder that holds `regress`."""
    sys.path.append(library)
    import re

    import regress

    compiled: dict[tuple[str, bool], Any] = {}
    requests, replies = sys.stdin.buffer, sys.stdout.buffer
    start_watch, stop_watch = _watch()
    marshal.dump(None, replies)
    replies.flush()
    while True:
        try:
            pattern, text, limit, is_python = marshal.load(requests)
        except EOFError:
            return
        start_watch(limit)
        try:
            find = compiled.get((pattern, is_python))
            if find is None:
                if len(compiled) >= 500:
                    compiled.clear()
                find = re.compile(pattern).search if is_python else regress.Regex(pattern).find
                compiled[pattern, is_python] = find
            reply: bool | str = find(text) is not None
        except (regress.RegressError, re.error, OverflowError, RecursionError) as error:
            reply = str(error) or "it does not compile"
        stop_watch()
        marshal.dump(reply, replies)
        replies.flush()


def _watch() -> Any:
    """Start and stop a limit that ends this process even while the engine holds the GIL.

    That way a process whose parent was killed cannot spin on.
    """
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
        timer, which = signal.setitimer, signal.ITIMER_REAL
        return (lambda limit: timer(which, limit)), (lambda: timer(which, 0))
    import faulthandler
    import os
    from pathlib import Path

    nowhere = Path(os.devnull).open("w")  # noqa: SIM115  (stays open as long as the process)
    return (
        lambda limit: faulthandler.dump_traceback_later(limit, exit=True, file=nowhere)
    ), faulthandler.cancel_dump_traceback_later


if __name__ == "__main__":
    serve(sys.argv[1])
