"""An expectation that names another tool changed no tool: the answer is judged again, not asked."""

from pathlib import Path
from typing import Any

import pytest

from evaltui.core.events import CasesStale
from evaltui.core.result import CaseStatus
from evaltui.core.staleness import Degree
from tests.projects import case, with_description, write_suite, write_tools
from tests.session.running.test_rejudging import AGENT, FUNCTION, asked, project, statuses, watching
from tests.session.test_session import Ear, all_keys

READS = FUNCTION.replace("answer(message)", "answer(message, tools=())")


def order(**expect: Any) -> dict[str, Any]:
    """The case with these expectations and no others."""
    made = case("c-0", "Look up order SO-0", "find_order")
    return {"id": made["id"], "input": made["input"], "expect": expect}


def write(root: Path, **expect: Any) -> None:
    write_suite(root, "find_order", [order(**expect)])


def reading(root: Path, **expect: Any) -> Path:
    """One case of an agent that reads the registry and calls find_order, whatever it is asked."""
    project(root, 1)
    (root / "mine.py").write_text(READS)
    write(root, **expect)
    return root


@pytest.mark.parametrize(
    "expect",
    [
        {"toolsCalled": ["play_music"]},
        {"toolsNotCalled": ["play_music"], "toolsCalled": ["find_order"]},
        {"toolsNotCalled": ["find_order"]},
    ],
    ids=["in place of the first", "beside the first", "the same one"],
)
async def test_another_tool_is_expected(tmp_path: Path, expect: dict[str, Any]) -> None:
    async with watching(reading(tmp_path, toolsCalled=["find_order"])) as (session, ear):
        write(tmp_path, **expect)
        await ear.until(lambda: len(ear.runs()) == 1)
        assert ear.started()[0].is_rejudging
        is_met = expect.get("toolsCalled") == ["find_order"]
        assert statuses(session) == [CaseStatus.PASSED if is_met else CaseStatus.FAILED]
        assert session.requests.due_keys(AGENT) == ()
        write(tmp_path, **expect, responseContains=["there"])
        await ear.until(lambda: len(ear.runs()) == 2)
        assert session.requests.due_keys(AGENT) == ()
    assert asked(tmp_path) == 1


async def test_the_next_process_asks_nobody_either(tmp_path: Path) -> None:
    async with watching(reading(tmp_path, toolsCalled=["find_order"])):
        pass
    write(tmp_path, toolsCalled=["play_music"])
    async with watching(tmp_path, is_fresh=False) as (session, ear):
        await ear.until(lambda: len(ear.runs()) == 1)
        assert statuses(session) == [CaseStatus.FAILED]
    async with watching(tmp_path, is_fresh=False) as (session, ear):
        assert session.requests.due_keys(AGENT) == ()
    assert asked(tmp_path) == 1


async def test_once_it_is_expected_its_description_counts(tmp_path: Path) -> None:
    async with watching(reading(tmp_path, toolsCalled=["find_order"])) as (_, ear):
        write(tmp_path, toolsNotCalled=["play_music"])
        await ear.until(lambda: len(ear.runs()) == 1)
        write_tools(tmp_path, with_description("play_music", "Plays music."))
        await ear.until(lambda: len(ear.runs()) == 2)
        assert not ear.started()[1].is_rejudging
    assert asked(tmp_path) == 2


async def test_what_was_called_counts_though_it_is_expected_no_more(tmp_path: Path) -> None:
    reading(tmp_path)
    write_suite(tmp_path, "play_music", [order(toolsCalled=["find_order"])])
    (tmp_path / "evals" / "find_order.golden.json").unlink()
    async with watching(tmp_path) as (_, ear):
        write_suite(tmp_path, "play_music", [order(toolsCalled=["play_music"])])
        await ear.until(lambda: len(ear.runs()) == 1)
        write_tools(tmp_path, with_description("find_order", "Finds."))
        await ear.until(lambda: len(ear.runs()) == 2)
        assert not ear.started()[1].is_rejudging
    assert asked(tmp_path) == 2


async def test_a_tool_that_changed_besides_leaves_it_possibly_affected(tmp_path: Path) -> None:
    async with watching(reading(tmp_path, toolsCalled=["find_order"])) as (session, ear):
        write_tools(tmp_path, with_description("play_music", "Plays music."))
        await ear.until(lambda: _degrees(ear) == [Degree.POSSIBLY])
        write(tmp_path, toolsCalled=["play_music"])
        await ear.until(lambda: len(ear.runs()) == 1)
        await ear.until(lambda: _degrees(ear) == [Degree.POSSIBLY])
        assert session.requests.due_keys(AGENT) == all_keys(session)
    assert asked(tmp_path) == 1


async def test_a_tool_that_was_expected_and_is_gone_is_asked_about(tmp_path: Path) -> None:
    async with watching(reading(tmp_path, toolsNotCalled=["play_music"])) as (session, ear):
        session.watch_loop.pause()
        tools = [tool for tool in with_description("", "") if tool["name"] != "play_music"]
        write_tools(tmp_path, tools)
        write(tmp_path, toolsCalled=["find_order"])
        await ear.until(lambda: session.watch_loop.pending(session.agents[0]) == 1)
        session.watch_loop.resume()
        await ear.until(lambda: len(ear.runs()) == 1)
        assert not ear.started()[0].is_rejudging
    assert asked(tmp_path) == 2


def _degrees(ear: Ear) -> list[Degree]:
    """How stale each case is by the last event that says so."""
    last = [event for event in ear.heard if isinstance(event, CasesStale)][-1:]
    return [stale.degree for event in last for stale in event.cases]
