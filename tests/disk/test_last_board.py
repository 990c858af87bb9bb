"""The board's beginning on disk: the same first lines, true totals, damage is nothing."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaltui.disk.board_keeper import BoardKeeper
from evaltui.disk.last_board import FILE, ROWS, LastBoard, read_last_board, write_last_boards
from evaltui.store.store import Store
from tests.tui import scene


def opened(cases: int, suites: int) -> Store:
    store = Store()
    for event in scene.opened(scene.suites(cases, suites)):
        store.handle(event)
    return store


def kept(folder: Path, store: Store) -> LastBoard:
    write_last_boards(folder, store.boards.values())
    last = read_last_board(folder, scene.AGENT)
    assert last is not None
    return last


@pytest.mark.parametrize(("cases", "suites"), [(1, 1), (48, 6), (2000, 30), (300, 300)])
def test_totals_are_those_of_the_whole(tmp_path: Path, cases: int, suites: int) -> None:
    store = opened(cases, suites)
    board = store.boards[scene.AGENT]
    last = kept(tmp_path, store)
    assert (last.total, last.suite_count) == (cases, suites)
    assert last.board.counts.all == board.counts.all
    assert sum(totals.stale for totals in last.suites) == board.counts.all.stale
    assert last.at == scene.NOW
    assert len(last.board.rows) <= 2 * ROWS


def test_a_row_is_what_it_was(tmp_path: Path) -> None:
    store = opened(48, 6)
    for key, row in kept(tmp_path, store).board.rows.items():
        before = store.boards[scene.AGENT].rows[key]
        assert (row.status, row.is_stale, row.recent) == (
            before.status,
            before.is_stale,
            before.recent,
        )
        assert row.result is not None and before.result is not None
        assert row.result.error == before.result.error
        assert row.case.description == before.case.description


def test_boards_of_other_agents_stay(tmp_path: Path) -> None:
    write_last_boards(tmp_path, opened(3, 1).boards.values())
    other = Store()
    for event in scene.opened(scene.suites(5, 1), agent="other"):
        other.handle(event)
    write_last_boards(tmp_path, other.boards.values())
    first, second = read_last_board(tmp_path, scene.AGENT), read_last_board(tmp_path, "other")
    assert first is not None and second is not None
    assert (first.total, second.total) == (3, 5)


@given(st.binary(max_size=60), st.integers(0, 3000))
@settings(max_examples=60)
def test_damage_is_as_good_as_nothing(
    tmp_path_factory: pytest.TempPathFactory, junk: bytes, place: int
) -> None:
    folder = tmp_path_factory.mktemp("board")
    write_last_boards(folder, opened(8, 2).boards.values())
    whole = (folder / FILE).read_bytes()
    (folder / FILE).write_bytes(whole[:place] + junk)
    read_last_board(folder, scene.AGENT)
    (folder / FILE).write_bytes(whole[:place] + junk + whole[place + len(junk) :])
    read_last_board(folder, scene.AGENT)


@pytest.mark.parametrize("field", ["rows", "suites", "counts", "total", "at"])
@pytest.mark.parametrize("value", [None, 7, "text", [[1]], {"a": []}])
def test_wrong_fields_are_as_good_as_nothing(tmp_path: Path, field: str, value: object) -> None:
    write_last_boards(tmp_path, opened(8, 2).boards.values())
    body = json.loads((tmp_path / FILE).read_text("utf-8"))
    body["boards"][0][field] = value
    (tmp_path / FILE).write_text(json.dumps(body), "utf-8")
    read_last_board(tmp_path, scene.AGENT)


def test_another_version_is_not_read(tmp_path: Path) -> None:
    write_last_boards(tmp_path, opened(8, 2).boards.values())
    text = (tmp_path / FILE).read_text("utf-8").replace('"version":1', '"version":2')
    (tmp_path / FILE).write_text(text, "utf-8")
    assert read_last_board(tmp_path, scene.AGENT) is None


async def test_the_keeper_writes_at_the_end_and_only_what_changed(tmp_path: Path) -> None:
    store = opened(8, 2)
    keeper = BoardKeeper(tmp_path, store)
    await keeper.close()
    assert not (tmp_path / FILE).exists()
    made = scene.suites(8, 2)
    for event in scene.run(scene.cases_of(made)):
        store.handle(event)
        keeper.handle(event)
    await keeper.close()
    assert read_last_board(tmp_path, scene.AGENT) is not None


async def test_a_folder_that_cannot_be_written_is_no_mistake(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way", "utf-8")
    store = opened(8, 2)
    keeper = BoardKeeper(blocked, store)
    keeper.handle(next(iter(scene.opened(scene.suites(8, 2)))))
    for event in scene.opened(scene.suites(8, 2)):
        keeper.handle(event)
    await keeper.close()
    assert blocked.read_text("utf-8") == "in the way"
