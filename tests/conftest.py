"""What all tests share."""

import faulthandler
import gc
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import settings

LONGEST_ID = 60
LONGEST_CLEARING_S = 60.0
"""How long a test may take to clear up, and one that hears no signal beyond its time limit."""
INEXACT_S = 5.0
stderr: list[int] = []
"""Where stacks are printed: what was there before pytest's capturing handed tests another."""

# Tests are about what agents do, not about who agreed to them; those of tests/trust are without.
os.environ["EVALTUI_TRUST"] = "1"

# Hundreds of tests start evaltui: where nothing compiled is kept, each of them compiles it anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# What is written is synced to its disk, for which most tests would wait longest. A folder in memory
# has no disk to wait for. A whole run takes 300 MB of it.
IN_MEMORY, LEAST_FREE = Path("/dev/shm"), 2 << 30
if os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free > LEAST_FREE:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))

# A busy machine must not fail a rule: speed is shown in benchmarks/, as a ratio.
settings.register_profile("evaltui", deadline=None, max_examples=25)
settings.register_profile("thorough", deadline=None, max_examples=40)
settings.load_profile("evaltui")


def pytest_configure() -> None:
    gc.disable()  # a sixth of the processor's time of collecting the tests
    stderr.append(os.dup(2))  # while this module is loaded all of it is captured already
    # What is ignored here, what tests start would ignore as well.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started in a shell's background
        signal.signal(signal.SIGINT, signal.default_int_handler)
    hangup = getattr(signal, "SIGHUP", None)
    if hangup is not None and signal.getsignal(hangup) is signal.SIG_IGN:  # started by `nohup`
        signal.signal(hangup, lambda *_: None)  # which keeps us, and is not handed on


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
    gc.enable()


@pytest.fixture(autouse=True, scope="session")
def own_config_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What a test agrees to is forgotten with the run, and is not the user's: names of temporary
    folders come again, and a project of the next run would be trusted from the start."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("config")
        patch.setenv("XDG_CONFIG_HOME", str(folder))
        yield folder


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


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """A call that hears no signal is ended with its process, whose stacks are then printed."""
    marker = item.get_closest_marker("timeout")
    limit = float(marker.args[0] if marker and marker.args else item.config.getini("timeout"))
    _end_after(limit + LONGEST_CLEARING_S)


def pytest_exception_interact() -> None:
    ends_at[0] = 0.0  # pytest calls it off itself


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown() -> None:
    """The time limit of a test rings once: what then waits on while clearing up would for good."""
    if not ends_at[0]:
        _end_after(LONGEST_CLEARING_S)


def pytest_sessionfinish() -> None:
    faulthandler.cancel_dump_traceback_later()


ends_at = [0.0]
"""When the process is ended, by `time.monotonic`; 0.0 for not at all."""


def _end_after(seconds: float) -> None:
    """Or up to `INEXACT_S` later: each change of it starts a thread and waits for one to end, which
    on a busy machine takes longer than most tests."""
    end = time.monotonic() + seconds
    if not end <= ends_at[0] <= end + INEXACT_S:
        faulthandler.dump_traceback_later(seconds + INEXACT_S, exit=True, file=stderr[0])
        ends_at[0] = end + INEXACT_S
