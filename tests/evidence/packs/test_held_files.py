"""Files of a pack are used only as they were written, also while they are still being hashed."""

import hashlib
import json
from pathlib import Path

import pytest

from evaltui.core.errors import UserError
from evaltui.evidence.packs.held_files import HeldFiles
from evaltui.evidence.packs.pack_hashes import CHANGED, GONE, UNNAMED

NAME = "report.json"


def pack(place: Path, written: bytes, now: bytes | None, *, named: bool = True) -> HeldFiles:
    hashes = {NAME: hashlib.sha256(written).hexdigest()} if named else {"other": "0"}
    (place / "manifest.json").write_text(json.dumps({"file_hashes": hashes}))
    if now is not None:
        (place / NAME).write_bytes(now)
    return HeldFiles(place)


def test_what_is_read_is_what_was_written(tmp_path: Path) -> None:
    assert pack(tmp_path, b"{}", b"{}").read(NAME) == b"{}"
    with pack(tmp_path, b"{}", b"{}").reading(NAME) as data:
        assert data == b"{}"


@pytest.mark.parametrize(
    ("now", "named", "what"),
    [(b"[]", True, CHANGED), (None, True, GONE), (b"{}", False, UNNAMED)],
)
def test_another_file_is_refused(now: bytes | None, named: bool, what: str, tmp_path: Path) -> None:
    files = pack(tmp_path, b"{}", now, named=named)
    with pytest.raises(UserError, match=what):
        files.read(NAME)


def test_of_a_changed_file_no_other_mistake_is_told(tmp_path: Path) -> None:
    files = pack(tmp_path, b"{}", b"{")
    with pytest.raises(UserError, match=CHANGED), files.reading(NAME) as data:
        json.loads(data or b"")


def test_a_mistake_in_an_unchanged_file_is_told_as_it_is(tmp_path: Path) -> None:
    files = pack(tmp_path, b"{", b"{")
    with pytest.raises(json.JSONDecodeError), files.reading(NAME) as data:
        json.loads(data or b"")
