"""Programs in a real pseudo-terminal whose output is clocked as it comes and drawn only afterwards.

The emulator needs longer for a frame than the dashboard: drawing while the clock runs would measure
the emulator. So patterns are looked for in the bytes, without their escape sequences.
"""

import contextlib
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median, quantiles

from benchmarks.servers import ROOT
from tests.terminal import UNKNOWN, Terminal

ESCAPE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|[P\]].*?(?:\x1b\\|\x07)|[@-Z\\-_=>])", re.DOTALL)
TEXTUAL = """
from textual.app import App
class Empty(App):
    count = 0
    def compose(self):
        from textual.widgets import Static
        yield Static("frame 0")
    def on_key(self):
        self.count += 1
        self.query_one("Static").update(f"frame {self.count}")
Empty().run()
"""
EMPTY_APP = (sys.executable, "-c", TEXTUAL)
"""The floor: Textual with one word on the screen, which changes with every key."""


class Clocked(Terminal):
    """One program at 160 × 45 cells; `mark` is where `plain` begins."""

    def __init__(self, command: Sequence[str], folder: Path = ROOT) -> None:
        self.mark = 0
        # Ours is compiled once, as an installed program is, wherever the environment forbids it.
        compiled = str(Path(tempfile.gettempdir(), "evaltui-benchmark"))
        environment = {"PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
        self.started = time.perf_counter()
        super().__init__(command, folder, environment=environment)

    def _take(self, piece: bytes) -> None:
        self.written += piece

    @property
    def plain(self) -> str:
        """What came since the mark, at most the last 200 KB of it."""
        return self._words(max(self.mark, len(self.written) - 200_000))

    @property
    def recent(self) -> str:
        """The last 100 KB, whatever the mark."""
        return self._words(max(0, len(self.written) - 100_000))

    def _words(self, begin: int) -> str:
        return ESCAPE.sub(b"", bytes(self.written[begin:])).decode("utf-8", "replace")

    def forget(self) -> None:
        self.mark = len(self.written)

    def clock(
        self, is_there: Callable[[str], object], limit_s: float = 60.0, token: str = ""
    ) -> float:
        """`time.perf_counter` at which the piece came that makes `is_there(plain)` true.

        Before a `token` comes nothing is looked through: the reader must not lag behind.
        """
        end, sought = time.perf_counter() + limit_s, token.encode()
        while not (self.written.find(sought, self.mark) >= 0 and is_there(self.plain)):
            if time.perf_counter() > end or self._has_ended():
                raise TimeoutError(f"it never came:\n{self.plain[:1500]}")
            self.read(0.5)
        return self.read_at

    def _has_ended(self) -> bool:
        """Whether the program is gone and everything that it wrote has been read."""
        if self.status is None and (ended := os.waitpid(self.pid, os.WNOHANG))[0]:
            self.status = os.waitstatus_to_exitcode(ended[1])
        return self.status is not None and not self.read(0)

    def rest(self, seconds: float) -> None:
        """Read on for so long, so that the program never waits for its terminal."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self.read(left)

    def drawn(self) -> list[str]:
        """The screen after everything that was written; slow."""
        self._stream.feed(UNKNOWN.sub(b"", bytes(self.written)))
        return self.lines

    def quit(self) -> None:
        """Leave the dashboard as a person does; the history is closed then."""
        self.press("q")
        code = self.ends(60.0)
        if code:
            raise RuntimeError(f"ended with {code}:\n{self.plain[-2000:]}")

    @property
    def cpu_s(self) -> float:
        """Processor time of all its threads so far."""
        taken = 0
        for stat in Path(f"/proc/{self.pid}/task").glob("*/schedstat"):
            with contextlib.suppress(OSError):
                taken += int(stat.read_text().split()[0])
        return taken / 1e9

    @property
    def peak_mib(self) -> float:
        """Most resident memory each process of the tree ever had, added up."""
        return sum(_peak_kib(pid) for pid in _tree(self.pid)) / 1024


def _tree(pid: int) -> Iterator[int]:
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in children.read_text().split():
                yield from _tree(int(child))


def _peak_kib(pid: int) -> int:
    with contextlib.suppress(OSError):
        found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
        return int(found[1]) if found else 0
    return 0


@contextlib.contextmanager
def clocked(command: Sequence[str], folder: Path = ROOT) -> Iterator[Clocked]:
    shown = Clocked(command, folder)
    try:
        yield shown
    finally:
        shown.close()


def percentiles_line(name: str, times: Sequence[float], must: str = "") -> str:
    """`times` in seconds; the 99th percentile of fewer than 100 is between the two longest."""
    p99 = quantiles(times, n=100, method="inclusive")[98]
    line = f"  {name:<34} p50 {median(times) * 1000:6.1f} ms   p99 {p99 * 1000:6.1f} ms"
    return f"{line}   n {len(times):4}   {must and f'(must: {must})'}".rstrip()


def load() -> str:
    """What else the machine did."""
    return "load average " + " ".join(f"{value:.1f}" for value in os.getloadavg())
