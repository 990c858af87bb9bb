"""One process runs in a folder; the lock is free as soon as it is gone, however it went."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evaltui.disk.runner_lock import FILE, RunnerLock

HOLD = """
import sys, time
from pathlib import Path
from evaltui.disk.runner_lock import RunnerLock
lock = RunnerLock(Path(sys.argv[1]))
print(lock.take(), flush=True)
time.sleep(60)
"""


Make = Callable[[Path], RunnerLock]


@pytest.fixture
def make() -> Iterator[Make]:
    """Locks that are released at the end."""
    made: list[RunnerLock] = []

    def lock(folder: Path) -> RunnerLock:
        made.append(RunnerLock(folder))
        return made[-1]

    yield lock
    for one in made:
        one.release()


def test_one_at_a_time(tmp_path: Path, make: Make) -> None:
    first, second = make(tmp_path / "new"), make(tmp_path / "new")
    assert (first.take(), second.take()) == (True, False)
    assert (first.take(), first.is_held, second.is_held) == (True, True, False)
    runner = second.holder()
    assert runner is not None and runner.pid == os.getpid()
    first.release()
    assert (second.take(), first.take()) == (True, False)


def test_what_a_longer_name_left_is_not_read(tmp_path: Path, make: Make) -> None:
    lock, waiting = make(tmp_path), make(tmp_path)
    (tmp_path / FILE).write_text('{"pid":1,"host":"' + "x" * 200 + '","since":0}')
    assert lock.take() and not waiting.take()
    runner = waiting.holder()
    assert runner is not None and runner.pid == os.getpid()


def test_who_holds_it_may_not_have_said_so_yet(tmp_path: Path, make: Make) -> None:
    lock, waiting = make(tmp_path), make(tmp_path)
    assert lock.take() and not waiting.take()
    for half in ("", '{"pid":47', "null"):
        (tmp_path / FILE).write_text(half)
        assert waiting.holder() is None


def test_where_it_cannot_be_written_nobody_is_kept_from_running(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    lock = RunnerLock(tmp_path / "file")
    assert lock.take()
    lock.release()


def test_a_killed_process_leaves_no_lock(tmp_path: Path, make: Make) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "True\n"
        lock = make(tmp_path)
        assert not lock.take()
        runner = lock.holder()
        assert runner is not None and runner.pid == process.pid
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert lock.take()
