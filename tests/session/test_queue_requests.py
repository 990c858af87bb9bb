"""What a request to a queue becomes: its words, its order, what is forgotten of it."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.events import ProblemFound, RunEnd
from evaltui.session.running.run import Run
from evaltui.session.running.run_request import RunRequest
from evaltui.store.row import Phase
from tests.session.test_agent_queue import Queued, queued

SUITE = "evals/find_order.golden.json"
C0, C1, C2 = (CaseKey(SUITE, f"c{number}") for number in range(3))


async def asked_last(line: Queued) -> list[str]:
    """Why runs began before one that is asked for now: runs wait for each other."""
    line.queue.enqueue(RunRequest({C0: None}, "the last"))
    await line.ear.until(lambda: any(run.reason == "the last" for run in line.ear.started()))
    return [run.reason for run in line.ear.started()][:-1]


async def test_a_save_is_named_by_the_run_that_it_leads_to(tmp_path: Path) -> None:
    async with queued(tmp_path, 2) as line:
        await line.agent.go_on("other")
        await line.change(1, "other")
        await line.ear.until(lambda: bool(line.ear.runs()))
        (run,) = line.ear.started()
        assert (run.reason, run.trigger, run.cases) == ("c1 message", (SUITE,), (C1,))


async def test_cancelling_forgets_what_waits(tmp_path: Path) -> None:
    async with queued(tmp_path, 2) as line:
        line.run()
        await line.agent.until_asked("m0")
        line.run()
        line.queue.cancel()
        assert await asked_last(line) == ["by hand"]
        assert line.ear.runs()[0].end is RunEnd.CANCELLED


async def test_a_request_for_nothing_runs_nothing(tmp_path: Path) -> None:
    async with queued(tmp_path, 1) as line:
        line.queue.enqueue(RunRequest({}, "for nothing"))
        line.queue.rejudge([])
        line.queue.rejudge([C0])
        assert await asked_last(line) == [], "there is no answer that could be judged again"


async def test_what_is_to_be_judged_again_is_judged_in_one_run(tmp_path: Path) -> None:
    async with queued(tmp_path, 3) as line:
        await line.agent.go_on("m0", "m1", "m2")
        line.run()
        await line.ear.until(lambda: bool(line.ear.runs()))
        line.agent.let_go.clear()
        line.run()
        await line.ear.until(lambda: len(line.ear.started()) == 2)
        told = [line.queue.is_rejudging]
        line.queue.rejudge([C0], ("a.json",))
        line.queue.rejudge([C2], ("b.json",))
        told.append(line.queue.is_rejudging)
        assert told == [False, True], "they wait for it"
        await line.agent.go_on("m0", "m1", "m2")
        await line.ear.until(lambda: len(line.ear.runs()) == 3)
        again = line.ear.started()[2]
        assert (again.is_rejudging, again.cases, again.trigger) == (True, (C0, C2), ("a.json",))
        assert (again.reason, again.eta_s) == ("by hand", None)
        assert line.ear.started()[1].eta_s is not None


async def test_judging_again_is_never_stopped_by_a_save(tmp_path: Path) -> None:
    async with queued(tmp_path, 1) as line:
        stopped: list[RunEnd] = []
        request = RunRequest({C0: None}, "", is_rejudging=True)
        on = SimpleNamespace(request=request, pending={}, stop=stopped.append)
        line.queue.run = cast("Run", on)
        told = [line.queue.is_rejudging]
        await line.change(0, "other")
        assert stopped == []
        line.queue.run = None
        told.append(line.queue.is_rejudging)
        assert told == [True, False]
        await line.agent.go_on("other")
        await line.ear.until(lambda: bool(line.ear.runs()))


async def test_a_run_that_breaks_off_is_told_and_the_next_one_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with queued(tmp_path, 1) as line:
        with monkeypatch.context() as broken:
            broken.setattr("evaltui.session.running.run.run_cases", lambda *_, **__: 1 / 0)
            line.run()
            await line.ear.until(lambda: bool(line.ear.runs()))
            await line.ear.until(lambda: bool(line.ear.all(ProblemFound)))
        (told,) = line.ear.all(ProblemFound)
        assert isinstance(told, ProblemFound) and told.problem.code == "run-broken"
        assert "ZeroDivisionError: division by zero" in told.problem.what
        assert line.ear.runs()[0].end is RunEnd.CANCELLED
        await line.agent.go_on("m0")
        assert await asked_last(line) == ["by hand"]


async def test_what_takes_the_place_of_a_run_tries_as_often_as_that_was_asked_to(
    tmp_path: Path,
) -> None:
    async with queued(tmp_path, 2) as line:
        line.queue.enqueue(RunRequest(dict.fromkeys((C0, C1)), "by hand", trials=2))
        await line.agent.until_asked("m0")
        await line.change(0, "other")
        await line.agent.go_on("other", "m1")
        await line.ear.until(lambda: len(line.ear.runs()) == 3)
        assert [run.trials for run in line.ear.started()] == [2, 2, 2]
        assert [line.cases_of(1), line.cases_of(2)] == [["c0"], ["c1"]]


async def test_what_takes_the_place_of_a_run_comes_before_what_waits(tmp_path: Path) -> None:
    async with queued(tmp_path, 2) as line:
        line.run()
        await line.agent.until_asked("m0")
        line.queue.enqueue(RunRequest({C1: None}, "waits"))
        await line.change(0, "other")
        await line.agent.go_on("other", "m1")
        await line.ear.until(lambda: len(line.ear.runs()) == 4)
        reasons = [run.reason for run in line.ear.started()]
        assert reasons == ["by hand", "c0 message", "by hand", "waits"]
        assert [line.cases_of(number) for number in (1, 2, 3)] == [["c0"], ["c1"], ["c1"]]


async def test_what_waits_behind_a_save_is_queued_whoever_wants_it(tmp_path: Path) -> None:
    """Of cases that are tried ten times two are saved, with one that is not among them."""
    async with queued(tmp_path, 4) as line:
        rows = line.queue.board.rows
        await line.agent.go_on("m0", "m1", "m2", "m3")
        line.run()
        await line.ear.until(lambda: bool(line.ear.runs()))
        line.agent.let_go.clear()
        keys = [key for key in rows if key.case != "c3"]
        line.queue.enqueue(RunRequest(dict.fromkeys(keys), "10 times", trials=10))
        await line.ear.until(lambda: len(line.ear.started()) == 2)
        line.messages[1:] = ["b1", "b2", "b3"]
        await line.change(0, "m0")
        await line.ear.until(lambda: len(line.ear.started()) == 3)
        assert {*line.cases_of(2)} == {"c1", "c2"}, "ten times, as they were asked for"
        phases = {key.case: row.phase for key, row in rows.items()}
        assert phases["c3"] is Phase.QUEUED, "it was saved too, and is tried once"
        assert phases["c0"] is Phase.QUEUED, "the rest of what was asked for"
        line.queue.cancel()
        await line.ear.until(lambda: len(line.ear.runs()) == 3)
        assert {row.phase for row in rows.values()} == {Phase.IDLE}
