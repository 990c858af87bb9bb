"""Whole or not at all, and never outside the folder."""

import os
import resource
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.errors import UserError
from evaltui.disk.atomic import TEMP_SUFFIX, safe_name, safe_path, sweep, write_atomic

WRITE_FOREVER = """
import sys
from pathlib import Path
from evaltui.disk.atomic import write_atomic
path = Path(sys.argv[1])
number = 0
print("ready", flush=True)
while True:
    number += 1
    write_atomic(path, str(number % 10).encode() * 400_000)
"""


def test_writes_and_replaces(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file.json"
    write_atomic(path, b"one")
    write_atomic(path, iter([b"tw", b"o"]))
    assert path.read_bytes() == b"two"
    assert [entry.name for entry in path.parent.iterdir()] == ["file.json"]


def test_keeps_permission_and_obeys_umask(tmp_path: Path) -> None:
    path = tmp_path / "file"
    before = os.umask(0o027)
    try:
        write_atomic(path, b"one")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o604)
    write_atomic(path, b"two")
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


def test_failure_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomic(path, b"old")

    def chunks() -> Iterator[bytes]:
        yield b"new"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_atomic(path, chunks())
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_full_disk_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomic(path, b"old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, limits[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            write_atomic(path, b"x" * 1_000_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_killed_in_the_middle_leaves_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for attempt in range(3):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITE_FOREVER, str(path)], stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        limit = time.monotonic() + 20
        while not path.exists() and time.monotonic() < limit:
            time.sleep(0.005)
        time.sleep(0.01 * attempt)
        process.kill()
        process.wait()
        process.stdout.close()
        data = path.read_bytes()
        assert len(data) == 400_000
        assert data == data[:1] * 400_000
    sweep(tmp_path, older_than_s=-1)
    assert list(tmp_path.iterdir()) == [path]


def test_sweep_leaves_young_files(tmp_path: Path) -> None:
    young = tmp_path / f".0011{TEMP_SUFFIX}"
    young.write_bytes(b"in use")
    old = tmp_path / f".0022{TEMP_SUFFIX}"
    old.write_bytes(b"left")
    os.utime(old, (1, 1))
    assert sweep(tmp_path) == 1
    assert young.exists()
    assert not old.exists()


@pytest.mark.parametrize("name", ["get_weather", "run-1.json", "a b", "日本語", "a@b+c"])
def test_safe_names_stay(name: str) -> None:
    assert safe_name(name) == name


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../../etc/passwd", "a/b", "a\\b", "nul", "COM1.json", "a\0b", "x." * 99],
)
def test_unsafe_names_change(name: str) -> None:
    safe = safe_name(name)
    assert safe != name
    assert not set(safe) & set('/\\\0:*?"<>|')


@given(st.text(), st.text())
def test_safe_name_is_one_short_segment_of_its_own(left: str, right: str) -> None:
    safe = safe_name(left)
    assert Path("/folder", safe).parent == Path("/folder")
    assert ".." not in safe
    assert 0 < len(safe.encode()) <= 140
    assert safe.strip(" .") == safe
    assert (left == right) == (safe == safe_name(right))


def test_safe_path_refuses_links_that_lead_out(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "inside").symlink_to(tmp_path)
    with pytest.raises(UserError, match="symbolic link"):
        safe_path(folder, "inside", "file.json")
    assert safe_path(folder, "../../x").parent == folder
