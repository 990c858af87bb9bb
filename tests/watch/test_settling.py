"""When what changed is told, by a clock of the test's own."""

from pathlib import Path

import pytest

from evaltui.watch.settling import AWAY_S, Settling

NOON = 1000.0
BARELY = AWAY_S * 0.99


class Folder:
    """Two watched files, and what is told of them."""

    def __init__(self, root: Path) -> None:
        self.a, self.b, self.new = root / "a.json", root / "b.json", root / "new.json"
        for path in (self.a, self.b):
            path.write_text("[]")
        self.settling = Settling()

    def told(self, now: float, *paths: Path) -> set[Path]:
        """When this much time went by since noon, and these changed."""
        self.settling.add(paths, NOON + now)
        return {*self.settling.take({self.a, self.b}, NOON + now)}


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_what_is_there_is_told_at_once(folder: Folder) -> None:
    assert folder.told(0.0, folder.a) == {folder.a}
    assert folder.settling.wait_s(NOON) is None
    assert folder.told(0.01, folder.a, folder.b) == {folder.a, folder.b}
    assert folder.told(0.02) == set()


def test_a_file_that_comes_back_is_told_once_and_as_soon_as_it_is_there(folder: Folder) -> None:
    folder.a.unlink()
    assert folder.told(0.0, folder.a) == set()
    assert folder.told(0.02) == set()
    folder.a.write_text("[1]")
    assert folder.told(0.03, folder.a) == {folder.a}
    assert folder.told(AWAY_S) == set()


def test_one_that_stays_away_is_told_when_the_time_is_over(folder: Folder) -> None:
    folder.a.unlink()
    assert folder.told(0.0, folder.a) == set()
    assert folder.settling.wait_s(NOON + 0.1) == pytest.approx(AWAY_S - 0.1)
    assert folder.told(BARELY) == set()
    assert folder.told(AWAY_S) == {folder.a}
    assert folder.settling.wait_s(NOON + AWAY_S) is None


def test_what_changes_meanwhile_is_told_with_it_and_makes_nobody_wait_longer(
    folder: Folder,
) -> None:
    folder.a.rename(folder.new)
    assert folder.told(0.0, folder.a, folder.new) == set()
    assert folder.told(BARELY, folder.b) == set()
    assert folder.told(AWAY_S) == {folder.a, folder.new, folder.b}


def test_one_that_goes_late_has_its_full_time(folder: Folder) -> None:
    folder.a.unlink()
    assert folder.told(0.0, folder.a) == set()
    folder.b.unlink()
    assert folder.told(BARELY, folder.b) == set()
    assert folder.settling.wait_s(NOON + BARELY) == pytest.approx(AWAY_S)
    assert folder.told(BARELY * 2) == set()
    assert folder.settling.is_holding
    folder.b.write_text("[1]")
    assert folder.told(BARELY * 2, folder.b) == {folder.a, folder.b}
    assert not folder.settling.is_holding


def test_where_files_go_again_and_again_nothing_is_held_for_ever(folder: Folder) -> None:
    there, away, now = folder.a, folder.b, 0.0
    away.unlink()
    while not (told := folder.told(now, there, away)):
        away.write_text("[]")
        there.unlink()
        there, away, now = away, there, now + AWAY_S / 2
        assert now < 10 * AWAY_S
    assert told == {folder.a, folder.b}


def test_nobody_waits_for_what_is_not_watched_or_known_to_be_gone(folder: Folder) -> None:
    assert folder.told(0.0, folder.new) == {folder.new}
    folder.a.unlink()
    assert folder.told(1.0, folder.a) == set()
    assert folder.told(1.0 + AWAY_S) == {folder.a}
    assert folder.told(2.0, folder.a, folder.b) == {folder.a, folder.b}
    folder.a.write_text("[1]")
    assert folder.told(3.0, folder.a) == {folder.a}
    folder.a.unlink()
    assert folder.told(4.0, folder.a) == set(), "it was there again"
