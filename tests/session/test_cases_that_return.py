"""Files and cases that go away and come back while watching: their results come back too."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from evaltui.core.events import CasesStale, ProblemFound, ResultsLoaded
from evaltui.core.result import CaseStatus
from evaltui.disk.history.history import History
from evaltui.disk.history.history_file import HistoryError
from evaltui.session import Session
from tests.projects import MUSIC, ORDERS, make_project, write_suite
from tests.session.test_paid_agents import watching
from tests.session.test_session import Ear, all_keys, asking, opened

PAID = "paid"
FUNCTION = """
import time
from pathlib import Path

def answer(message, tools=()):
    with Path({asked!r}).open("a") as file:
        file.write(message + "\\n")
    while "slowly" in message and not Path({answer!r}).exists():
        time.sleep(0.01)
    return {{"response": "done", "toolCalls": [], "usage": {{"cost_usd": 0.01}}}}
"""
FIRST, SECOND = (case["input"]["message"] for case in ORDERS)
THIRD = MUSIC[0]["input"]["message"]


class Shop:
    """A project of three cases and an agent that writes down what it is asked."""

    def __init__(self, root: Path, *, is_free: bool = False) -> None:
        self.root = root / "shop"
        self.root.mkdir()
        make_project(self.root)
        self.orders = self.root / "evals" / "find_order.golden.json"
        self.may_answer = root / "answer"
        self._asked = root / "asked"
        self._asked.touch()
        code = FUNCTION.format(asked=str(self._asked), answer=str(self.may_answer))
        (self.root / "mine.py").write_text(code)
        (self.root / "evaltui.toml").write_text(
            f'agent = "{PAID}"\nconcurrency = 1\n'
            f'[agents.{PAID}]\ntype = "python"\nfunction = "mine.py:answer"\n'
            f"is_free = {str(is_free).lower()}\n"
        )

    @property
    def asked(self) -> list[str]:
        return self._asked.read_text().splitlines()

    def forget(self) -> None:
        self._asked.write_text("")


@asynccontextmanager
async def followed(shop: Shop, *, has_run: bool = True) -> AsyncIterator[tuple[Session, Ear]]:
    """Watching, and sure to hear of a file that goes away; nothing of `has_run` is noted."""
    async with watching(shop.root, has_run=has_run) as (session, ear):
        with (shop.root / "evals" / "play_music.golden.json").open("a") as file:
            file.write("\n")
        await ear.until(lambda: bool(ear.all(CasesStale)))
        ear.heard.clear()
        shop.forget()
        yield session, ear


async def until_read(session: Session, ear: Ear, cases: int) -> None:
    await ear.until(lambda: len(session.store.board(PAID).rows) == cases)


async def settled(session: Session, ear: Ear) -> None:
    """Whatever the saves before led to has run: a case that asks for itself comes after it."""
    asked_for = all_keys(session)[-1]
    before = len(ear.runs())
    session.watch_loop.pause()
    session.watch_loop.resume()  # runs at once what may run
    session.requests.rerun((asked_for,), reason="the last")
    await ear.until(
        lambda: (
            any(run.reason == "the last" for run in ear.started())
            and len(ear.runs()) > before
            and not session.store.board(PAID).runs.is_on
        )
    )


async def test_a_file_that_returns_as_it_was_asks_nothing(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    async with followed(shop) as (session, ear):
        board = session.store.board(PAID)
        before = {key: row.result for key, row in board.rows.items()}
        whole = shop.orders.read_text()
        shop.orders.unlink()
        await until_read(session, ear, 1)
        shop.orders.write_text(whole)
        await until_read(session, ear, 3)
        await settled(session, ear)
        assert shop.asked == [THIRD]
        after = {key: row.result for key, row in board.rows.items()}
        for key in all_keys(session)[:2]:
            was, now = before[key], after[key]
            assert was is not None and now is not None
            assert (now.status, now.run_id, now.inputs) == (was.status, was.run_id, was.inputs)
            assert board.rows[key].recent == (CaseStatus.FAILED,)
        assert session.requests.due_keys(PAID) == ()


async def test_of_a_free_agent_nothing_is_asked_either(tmp_path: Path) -> None:
    shop = Shop(tmp_path, is_free=True)
    async with followed(shop) as (session, ear):
        whole = shop.orders.read_text()
        shop.orders.unlink()
        await until_read(session, ear, 1)
        shop.orders.write_text(whole)
        await until_read(session, ear, 3)
        await settled(session, ear)
    assert shop.asked == [THIRD]


async def test_of_a_file_that_returns_with_a_changed_case_that_one_is_asked(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    async with followed(shop) as (session, ear):
        shop.orders.unlink()
        await until_read(session, ear, 1)
        write_suite(shop.root, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        await until_read(session, ear, 3)
        await ear.until(lambda: bool(ear.runs()))
        await settled(session, ear)
        assert session.requests.due_keys(PAID) == ()
    assert shop.asked == ["Show order SO-9", THIRD]


async def test_a_case_that_is_put_back_is_not_asked(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    async with followed(shop) as (session, ear):
        write_suite(shop.root, "find_order", ORDERS[:1])
        await until_read(session, ear, 2)
        write_suite(shop.root, "find_order", ORDERS)
        await until_read(session, ear, 3)
        await settled(session, ear)
        assert session.requests.due_keys(PAID) == ()
    assert shop.asked == [THIRD]


@pytest.mark.parametrize("is_free", [True, False])
async def test_a_case_without_a_result_runs_like_any_new_one(tmp_path: Path, is_free: bool) -> None:
    shop = Shop(tmp_path, is_free=is_free)
    async with followed(shop) as (session, ear):
        shop.orders.unlink()
        await until_read(session, ear, 1)
        new = {**asking("A new one"), "id": "gs-find-order-003"}
        write_suite(shop.root, "find_order", (*ORDERS, new))
        await until_read(session, ear, 4)
        if is_free:
            await ear.until(lambda: bool(ear.runs()))
        await settled(session, ear)
        assert [key.case for key in session.requests.due_keys(PAID)] == (
            [] if is_free else ["gs-find-order-003"]
        )
    assert shop.asked == (["A new one", THIRD] if is_free else [THIRD])


async def test_a_file_that_was_not_there_at_the_start_brings_its_results(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    async with opened(shop.root) as (session, _):
        await session.run(all_keys(session))
    whole = shop.orders.read_text()
    shop.orders.unlink()
    async with followed(shop, has_run=False) as (session, ear):
        shop.orders.write_text(whole)
        await until_read(session, ear, 3)
        await settled(session, ear)
        assert session.requests.due_keys(PAID) == ()
    assert shop.asked == [THIRD]


async def test_what_a_run_did_not_come_to_since_its_file_was_away_runs_when_it_is_back(
    tmp_path: Path,
) -> None:
    shop = Shop(tmp_path)
    new = {**ORDERS[1], "input": {"message": "A new one"}}
    async with followed(shop) as (session, ear):
        write_suite(shop.root, "find_order", (asking("slowly"), new))
        await ear.until(lambda: bool(ear.started()))
        whole = shop.orders.read_text()
        shop.orders.unlink()
        await until_read(session, ear, 1)
        await ear.until(lambda: bool(ear.runs()))
        shop.may_answer.touch()
        shop.orders.write_text(whole)
        await until_read(session, ear, 3)
        await ear.until(lambda: len(ear.runs()) == 2)
        assert shop.asked[-1] == "A new one"
        assert session.requests.due_keys(PAID) == ()


async def test_results_of_a_run_that_is_on_return_with_their_file(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    slow = {**MUSIC[0], "input": {"message": "slowly"}}
    write_suite(shop.root, "play_music", (slow,))
    async with followed(shop, has_run=False) as (session, ear):
        session.requests.rerun(all_keys(session))
        board = session.store.board(PAID)
        await ear.until(lambda: board.runs.last is not None and board.runs.last.done == 2)
        whole = shop.orders.read_text()
        shop.orders.unlink()
        await until_read(session, ear, 1)
        shop.orders.write_text(whole)
        await until_read(session, ear, 3)
        await ear.until(lambda: bool(ear.all(ResultsLoaded)))
        assert [row.result is not None for row in board.rows.values()] == [True, True, False]
        shop.may_answer.touch()
        await ear.until(lambda: bool(ear.runs()))
        assert session.requests.due_keys(PAID) == ()
    assert sorted(shop.asked) == sorted([FIRST, SECOND, "slowly"])


async def test_results_of_a_run_are_kept_though_their_file_is_away_at_its_end(
    tmp_path: Path,
) -> None:
    shop = Shop(tmp_path)
    slow = {**MUSIC[0], "input": {"message": "slowly"}}
    write_suite(shop.root, "play_music", (slow,))
    async with followed(shop, has_run=False) as (session, ear):
        session.requests.rerun(all_keys(session))
        board = session.store.board(PAID)
        await ear.until(lambda: board.runs.last is not None and board.runs.last.done == 2)
        whole = shop.orders.read_text()
        shop.orders.unlink()
        await until_read(session, ear, 1)
        shop.may_answer.touch()
        await ear.until(lambda: bool(ear.runs()))
        shop.orders.write_text(whole)
        await until_read(session, ear, 3)
        await ear.until(lambda: all(row.result for row in board.rows.values()))
        await settled(session, ear)
    assert sorted(shop.asked) == sorted([FIRST, SECOND, "slowly", "slowly"])


async def test_the_history_is_asked_only_for_what_appeared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted: list[list[str] | None] = []
    whole = History.last_results

    def noted(
        history: History, agent: str, keys: Sequence[tuple[str, str]] | None = None
    ) -> object:
        wanted.append(None if keys is None else [case for _, case in keys])
        return whole(history, agent, keys)  # type: ignore[arg-type]

    monkeypatch.setattr(History, "last_results", noted)
    shop = Shop(tmp_path)
    async with followed(shop) as (session, ear):
        write_suite(shop.root, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        await ear.until(lambda: bool(ear.runs()))
        write_suite(shop.root, "find_order", ORDERS[:1])
        await until_read(session, ear, 2)
        write_suite(shop.root, "find_order", ORDERS)
        await until_read(session, ear, 3)
        await settled(session, ear)
    assert wanted == [None, ["gs-find-order-002"]]


async def test_a_history_that_cannot_be_read_is_said_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = Shop(tmp_path)
    async with followed(shop) as (session, ear):

        def locked(*_: object) -> None:
            raise HistoryError("database is locked")

        with monkeypatch.context() as broken:
            broken.setattr(History, "last_results", locked)
            write_suite(shop.root, "find_order", ORDERS[:1])
            await until_read(session, ear, 2)
            write_suite(shop.root, "find_order", ORDERS)
            await ear.until(lambda: bool(ear.all(ProblemFound)))
            (said,) = ear.all(ProblemFound)
            assert "the last results of a case that appeared cannot be read" in str(said)
            await ear.until(lambda: bool(session.requests.due_keys(PAID)))
        write_suite(shop.root, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        await ear.until(lambda: bool(ear.runs()))
    assert shop.asked == ["Show order SO-9"]
