"""An eval file that is broken at the start: its cases stay as last known, and cost nothing."""

from pathlib import Path

from evaltui.core.case import CaseKey
from evaltui.session import Session
from evaltui.settings.load import load_config
from tests.session.test_cases_that_return import PAID, THIRD, Shop, followed
from tests.session.test_paid_agents import finished, watching
from tests.session.test_session import opened

FIND = "evals/find_order.golden.json"
BROKEN = CaseKey(FIND, "gs-find-order-001")


async def test_its_cases_are_shown_as_last_known_and_asked_nothing(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    async with followed(shop) as (session, _):
        before = {key: row.result for key, row in session.store.board(PAID).rows.items()}
    assert len(before) == 3
    whole = shop.orders.read_text()
    shop.orders.write_text(whole[: len(whole) // 2])
    async with watching(shop.root, has_run=False) as (session, ear):
        board = session.store.board(PAID)
        await ear.until(lambda: board.rows.keys() == before.keys())
        await ear.until(lambda: all(row.result for row in board.rows.values()))
        row = board.rows[BROKEN]
        assert row.suite.is_unread
        result, then = row.result, before[BROKEN]
        assert result is not None and then is not None
        assert (result.status, result.run_id) == (then.status, then.run_id)
        assert not row.is_due
        assert [one.file for one in session.store.problems.reported].count(FIND) == 1
        session.requests.rerun(tuple(board.rows))
        await ear.until(lambda: bool(ear.runs()))
        assert shop.asked == [THIRD]
        assert BROKEN.case not in finished(ear)

        shop.orders.write_text(whole)
        await ear.until(lambda: not board.rows[BROKEN].suite.is_unread)
        assert board.rows[BROKEN].case.message
        await ear.until(lambda: FIND not in [one.file for one in session.store.problems.reported])
        result = board.rows[BROKEN].result
        assert result is not None and result.run_id == then.run_id
        assert not board.rows[BROKEN].is_due
        assert shop.asked == [THIRD]


async def test_a_broken_file_without_results_shows_no_cases(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    shop.orders.write_text("{")
    async with watching(shop.root, has_run=False) as (session, ear):
        board = session.store.board(PAID)
        await ear.until(lambda: bool(board.rows))
        assert {key.suite for key in board.rows} == {"evals/play_music.golden.json"}


async def test_whoever_acts_on_all_cases_is_given_none_of_it(tmp_path: Path) -> None:
    """`evaltui run` and `evaltui baseline` neither run nor pin what cannot be read."""
    shop = Shop(tmp_path)
    async with opened(shop.root) as (session, _):
        await session.run(tuple(session.store.board(PAID).rows))
    shop.orders.write_text("{")
    async with opened(shop.root) as (session, _):
        assert BROKEN in session.store.board(PAID).rows
    strict = Session(load_config(shop.root, {}).config)
    await strict.open(is_strict=True)
    try:
        rows = strict.store.board(PAID).rows
        assert [key.suite for key in rows] == ["evals/play_music.golden.json"]
        await strict.baselines.pin(tuple(rows), PAID)
    finally:
        await strict.close()
    async with opened(shop.root) as (session, _):
        (named,) = session.baselines.named(PAID)
        assert named.cases == 1
