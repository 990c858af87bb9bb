"""Files that are written by a thread of their own."""

import errno
import os
import threading
from pathlib import Path

import pytest

from evaltui.evidence.packs.background_writer import (
    AT_ONCE,
    MOST_WAITING,
    BackgroundWriter,
    write_whole,
)


def test_all_files_are_written_whole_once_settled(tmp_path: Path) -> None:
    files = BackgroundWriter()
    texts = {
        f"{number}.json": b"%d" % number * number
        for number in range(5 * MOST_WAITING * AT_ONCE + 1)
    }
    for name, text in texts.items():
        files.write(str(tmp_path / name), text)
    files.settle()
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == texts


def test_a_file_that_cannot_be_written_is_told_and_none_follows(tmp_path: Path) -> None:
    files = BackgroundWriter()
    files.write(str(tmp_path / "gone" / "a"), b"a")
    files.write(str(tmp_path / "b"), b"b")
    with pytest.raises(FileNotFoundError, match="gone"):
        files.settle()
    with pytest.raises(FileNotFoundError, match="gone"):
        files.write(str(tmp_path / "c"), b"c")
    files.close()
    assert not list(tmp_path.iterdir())


def test_many_files_after_a_failed_one_do_not_wait_for_ever(tmp_path: Path) -> None:
    files = BackgroundWriter()
    with pytest.raises(ValueError, match="null"):
        for _ in range(10 * MOST_WAITING * AT_ONCE):
            files.write(f"{tmp_path}/\0", b"")
        files.settle()


def test_closing_waits_for_what_was_handed_over_and_ends_the_thread(tmp_path: Path) -> None:
    before = threading.active_count()
    files = BackgroundWriter()
    files.write(str(tmp_path / "a"), b"a")
    files.close()
    assert (tmp_path / "a").read_bytes() == b"a"
    assert threading.active_count() == before


def test_what_a_disk_takes_in_parts_is_written_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, data: write(file, bytes(data)[:3]))
    with (tmp_path / "a").open("wb") as file:
        write_whole(file.fileno(), b"0123456789")
    assert (tmp_path / "a").read_bytes() == b"0123456789"


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(os, "write", refuse)
    files = BackgroundWriter()
    files.write(str(tmp_path / "a"), b"a")
    with pytest.raises(OSError, match="no space left"):
        files.settle()
