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

from evaltui.cli.main import run_command
from evaltui.core.errors import UserError
from evaltui.disk.atomic import safe_name, safe_path, sweep, write_atomic
from evaltui.disk.whole_file import TEMP_SUFFIX
from tests.projects import make_project

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
    for left in {*tmp_path.iterdir()} - {path}:
        os.utime(left, (0.0, 0.0))  # long ago
    sweep(tmp_path)
    assert list(tmp_path.iterdir()) == [path]


def temporary(folder: Path, *, hours: float) -> Path:
    """One as a killed write leaves it, so long ago."""
    folder.mkdir(parents=True, exist_ok=True)
    left = folder / f".{os.urandom(8).hex()}{TEMP_SUFFIX}"
    left.write_bytes(b"half of it")
    at = time.time() - hours * 3600
    os.utime(left, (at, at))
    return left


def test_sweep_leaves_young_files(tmp_path: Path) -> None:
    young, old = temporary(tmp_path, hours=0.9), temporary(tmp_path, hours=1.1)
    assert sweep(tmp_path) == 1
    assert young.exists()
    assert not old.exists()


def test_sweep_takes_only_what_is_called_as_ours(tmp_path: Path) -> None:
    others = [f".mine{TEMP_SUFFIX}", f"0123456789abcdef{TEMP_SUFFIX}", ".0123456789abcdef.tmp"]
    for name in others:
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (1, 1))
    (tmp_path / f".0123456789abcdef{TEMP_SUFFIX}").mkdir()
    assert sweep(tmp_path, below=True) == 0
    assert len(list(tmp_path.iterdir())) == len(others) + 1


def test_sweep_goes_through_no_link(tmp_path: Path) -> None:
    elsewhere = temporary(tmp_path / "elsewhere", hours=2)
    own = tmp_path / "own"
    inside = temporary(own / "deep" / "er", hours=2)
    (own / "link").symlink_to(elsewhere.parent)
    linked = own / f".{'0' * 16}{TEMP_SUFFIX}"
    linked.symlink_to(elsewhere)
    (tmp_path / "whole").symlink_to(elsewhere.parent)
    assert sweep(own) == 0
    assert sweep(own, below=True) == 1
    assert sweep(tmp_path / "whole", below=True) == 0
    assert elsewhere.exists() and linked.is_symlink()
    assert not inside.exists()


@pytest.mark.parametrize("command", [["run"], ["run", "--resume"]])
def test_a_start_sweeps_what_is_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.chdir(make_project(tmp_path))
    own = tmp_path / ".evaltui"
    left = [temporary(folder, hours=2) for folder in (own, own / "runs", own / "tools" / "x")]
    young = temporary(own, hours=0)
    assert run_command(command) in (0, 1, 2)
    assert not any(path.exists() for path in left)
    assert young.exists()


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
