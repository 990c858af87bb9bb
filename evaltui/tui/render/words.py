"""Numbers and times in the few characters a line has for them."""

import time

from evaltui.core.case import Case
from evaltui.core.events import RunEnd
from evaltui.core.response import Usage
from evaltui.core.trace_times import took

ENDED = {
    RunEnd.COMPLETED: "",
    RunEnd.CANCELLED: "cancelled",
    RunEnd.SUPERSEDED: "superseded",
    RunEnd.UNDONE: "undone",
    RunEnd.LOST: "was killed",
}
"""How a run that did not come to its end ended."""
AGO = " ago"


def duration(milliseconds: float) -> str:
    """`<1ms`, `12ms`, `1.4s`, `2m05`; at most 5 characters up to 99 minutes."""
    if 0 < milliseconds < 0.5:
        return "<1ms"
    if milliseconds < 999.5:
        return f"{milliseconds:.0f}ms"
    seconds = milliseconds / 1000
    if seconds < 99.95:
        return f"{seconds:.1f}s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}m{rest:02d}"


def duration_of(case: Case, milliseconds: float) -> str:
    """Of a result of the case; empty where its trace tells no time."""
    known = took(case, milliseconds)
    return "" if known is None else duration(known)


def clock(seconds: float) -> str:
    """`00:07`, `12:40`, `1:02:03`."""
    whole = max(0, int(seconds))
    hours, rest = divmod(whole, 3600)
    return (
        f"{hours}:{rest // 60:02d}:{rest % 60:02d}"
        if hours
        else f"{rest // 60:02d}:{rest % 60:02d}"
    )


def span(seconds: float) -> str:
    """`4s`, `3m`, `2h`, `5d`, `12w`, `3y`; at most 3 characters."""
    if seconds < 60:
        return f"{max(0, round(seconds))}s"
    for size, unit in ((3600, "m"), (86_400, "h")):
        if seconds < size:
            return f"{int(seconds // (size // 60 if unit == 'm' else 3600))}{unit}"
    days = int(seconds // 86_400)
    return f"{days}d" if days < 70 else f"{days // 7}w" if days < 700 else f"{days // 365}y"


def ago(seconds: float) -> str:
    """`4m ago`; what is still to come was just now."""
    return span(seconds) + AGO


def moment_of(at: float, now: float) -> str:
    """`18:04` today, else `3 Nov 18:04`; both in seconds since the epoch."""
    then, today = time.localtime(at), time.localtime(now)
    day = "" if then[:3] == today[:3] else f"{then.tm_mday} {time.strftime('%b', then)} "
    return day + time.strftime("%H:%M", then)


def tokens(usage: Usage) -> str:
    """`1,200 tokens in, 30 out`, with a dash for what is unknown; empty where none is known."""
    told = usage.told_tokens
    if not told:
        return ""
    if told.keys() == {"total_tokens"}:
        return f"{told['total_tokens']:,} tokens"
    put_in, out = (
        f"{told[key]:,}" if key in told else "—" for key in ("input_tokens", "output_tokens")
    )
    return f"{put_in} tokens in, {out} out"


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 case`, `3 cases`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
