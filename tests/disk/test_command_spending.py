"""What a command spent is read from a file of ours and from nothing else."""

import json
import os
from pathlib import Path

import pytest

from evaltui.core.spent import Spent
from evaltui.disk.command_spending import CommandSpending


def test_what_was_spent_is_there_for_whoever_goes_on(tmp_path: Path) -> None:
    first = CommandSpending(tmp_path)
    first.note("mine", Spent(usd=0.25))
    first.close()
    second = CommandSpending(tmp_path)
    assert second.go_on([first.id]) == {first.id: {"mine": Spent(usd=0.25)}}
    second.close()


def test_each_line_of_its_file_is_whole(tmp_path: Path) -> None:
    first = CommandSpending(tmp_path)
    first.note("mine", Spent(usd=0.25))
    first.close()
    second = CommandSpending(tmp_path)
    second.go_on([first.id])
    second.note("mine", Spent(usd=0.5))
    second.close()
    lines = (tmp_path / "spent" / f"{first.id}.jsonl").read_text().splitlines()
    assert [json.loads(line)["spent"]["mine"]["usd"] for line in lines] == [0.25, 0.5]


def test_a_torn_last_line_counts_as_one_request_more_that_is_as_dear_as_any(
    tmp_path: Path,
) -> None:
    first = CommandSpending(tmp_path)
    for usd in (0.25, 0.75, 0.5, 0.875):
        first.note("mine", Spent(usd=usd))
    first.close()
    file = tmp_path / "spent" / f"{first.id}.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole[:-5])
    second = CommandSpending(tmp_path)
    assert second.go_on([first.id]) == {first.id: {"mine": Spent(usd=1.0)}}
    second.note("mine", Spent(usd=1.25))
    second.close()
    third = CommandSpending(tmp_path)
    assert third.go_on([first.id]) == {first.id: {"mine": Spent(usd=1.25)}}
    third.close()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with a name")
@pytest.mark.parametrize("kind", ["pipe", "link", "folder"])
def test_what_is_no_file_of_ours_is_neither_read_nor_written(tmp_path: Path, kind: str) -> None:
    place, other = tmp_path / "spent" / "known.jsonl", tmp_path / "other"
    place.parent.mkdir()
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "link":
        other.write_text("kept")
        place.symlink_to(other)
    else:
        place.mkdir()
    command = CommandSpending(tmp_path)
    assert command.go_on(["known"]) == {}
    command.note("mine", Spent(usd=1.0))
    command.close()
    assert kind != "link" or other.read_text() == "kept"
