"""When a child that judges takes too long: the limits of whoever judges, and of nobody else."""

import asyncio
from collections import deque
from pathlib import Path

from evaltui.child.lines import LineChild
from evaltui.evaluators.child_job import ChildJob, OpenCheck
from evaltui.evaluators.evaluator_child import OWN_LIMIT_S, EvaluatorChild
from evaltui.evaluators.kit.evaltui import EvaluatorDefinition
from evaltui.evaluators.plugin_entry import PluginEntry
from evaltui.net.secret_mask import SecretMask
from tests.evaluators.loaded import source


class Silent(LineChild):
    """It is told things, and answers only what it is to."""

    is_killed = False
    answer = b""

    def kill(self) -> None:
        self.is_killed = True

    async def line(self) -> bytes:
        return self.answer


class Answering(LineChild):
    """Its answers are here already."""

    def __init__(self) -> None:
        super().__init__()
        self.answers = deque[bytes]()

    @property
    def has_line(self) -> bool:
        return bool(self.answers)

    async def line(self) -> bytes:
        return self.answers.popleft()


def child_with(**limits: float) -> tuple[Silent, EvaluatorChild, float]:
    """It judges one context by evaluators with these limits; which are all that wait but `quick`.
    When it began."""
    loop, silent = asyncio.get_running_loop(), Silent()
    definitions = [
        EvaluatorDefinition(type_, type_, "metric", lambda _: None, timeout=limit)
        for type_, limit in limits.items()
    ]
    waiting = frozenset(limits) - {"quick"}
    entry, ignored = PluginEntry(source("./mine.py"), Path("/")), lambda _: None
    child = EvaluatorChild(
        entry, SecretMask(), ignored, silent, waiting, ignored, lambda _, __: None
    )
    checks = deque(
        OpenCheck(at, one, {}, loop.create_future()) for at, one in enumerate(definitions)
    )
    child.send([ChildJob({}, b"{}", checks)])
    return silent, child, loop.time()


async def test_those_that_wait_together_may_take_as_long_as_the_shortest_of_them_may() -> None:
    silent, child, began = child_with(ann=10.0, bob=20.0, quick=0.1)
    child.look(began + 9.5 + OWN_LIMIT_S, 0.0)
    assert not silent.is_killed
    child.look(began + 10.5 + OWN_LIMIT_S, 0.0)
    assert silent.is_killed


async def test_one_alone_may_take_as_long_as_it_may_itself() -> None:
    silent, child, began = child_with(quick=10.0, ann=1.0)
    child.look(began + 9.5, 0.0)
    assert not silent.is_killed
    child.look(began + 11.5, 0.0)
    assert silent.is_killed


async def test_what_we_took_ourselves_is_no_time_of_an_evaluator() -> None:
    silent, child, began = child_with(quick=10.0)
    child.look(began + 14.0, 5.0)
    assert not silent.is_killed


async def test_it_worked_for_as_long_as_it_says_that_judging_took() -> None:
    """By which it is decided whether another child would help: waiting for us is no work."""
    silent, child, began = child_with(quick=10.0)
    silent.answer = b'{"id": 0, "ms": 40, "value": {"success": true}}'
    child.is_ending = True
    assert not await child.serve(lambda: None)
    assert child.worked_s(began + 5.0) == 0.04
    assert child.worked_s(began + 6.0) == 0.0


async def test_it_works_while_something_is_open() -> None:
    _, child, began = child_with(quick=10.0)
    assert round(child.worked_s(began + 5.0), 3) == 5.0
    assert round(child.worked_s(began + 6.0), 3) == 1.0


async def test_room_for_more_is_looked_for_once_for_all_answers_that_are_here() -> None:
    loop, answering, looked = asyncio.get_running_loop(), Answering(), list[int]()
    entry, ignored = PluginEntry(source("./mine.py"), Path("/")), lambda _: None
    child = EvaluatorChild(
        entry, SecretMask(), ignored, answering, frozenset(), ignored, lambda _, __: None
    )
    quick = EvaluatorDefinition("quick", "Quick", "metric", lambda _: None)
    checks = [OpenCheck(at, quick, {}, loop.create_future()) for at in range(3)]
    child.send([ChildJob({}, b"{}", deque([one])) for one in checks])
    answering.answers += [
        b'{"id": %d, "value": {"success": true, "reason": "ok"}}' % one.id for one in checks
    ]
    child.is_ending = True
    await child.serve(lambda: looked.append(child.open_jobs))
    assert looked == [0]
    assert all(one.future.result().reason == "ok" for one in checks)
