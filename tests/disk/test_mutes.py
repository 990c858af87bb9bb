"""Muted cases with their reasons."""

from pathlib import Path

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.errors import UserError
from evaltui.disk.mutes import load_mutes, mute, unmute

KEY = CaseKey("evals/a.json", "gs-1")


def test_mute_and_unmute(tmp_path: Path) -> None:
    path = tmp_path / ".evaltui" / "mutes.json"
    assert load_mutes(path) == {}
    mute(path, KEY, " flaky upstream ")
    mute(path, CaseKey("evals/b.json", "ü"), "slow")
    assert load_mutes(path) == {"evals/a.json::gs-1": "flaky upstream", "evals/b.json::ü": "slow"}
    unmute(path, KEY)
    unmute(path, KEY)
    assert list(load_mutes(path)) == ["evals/b.json::ü"]


def test_a_reason_is_not_optional(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="needs a reason"):
        mute(tmp_path / "mutes.json", KEY, "  ")


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff"])
def test_a_damaged_file_is_not_overwritten(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mutes.json"
    path.write_bytes(content)
    with pytest.raises(UserError, match="Correct the file"):
        mute(path, KEY, "why")
    assert path.read_bytes() == content
