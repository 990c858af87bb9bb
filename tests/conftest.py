"""What all tests share."""

import faulthandler
import gc
import os
import shutil
import signal
from collections.abc import Generator, Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import settings

LONGEST_ID = 60
LONGEST_CLEARING_S = 60.0
"""How long a test may take to clear up, and one that hears no signal beyond its time limit."""
STDERR = os.dup(2)  # pytest's capturing hands tests another

# Tests are about what agents do, not about who agreed to them; those of tests/trust are without.
os.environ["EVALTUI_TRUST"] = "1"

# What is written is synced to its disk, for which most tests would wait longest. A folder in memory
# has no disk to wait for. A whole run takes 300 MB of it.
IN_MEMORY, LEAST_FREE = Path("/dev/shm"), 2 << 30
if os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free > LEAST_FREE:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))

# A busy machine must not fail a rule: speed is shown in benchmarks/, as a ratio.
settings.register_profile("evaltui", deadline=None)
settings.load_profile("evaltui")


def pytest_make_parametrize_id(
    config: pytest.Config,  # noqa: ARG001
    val: object,
    argname: str,
) -> str | None:
    """Short names for long values: a test's name stands in the environment of what it starts."""
    if isinstance(val, str | bytes) and len(val) > LONGEST_ID:
        data = val.encode("utf-8", "surrogatepass") if isinstance(val, str) else val
        return f"{argname}-{len(val)}-{sha256(data).hexdigest()[:6]}"
    return None


def pytest_collection_finish() -> None:
    """Thousands of tests and what they import stay to the end: a look for garbage, of which each
    dashboard made several, need not go through them. A sixth of the processor's time of its tests.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(autouse=True)
def signals_as_before() -> Iterator[None]:
    """A dashboard that ran in this process took the signals for itself, and whoever comes next
    would end with the whole process."""
    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGCONT", "SIGURG")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    yield
    for number, handler in before.items():
        if handler is not None and signal.getsignal(number) is not handler:
            signal.signal(number, handler)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """A call that hears no signal is ended with its process, whose stacks are then printed."""
    marker = item.get_closest_marker("timeout")
    limit = float(marker.args[0] if marker and marker.args else item.config.getini("timeout"))
    yield from _ended_after(limit + LONGEST_CLEARING_S)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown() -> Generator[None, None, None]:
    """The time limit of a test rings once: what then waits on while clearing up would for good."""
    yield from _ended_after(LONGEST_CLEARING_S)


def _ended_after(seconds: float) -> Generator[None, None, None]:
    faulthandler.dump_traceback_later(seconds, exit=True, file=STDERR)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
