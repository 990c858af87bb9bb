"""What a run keeps of its results for the row of the next process, which has no calls at hand."""

from pathlib import Path

import pytest

from evaltui.core.agent import AgentRequest
from evaltui.core.comparison import Effect, ReportedEffect
from evaltui.core.events import DetailLoaded
from evaltui.core.response import AgentResponse, Execution, ToolCall
from evaltui.core.result import CaseStatus
from tests.projects import case, write_suite
from tests.session.test_session import all_keys, opened
from tests.simulated_agent import Simulated, simulate, simulated_project


async def test_a_pass_by_other_calls_says_what_differs_and_a_failure_what_was_expected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulate(monkeypatch)
    order = "SO-1"

    async def respond(_agent: Simulated, request: AgentRequest) -> AgentResponse:
        name = "find_order" if request.key.case == "passes" or order == "SO-1" else "cancel"
        calls = (ToolCall(name, {"order": order}),)
        return AgentResponse("", calls, execution=Execution.ROUTING)

    monkeypatch.setattr(Simulated, "respond", respond)
    root = simulated_project(tmp_path)
    cases = [case(name, "find_order", "find_order") for name in ("passes", "fails")]
    write_suite(root, "find_order", cases)
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
    order = "SO-2"
    async with opened(root) as (session, ear):
        await session.run(all_keys(session))
    told = [one.result for one in ear.heard if isinstance(one, DetailLoaded)]
    assert [(one.key.case, one.response is None) for one in told] == [("passes", False)]
    async with opened(root) as (session, _):
        rows = session.store.board("mine").rows.values()
        kept = {row.key.case: row.result for row in rows if row.result is not None}
    assert {name: (one.status, one.in_short) for name, one in kept.items()} == {
        "passes": (CaseStatus.PASSED, 'order "SO-1" → "SO-2"'),
        "fails": (CaseStatus.FAILED, "find_order → cancel"),
    }
    assert not any(one.response for one in kept.values())


async def test_the_history_keeps_what_the_run_told_of_each_result_muted_or_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = simulate(monkeypatch)
    root = simulated_project(tmp_path)
    write_suite(root, "find_order", [case(name, "find_order", "find_order") for name in "abc"])
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
        keys = {key.case: key for key in all_keys(session)}
        session.edits.mute("known", keys["b"])
        world.rate = lambda _name, request: float(request.key.case == "c")
        (run,) = await session.run(all_keys(session))
        assert (run.changes.worse, run.changes.as_before, run.changes.muted) == ((keys["a"],), 1, 1)
        newest = session.history.timeline("mine")[0]
        reported = session.history.results_between("mine", None, newest).reported
    assert reported == {
        keys["a"]: ReportedEffect(Effect.WORSE),
        keys["b"]: ReportedEffect(Effect.WORSE, is_muted=True),
        keys["c"]: ReportedEffect(Effect.AS_BEFORE),
    }
