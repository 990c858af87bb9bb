"""One changed file, read by the program in this process: is something wrong with the answer?"""

import contextlib
import io
import json
import random
import shutil
import signal
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from evaltui.cli.main import run_command
from tests.mutated.files import KINDS, SCREEN, SETTLING, Kind
from tests.mutated.mutations import mutate

LIMIT_S = 5.0
"""Of the processor: an answer that takes longer is as bad as none."""
LONGEST_S = 30.0
"""By the clock, on a machine that does other things."""
LINED = ("check", "--json")
_NO_PLACE = ("registry-type", "no-such-file", "agent", "secret")


class Late(BaseException):
    """The limit passed; no handler of ours takes it for a mistake in a file."""


class Finding(Struct, frozen=True):
    seed: int
    kind: str
    what: str


def try_one(template: Path, place: Path, seed: int) -> Finding | None:
    """Change a file of a copy of `template` at `place`; what is wrong with the answer."""
    draw = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(template, place)
    if kind.settings:
        (place / "evaltui.toml").write_text(kind.settings, encoding="utf-8")
    for other in KINDS:
        if other.name in SETTLING and other.name not in (kind.name, kind.within):
            (place / other.path).unlink()
    target = min(place.glob(kind.path))
    target.write_bytes(mutate(draw, target.read_bytes()))
    started = time.monotonic()
    try:
        with _limit(LIMIT_S):
            wrong = _wrong(kind, place)
    except Late:
        where = "".join(traceback.format_stack(limit=3))
        wrong = f"no answer after {time.monotonic() - started:.0f} s\n{where}"
    except BaseException:
        wrong = f"raised\n{traceback.format_exc()[-1500:]}"
    return Finding(seed, kind.name, wrong) if wrong else None


def _wrong(kind: Kind, root: Path) -> str:
    if kind.command == SCREEN:
        from evaltui.disk.last_screen import read_last_screen

        read_last_screen(root / ".evaltui").config(root)
        return ""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run_command([*kind.command, "--trust", "-C", str(root)])
    said = err.getvalue()
    if code not in (0, 1, 2) or "Traceback" in said:
        return f"exit code {code}\n{said[-1500:]}"
    if code == 2 and not (said or out.getvalue()):
        return "exit code 2, and nothing said"
    if kind.command == LINED and out.getvalue():
        return _without_place(json.loads(out.getvalue())["problems"])
    return ""


def _without_place(problems: list[dict[str, object]]) -> str:
    """The first problem without a file, a place in it, or a way out."""
    for problem in problems:
        if not problem["hint"]:
            return f"no way out: {problem}"
        if not problem["file"] and problem["code"] not in _NO_PLACE:
            return f"no file: {problem}"
    return ""


@contextlib.contextmanager
def _limit(seconds: float) -> Iterator[None]:
    def late(*_: object) -> None:
        raise Late

    timers = {
        signal.SIGPROF: (signal.ITIMER_PROF, seconds),
        signal.SIGALRM: (signal.ITIMER_REAL, LONGEST_S),
    }
    before = {number: signal.signal(number, late) for number in timers}
    # That of a test is one of these: it goes on with what was left of it.
    left = {timer: signal.setitimer(timer, limit)[0] for timer, limit in timers.values()}
    try:
        yield
    finally:
        for number, (timer, _) in timers.items():
            signal.setitimer(timer, 0)
            signal.signal(number, before[number])
            signal.setitimer(timer, left[timer])
