"""What reruns by itself on an agent that costs money: what a change affects, within the guard."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from evaltui.core.events import CaseFinished
from evaltui.core.staleness import Degree
from evaltui.session import Session
from tests.projects import MUSIC, ORDERS, make_project, with_description, write_suite, write_tools
from tests.session.test_session import Ear, all_keys, asking, opened

PAID = "paid"
BOTH = {**ORDERS[1], "input": {"message": "Show order SO-8"}}
FUNCTION = """
def answer(message, tools=()):
    return {"response": "done", "toolCalls": [], "usage": {"cost_usd": %s}}
"""


def project(root: Path, *, each_usd: float = 0.01, is_free: bool = False) -> Path:
    """Three cases and an agent that reads the registry."""
    make_project(root)
    (root / "mine.py").write_text(FUNCTION % each_usd)
    (root / "evaltui.toml").write_text(
        f'agent = "{PAID}"\n[agents.{PAID}]\ntype = "python"\nfunction = "mine.py:answer"\n'
        f"is_free = {str(is_free).lower()}\n"
    )
    return root


@asynccontextmanager
async def watching(root: Path, *, has_run: bool = True) -> AsyncIterator[tuple[Session, Ear]]:
    """Watching, every case run once by hand if `has_run`."""
    async with opened(root) as (session, ear):
        if has_run:
            await session.run(all_keys(session))
            ear.heard.clear()
        watch = asyncio.create_task(session.watch())
        await asyncio.sleep(0)
        yield session, ear
        await session.close()
        await watch


async def runs_by_itself(session: Session, ear: Ear) -> list[str]:
    """Why runs began before one that is asked for now: runs wait for each other."""
    session.requests.rerun(all_keys(session)[:1], reason="the last")
    await ear.until(lambda: any(run.reason == "the last" for run in ear.started()))
    return [run.reason for run in ear.started()][:-1]


def held(session: Session) -> int:
    told = session.store.board(PAID).spending
    return 0 if told is None else told.held


def finished(ear: Ear) -> list[str]:
    return [event.result.key.case for event in ear.heard if isinstance(event, CaseFinished)]


async def test_opening_runs_nothing_of_it(tmp_path: Path) -> None:
    async with watching(project(tmp_path), has_run=False) as (session, ear):
        assert len(session.requests.due_keys(PAID)) == 3
        assert await runs_by_itself(session, ear) == []


async def test_opening_runs_all_of_a_free_one(tmp_path: Path) -> None:
    async with watching(project(tmp_path, is_free=True), has_run=False) as (_, ear):
        await ear.until(lambda: bool(ear.runs()))
    assert len(finished(ear)) == 3


async def test_a_changed_case_is_run(tmp_path: Path) -> None:
    async with watching(project(tmp_path)) as (_, ear):
        write_suite(tmp_path, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        await ear.until(lambda: bool(ear.runs()))
    assert finished(ear) == ["gs-find-order-001"]


async def test_what_is_possibly_affected_and_failed_is_run(tmp_path: Path) -> None:
    async with watching(project(tmp_path)) as (session, ear):
        write_tools(tmp_path, with_description("find_order", "Finds an order."))
        await ear.until(lambda: bool(ear.runs()))
        assert len(finished(ear)) == 3, "the edit may be for the one that fails"
        assert session.requests.due_keys(PAID) == ()


async def test_what_is_possibly_affected_and_passed_is_marked_and_not_run(tmp_path: Path) -> None:
    write_suite(project(tmp_path), "play_music", ({**MUSIC[0], "expect": {"noToolErrors": True}},))
    async with watching(tmp_path) as (session, ear):
        write_tools(tmp_path, with_description("find_order", "Finds an order."))
        await ear.until(lambda: bool(ear.runs()))
        assert set(finished(ear)) == {"gs-find-order-001", "gs-find-order-002"}
        (left,) = session.requests.due_keys(PAID)
        assert left.case == "gs-play-music-001"
        row = session.store.board(PAID).rows[left]
        assert row.due is not None
        assert row.due.degree is Degree.POSSIBLY
        assert row.due.reasons == ("find_order.description changed",)
        assert session.requests.due_keys(PAID, possibly=False) == ()


async def test_a_tool_that_it_called_counts_though_the_case_does_not_mention_it(
    tmp_path: Path,
) -> None:
    root = project(tmp_path)
    calls = '"toolCalls": [{"name": "find_order"}]'
    (root / "mine.py").write_text(FUNCTION.replace('"toolCalls": []', calls) % 0.01)
    async with watching(root) as (session, ear):
        write_tools(tmp_path, with_description("find_order", "Finds an order."))
        await ear.until(lambda: bool(ear.runs()))
        assert len(finished(ear)) == 3
        assert session.requests.due_keys(PAID) == ()


async def test_a_save_runs_nothing_that_never_ran(tmp_path: Path) -> None:
    async with watching(project(tmp_path), has_run=False) as (session, ear):
        await session.run(all_keys(session)[:1])
        ear.heard.clear()
        write_suite(tmp_path, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        await ear.until(lambda: bool(ear.runs()))
        assert len(session.requests.due_keys(PAID)) == 2
    assert finished(ear) == ["gs-find-order-001"]


async def test_what_is_possibly_affected_is_run_by_a_free_one(tmp_path: Path) -> None:
    async with watching(project(tmp_path, is_free=True)) as (session, ear):
        write_tools(tmp_path, with_description("find_order", "Finds an order."))
        await ear.until(lambda: bool(ear.runs()))
        assert len(finished(ear)) == 3
        assert session.requests.due_keys(PAID) == ()


async def test_a_save_that_would_cost_more_than_asks_first_runs_nothing(tmp_path: Path) -> None:
    root = project(tmp_path, each_usd=0.6)
    async with watching(root) as (session, ear):
        write_suite(tmp_path, "find_order", (asking("Show order SO-9"), BOTH))
        await ear.until(lambda: len(session.requests.due_keys(PAID)) == 2)
        session.watch_loop.pause()
        session.watch_loop.resume()  # runs at once what may run
        assert await runs_by_itself(session, ear) == []
        assert len(session.requests.due_keys(PAID)) == 2


async def test_what_an_earlier_process_paid_counts_for_that(tmp_path: Path) -> None:
    root = project(tmp_path, each_usd=0.6)
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
    async with watching(root, has_run=False) as (session, ear):
        estimate = session.requests.estimate(all_keys(session)[:2], (PAID,))
        assert estimate.cost_usd == 1.2
        write_suite(tmp_path, "find_order", (asking("Show order SO-9"), BOTH))
        await ear.until(lambda: len(session.requests.due_keys(PAID)) == 2)
        assert await runs_by_itself(session, ear) == []
        assert len(session.requests.due_keys(PAID)) == 2


async def test_a_save_that_costs_less_runs(tmp_path: Path) -> None:
    async with watching(project(tmp_path, each_usd=0.6)) as (session, ear):
        write_suite(tmp_path, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        await ear.until(lambda: bool(ear.runs()))
        assert session.requests.due_keys(PAID) == ()
    assert finished(ear) == ["gs-find-order-001"]


async def test_a_save_whose_cost_is_not_known_runs_nothing_and_says_that_it_waits(
    tmp_path: Path,
) -> None:
    root = project(tmp_path)
    mine = root / "mine.py"
    mine.write_text(mine.read_text().replace('"cost_usd": 0.01', '"input_tokens": 3'))
    async with watching(root) as (session, ear):
        write_suite(tmp_path, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        await ear.until(lambda: held(session) == 1)
        session.requests.rerun(all_keys(session)[:1])
        await ear.until(lambda: bool(ear.runs()))
        assert held(session) == 0, "somebody saw it and chose"
        assert len(ear.started()) == 1


async def test_a_key_that_runs_what_saves_made_due_names_their_files(tmp_path: Path) -> None:
    root = project(tmp_path, each_usd=2.0)
    async with watching(root) as (session, ear):
        write_suite(tmp_path, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        await ear.until(lambda: held(session) == 1)
        write_suite(tmp_path, "play_music", ({**MUSIC[0], "input": {"message": "Play it"}},))
        await ear.until(lambda: len(session.requests.due_keys(PAID)) == 2)
        due = session.requests.due_keys(PAID)
        session.requests.rerun(due, reason="due", is_while_due=True)
        await ear.until(lambda: bool(ear.runs()))
        (started,) = ear.started()
        files = ("evals/find_order.golden.json", "evals/play_music.golden.json")
        assert (started.trigger, started.answers) == ((), files)
        save = session.store.board(PAID).headline.save
        assert save is not None and save.trigger == files
        assert session.history.timeline(PAID, ())[0].trigger == files


async def test_what_is_left_of_the_budget_is_told(tmp_path: Path) -> None:
    root = project(tmp_path, each_usd=0.25)
    settings = root / "evaltui.toml"
    settings.write_text(f"max_cost_usd = 2\n{settings.read_text()}")
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
        told = session.store.board(PAID).spending
        assert told is not None
        assert (told.spent_usd, told.left_usd) == (0.75, 1.25)


async def test_saves_run_as_often_as_the_settings_say(tmp_path: Path) -> None:
    root = project(tmp_path)
    settings = root / "evaltui.toml"
    settings.write_text(f"trials = 3\n{settings.read_text()}")
    async with watching(root) as (session, ear):
        write_suite(tmp_path, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        await ear.until(lambda: bool(ear.runs()))
        (key,) = {event.result.key for event in ear.heard if isinstance(event, CaseFinished)}
        result = session.store.board(PAID).rows[key].result
        assert result is not None and result.trials == 3
        assert [run.trials for run in ear.started()] == [3]
        estimate = session.requests.estimate((key,), (PAID,))
        assert estimate.cost_usd is not None and abs(estimate.cost_usd - 0.03) < 1e-9
