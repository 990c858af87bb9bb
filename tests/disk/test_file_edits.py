"""An edit is made whole, and never over somebody else's change."""

import errno
import os
import stat
from pathlib import Path

import pytest

from evaltui.core.errors import UserError
from evaltui.core.file_edit import file_edit
from evaltui.disk.file_edits import apply_edit, revert_edit


def test_there_and_back(tmp_path: Path) -> None:
    path = tmp_path / "suite.json"
    path.write_bytes(b"old")
    path.chmod(0o640)
    edit = file_edit(path, b"old", b"new", "change")
    apply_edit(edit)
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    revert_edit(edit)
    assert path.read_bytes() == b"old"


def test_a_new_file_goes_again(tmp_path: Path) -> None:
    edit = file_edit(tmp_path / "suite.json", None, b"new", "make")
    apply_edit(edit)
    with pytest.raises(UserError, match="changed since"):
        apply_edit(edit)
    revert_edit(edit)
    assert not edit.file.exists()


def test_changed_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "suite.json"
    path.write_bytes(b"theirs")
    edit = file_edit(path, b"old", b"new", "change")
    for attempt in (apply_edit, revert_edit):
        with pytest.raises(UserError, match="changed since"):
            attempt(edit)
    assert path.read_bytes() == b"theirs"


@pytest.mark.parametrize("before", [b"old", None])
def test_what_an_editor_saves_while_the_edit_is_written_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bytes | None
) -> None:
    path = tmp_path / "suite.json"
    if before is not None:
        path.write_bytes(before)
    to_disk = os.fsync

    def saved_meanwhile(descriptor: int) -> None:
        to_disk(descriptor)
        path.write_bytes(b"theirs")

    monkeypatch.setattr(os, "fsync", saved_meanwhile)
    with pytest.raises(UserError, match="changed since"):
        apply_edit(file_edit(path, before, b"ours", "change"))
    assert path.read_bytes() == b"theirs"
    assert [*tmp_path.iterdir()] == [path]


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = tmp_path / "suite.json"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UserError, match="cannot be written: No space left on device"):
        apply_edit(file_edit(path, b"old", b"new", "change"))
    assert path.read_bytes() == b"old"


def test_the_target_of_a_link_is_written(tmp_path: Path) -> None:
    target = tmp_path / "real" / "suite.json"
    target.parent.mkdir()
    target.write_bytes(b"old")
    link = tmp_path / "suite.json"
    link.symlink_to(target)
    apply_edit(file_edit(link, b"old", b"new", "change"))
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_what_a_killed_process_left_is_swept(tmp_path: Path) -> None:
    left = tmp_path / ".0123456789abcdef.evaltui-tmp"
    left.write_bytes(b"half")
    os.utime(left, (1, 1))
    apply_edit(file_edit(tmp_path / "suite.json", None, b"new", "make"))
    assert [path.name for path in tmp_path.iterdir()] == ["suite.json"]
