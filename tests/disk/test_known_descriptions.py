"""Descriptions for which evals were written, from one session to the next."""

from pathlib import Path

import pytest

from evaltui.core.errors import Problem
from evaltui.core.tool import ToolDefinition, short_hash
from evaltui.disk import known_descriptions
from evaltui.disk import known_descriptions as module
from evaltui.disk.known_descriptions import FILE, LONGEST, KnownDescriptions

TEXTS = ("Finds orders.", "Finds any order.", "Plays music.")
FIRST, SECOND, THIRD = map(short_hash, TEXTS)


def known(folder: Path, *texts: str) -> KnownDescriptions:
    """Of a session that read tools described like this."""
    made = KnownDescriptions(folder, FOUND.append)
    made.add(ToolDefinition(f"tool_{number}", text) for number, text in enumerate(texts))
    return made


FOUND: list[Problem] = []


@pytest.fixture(autouse=True)
def nothing_found() -> None:
    FOUND.clear()


def test_what_is_wanted_is_known_to_the_next_session_and_the_rest_to_this_one(
    tmp_path: Path,
) -> None:
    here = known(tmp_path, *TEXTS)
    here.keep([FIRST, "0" * 12])
    assert [here.get(one) for one in (FIRST, SECOND, "0" * 12)] == [*TEXTS[:2], None]
    later = known(tmp_path, TEXTS[1])
    assert [later.get(one) for one in (FIRST, SECOND, THIRD)] == [*TEXTS[:2], None]


def test_what_another_process_kept_meanwhile_stays(tmp_path: Path) -> None:
    here, there = known(tmp_path, TEXTS[0]), known(tmp_path, TEXTS[1])
    here.keep([])
    there.keep([SECOND])
    here.keep([FIRST])
    assert [known(tmp_path).get(one) for one in (FIRST, SECOND)] == [*TEXTS[:2]]


def test_the_last_ones_are_kept_and_none_that_is_endless(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEPT", 2)
    endless = "x" * (LONGEST + 1)
    for text in (*TEXTS, endless):
        known(tmp_path, text).keep([short_hash(text)])
    later = known(tmp_path)
    found = [later.get(one) for one in (FIRST, SECOND, THIRD, short_hash(endless))]
    assert found == [None, *TEXTS[1:], None]


def test_nothing_is_written_where_nothing_is_new(tmp_path: Path) -> None:
    known(tmp_path, *TEXTS).keep([])
    assert not (tmp_path / FILE).exists()
    known(tmp_path, *TEXTS).keep([FIRST])
    before = (tmp_path / FILE).stat()
    known(tmp_path, *TEXTS).keep([FIRST])
    assert (tmp_path / FILE).stat().st_ino == before.st_ino


def test_a_damaged_file_is_set_aside_and_a_text_of_another_hash_is_not_believed(
    tmp_path: Path,
) -> None:
    (tmp_path / FILE).write_text("{")
    here = known(tmp_path, TEXTS[0])
    assert here.get(SECOND) is None
    assert [one.code for one in FOUND] == ["set-aside"]
    here.keep([FIRST])
    assert known(tmp_path).get(FIRST) == TEXTS[0]
    (tmp_path / FILE).write_text(f'{{"{SECOND}": "{TEXTS[0]}"}}')
    assert known(tmp_path).get(SECOND) is None


def test_a_folder_that_cannot_be_written_to_costs_only_that(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    here = known(tmp_path / "file", TEXTS[0])
    here.keep([FIRST])
    assert here.get(FIRST) == TEXTS[0]


def test_what_could_not_be_written_once_is_written_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "full")

    here = known(tmp_path, TEXTS[0])
    with monkeypatch.context() as full:
        full.setattr(known_descriptions, "write_atomic", fail)
        here.keep([FIRST])
    here.keep([FIRST])
    assert known(tmp_path).get(FIRST) == TEXTS[0]
