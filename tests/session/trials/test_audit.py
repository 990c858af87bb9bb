"""Of what a save only possibly affects some are drawn at random, with an agent that costs money."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from evaltui.core.agent import AgentRequest
from evaltui.core.audited import Audited
from evaltui.core.case import CaseKey
from evaltui.core.errors import AgentError
from evaltui.core.events import CasesStale
from evaltui.session import Session
from evaltui.session.trials.audit import Audit
from tests.projects import case, write_suite, write_tools
from tests.session.test_session import Ear, all_keys, opened
from tests.simulated_agent import Simulated, World, simulate, simulated_project

OTHERS = 30


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return simulate(monkeypatch)


def tools(description: str) -> list[dict[str, object]]:
    names = ("find_order", "wave")
    return [
        {"name": name, "description": description if name == "wave" else "Finds."} for name in names
    ]


def project(root: Path, settings: str = "audit = 10", each_usd: float = 0.001) -> Path:
    """30 cases of one tool and 2 of the one that is edited; one that is possibly affected fails."""
    simulated_project(root, OTHERS + 1, f"confirm_above = 0.1\n[regressions]\n{settings}")
    path = root / "evaltui.toml"
    path.write_text(path.read_text().replace('"simulated"', f'"simulated"\ncost_usd = {each_usd}'))
    write_tools(root, tools("Waves."))
    write_suite(root, "wave", [case(f"gs-wave-{n}", "wave", "wave") for n in range(2)])
    return root


@asynccontextmanager
async def watching(root: Path, world: World) -> AsyncIterator[tuple[Session, Ear]]:
    """After every case ran once; one case of the tool that is not edited fails."""
    world.rate = lambda _, request: float(request.key.case != "gs-000")
    async with opened(root) as (session, ear):
        session.requests.rerun(all_keys(session))
        await ear.until(lambda: bool(ear.runs()))
        await idle(session)
        ear.heard.clear()
        world.asked.clear()
        watch = asyncio.create_task(session.watch())
        await asyncio.sleep(0)
        yield session, ear
        await session.close()
        await watch


def said(session: Session) -> str:
    ran = session.store.board("mine").ran_where_drawn
    return ran.words if ran is not None else ""


async def idle(session: Session) -> None:
    """After the last run, and after those that its end may begin."""
    queue = session._queues.by_name["mine"]
    async with asyncio.timeout(20):
        while queue.is_busy:  # noqa: ASYNC110 - a run's end is told before it is over
            await asyncio.sleep(0.01)


async def test_what_is_certain_runs_and_so_many_others(tmp_path: Path, world: World) -> None:
    async with watching(project(tmp_path), world) as (session, ear):
        write_tools(tmp_path, tools("Waves at somebody."))
        await ear.until(lambda: bool(ear.runs()))
        assert ear.runs()[0].audited == Audited(drawn=10, moved=0, others=OTHERS)
        assert said(session) == "13 of 33 ran (3 certain, 10 drawn)"
        asked = {request.key.case for _, request in world.asked}
        assert {"gs-wave-0", "gs-wave-1", "gs-000"} < asked
        assert len(asked) == len(world.asked) == 13
        assert len(session.requests.due_keys("mine")) == OTHERS - 10
        assert session.store.board("mine").headline.save.sample.audited == ear.runs()[0].audited  # type: ignore[union-attr]


async def test_others_that_are_run_by_hand_are_left_no_more(tmp_path: Path, world: World) -> None:
    async with watching(project(tmp_path), world) as (session, ear):
        write_tools(tmp_path, tools("Waves at somebody."))
        await ear.until(lambda: bool(ear.runs()))
        await idle(session)
        save = session.store.board("mine").headline.save
        assert save is not None
        due = session.requests.due_keys("mine")
        session.requests.rerun(due[:4])
        await ear.until(lambda: len(ear.runs()) == 2)
        ran = session.store.board("mine").ran_where_drawn
        assert ran is not None and (ran.more, ran.left) == (4, OTHERS - 14)
        session.requests.rerun(due, is_while_due=True)
        await ear.until(lambda: len(ear.runs()) == 3)
        assert save is session.store.board("mine").headline.save
        ran = session.store.board("mine").ran_where_drawn
        assert ran is not None
        assert ran.words == "33 of 33 ran (3 certain, 10 drawn, 20 more)"


async def test_those_in_error_ran_too(tmp_path: Path, world: World) -> None:
    async with watching(project(tmp_path), world) as (session, ear):

        def answered_twice(_: str, request: AgentRequest) -> float:
            drawn.add(request.key.case)
            if request.key.case in {"gs-wave-0", "gs-wave-1", "gs-000"} or len(drawn) < 6:
                return 1.0
            raise AgentError("it is down")

        drawn: set[str] = set()
        world.rate = answered_twice
        write_tools(tmp_path, tools("Waves at somebody."))
        await ear.until(lambda: bool(ear.runs()))
        board = session.store.board("mine")
        ran = board.ran_where_drawn
        assert ran is not None
        lost = board.counts.all.errors
        assert 0 < lost < 10
        assert ran.words == f"13 of 33 ran (3 certain, 10 drawn, {lost} of them in error)"
        assert board.counts.all.ran == 13, "the figures behind it and the timeline have them too"
        assert ran.left == OTHERS - 10 + lost, "those in error tell nothing of themselves"


async def test_those_in_error_stay_others_when_more_is_drawn(tmp_path: Path, world: World) -> None:
    root = project(tmp_path, "audit = 10\naudit_idle = true", each_usd=0.004)
    async with watching(root, world) as (session, ear):
        drawn: list[str] = []

        def lost_twice(_: str, request: AgentRequest) -> float:
            name = request.key.case
            if name not in {"gs-wave-0", "gs-wave-1", "gs-000", *drawn}:
                drawn.append(name)
            if name in drawn[2:6:3]:
                raise AgentError("it is down")
            return 1.0

        world.rate = lost_twice
        write_tools(tmp_path, tools("Waves at somebody."))
        await ear.until(lambda: len(ear.runs()) == 2)
        ran = session.store.board("mine").ran_where_drawn
        assert ran is not None
        assert ran.words == "23 of 33 ran (3 certain, 20 drawn, 2 of them in error)"
        assert ran.bound.startswith("of 12 others at most ")


async def test_none_is_drawn_unless_the_settings_say_so(tmp_path: Path, world: World) -> None:
    async with watching(project(tmp_path, "audit = 0"), world) as (_, ear):
        write_tools(tmp_path, tools("Waves at somebody."))
        await ear.until(lambda: bool(ear.runs()))
        assert ear.runs()[0].audited is None
    assert len(world.asked) == 3


async def test_none_is_drawn_where_that_would_have_to_be_asked_about(
    tmp_path: Path, world: World
) -> None:
    async with watching(project(tmp_path, "audit = 10", each_usd=0.02), world) as (_, ear):
        write_tools(tmp_path, tools("Waves at somebody."))
        await ear.until(lambda: bool(ear.runs()))
        assert ear.runs()[0].audited is None
    assert len(world.asked) == 3


async def test_idle_time_draws_on_as_long_as_the_guard_lets(tmp_path: Path, world: World) -> None:
    settings = "audit = 10\naudit_idle = true"
    root = project(tmp_path, settings, each_usd=0.004)  # 13 of them are $0.052, 23 are $0.092
    async with watching(root, world) as (session, ear):
        write_tools(tmp_path, tools("Waves at somebody."))
        await ear.until(lambda: len(ear.runs()) == 2)
        await idle(session)
        assert len(ear.started()) == 2, "33 would be $0.132; and nobody tells of an empty run"
        assert ear.runs()[1].audited == Audited(drawn=20, moved=0, others=OTHERS)
        assert said(session) == "23 of 33 ran (3 certain, 20 drawn)"
    counted = Counter(request.key.case for _, request in world.asked)
    assert (len(counted), set(counted.values())) == (23, {1})


async def test_each_save_draws_others(tmp_path: Path, world: World) -> None:
    """A draw by place would always take the same ten."""
    seen: Counter[str] = Counter()
    async with watching(project(tmp_path, each_usd=0.001), world) as (_, ear):
        for number in range(6):
            world.asked.clear()
            write_tools(tmp_path, tools(f"Waves {number} times."))
            await ear.until(lambda: len(ear.runs()) > number)  # noqa: B023
            seen.update(request.key.case for _, request in world.asked)
    assert len([name for name, times in seen.items() if times < 6]) > 20


@pytest.mark.parametrize("settings", ["audit = 10", "audit = 10\naudit_idle = false"])
async def test_idle_time_draws_none_unless_the_settings_say_so(
    tmp_path: Path, world: World, settings: str
) -> None:
    async with watching(project(tmp_path, settings), world) as (session, ear):
        write_tools(tmp_path, tools("Waves at somebody."))
        await ear.until(lambda: bool(ear.runs()))
        await idle(session)
        assert len(ear.started()) == 1
    assert len(world.asked) == 13


async def test_a_muted_case_is_none_of_the_others(tmp_path: Path, world: World) -> None:
    muted = [f"evals/find_order.golden.json::gs-{number:03}" for number in range(1, OTHERS, 2)]
    settings = "audit = 30\n[mute]\n" + "\n".join(f'"{one}" = "known"' for one in muted)
    async with watching(project(tmp_path, settings), world) as (session, ear):
        write_tools(tmp_path, tools("Waves at somebody."))
        await ear.until(lambda: bool(ear.runs()))
        left = OTHERS - len(muted)
        assert ear.runs()[0].audited == Audited(drawn=left, moved=0, others=left)
        assert said(session) == f"{3 + left} of {3 + left} ran (3 certain, {left} drawn)"
    asked = {str(request.key) for _, request in world.asked}
    assert asked.isdisjoint(muted)


async def test_of_what_may_be_the_agents_own_doing_none_is_drawn_and_none_runs(
    tmp_path: Path, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Simulated, "knows_files", False)
    (project(tmp_path) / "note.md").write_text("one")
    async with watching(tmp_path, world) as (session, ear):
        await asyncio.sleep(0)
        (tmp_path / "note.md").write_text("another")
        await ear.until(lambda: len(session.requests.due_keys("mine")) == OTHERS + 3)
        async with asyncio.timeout(20):
            while session.watch_loop._to_run.are_there:  # noqa: ASYNC110 - that the save is over is not told
                await asyncio.sleep(0.01)
        write_tools(tmp_path, tools("Waves at somebody."))
        await ear.until(lambda: bool(ear.runs()))
        assert [started.trigger for started in ear.started()] == [("tools.json",)]
        assert len(world.asked) == 13


def test_who_is_drawn_is_settled_anew_for_each_edit_and_by_nothing_else() -> None:
    guard = SimpleNamespace(begin_save=lambda _: None)
    due = SimpleNamespace(agent=SimpleNamespace(name="mine"))
    audit = Audit(*(cast("Any", one) for one in (None, due, None, guard)))
    key, other = CaseKey("a.json", "one"), CaseKey("a.json", "two")
    before = audit._rank(key)
    assert audit._rank(key) == before != audit._rank(other)
    audit.begin_save()
    assert audit._rank(key) != before


async def test_a_file_that_goes_and_comes_back_as_it_was_draws_none(
    tmp_path: Path, world: World
) -> None:
    async with watching(project(tmp_path), world) as (session, ear):
        write_tools(tmp_path, tools("Waves at somebody."))
        await ear.until(lambda: bool(ear.runs()))
        await idle(session)
        due = session.requests.due_keys("mine")
        board, file = session.store.board("mine"), tmp_path / "evals" / "find_order.golden.json"
        whole = file.read_text()
        for change in (file.unlink, lambda: file.write_text(whole)):
            ear.heard.clear()
            change()
            await ear.until(lambda: bool(ear.all(CasesStale)))
        session.watch_loop.pause()
        session.watch_loop.resume()  # runs at once what may run
        await idle(session)
        assert not ear.started()
        assert board.headline.reach is not None and not board.headline.reach.is_any
        assert session.requests.due_keys("mine") == due, "R runs them still"
