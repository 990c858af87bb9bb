"""A pass of nothing counts as none, whoever asks: pin, mark, save, gate and evidence."""

from pathlib import Path
from typing import Any

import pytest

from evaltui.core.comparison import Effect
from evaltui.core.proof import Standing
from evaltui.core.result import CaseStatus
from evaltui.core.statistics.trials import Trials
from evaltui.session import Session
from evaltui.store.row import Row
from evaltui.store.row_status import RowStatus
from tests.projects import MUSIC, case, make_project, write_suite
from tests.session.test_board_sides import decided, write_gate
from tests.session.test_session import AGENT, Ear, all_keys, opened, watched
from tests.session.trials.test_further_trials import pinned as pinned_fresh
from tests.simulated_agent import simulate, simulated_project

CASE = "gs-x-9"


def write(root: Path, **expect: Any) -> None:
    write_suite(root, "play_music", [*MUSIC, nothing(**expect)])


def nothing(**expect: Any) -> dict[str, Any]:
    return {"id": CASE, "description": "", "input": {"message": "Hello"}, "expect": expect}


def row_of(session: Session) -> Row:
    rows = session.store.board(AGENT).rows.values()
    (row,) = [one for one in rows if one.key.case == CASE]
    return row


async def pinned(session: Session, ear: Ear) -> None:
    await session.baselines.pin(all_keys(session), AGENT)
    ear.heard.clear()


async def test_the_gate_passes_right_after_all_was_pinned(tmp_path: Path) -> None:
    write(make_project(tmp_path))
    asked = [{"dimension": "tone", "maxScore": 5, "criteria": "kind"}]
    rubric = {"id": "gs-r-1", "description": "", "input": {"message": "Hi"}, "rubric": asked}
    write_suite(tmp_path, "kind", [rubric])
    write_gate(tmp_path, max_regressed_cases=0, min_pass_rate=0.9, max_pass_rate_drop=0.0)
    async with opened(tmp_path) as (session, ear):
        await session.run(all_keys(session))
        await pinned(session, ear)
        assert row_of(session).status is RowStatus.NOTHING_ASSERTED
        decision = await decided(session)
        assert decision is not None
        assert (decision.passed, decision.failures) == (True, ())
        before, after = await session.pinned_side(AGENT), await session.results_side(AGENT)
    assert before is not None
    assert before.cases is not None
    assert after.cases is not None
    assert before.cases.keys() == after.cases.keys()
    assert not any(name.endswith((CASE, "gs-r-1")) for name in before.cases)
    assert before.summary["passed_cases"] == after.summary["passed_cases"] == 3


async def test_a_first_assertion_that_fails_is_new_and_no_regression(tmp_path: Path) -> None:
    write(make_project(tmp_path))
    async with watched(tmp_path) as (session, ear):
        await pinned(session, ear)
        pin = row_of(session).baseline
        assert pin is not None
        assert pin.status is CaseStatus.SKIPPED
        write(tmp_path, toolsCalled=["play_music"])
        await ear.until(lambda: bool(ear.runs()))
        (run,), row = ear.runs(), row_of(session)
    assert (row.status, row.changed, row.marks) == (RowStatus.FAILED, Effect.NEW, ())
    assert (run.changes.new, run.changes.worse, run.proven) == (1, (), ())
    assert [suite.regressions for suite in run.suites] == [()] * len(run.suites)


@pytest.mark.parametrize("is_pinned_so", [True, False])
async def test_trials_that_asserted_nothing_prove_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_pinned_so: bool
) -> None:
    """Neither that it got worse with its first assertion, nor better without its last one."""
    world, trials = simulate(monkeypatch), Trials(20, 0) if is_pinned_so else Trials(0, 20)
    one = case("gs-000", "find_order", "find_order")
    then, now = {**one, "expect": {}}, one
    if not is_pinned_so:
        then, now = now, then
    world.rate = lambda _, request: float(request.key.case != "gs-000")
    write_suite(simulated_project(tmp_path, 3), "find_order", [then, *others()])
    await pinned_fresh(tmp_path, world, trials)
    write_suite(tmp_path, "find_order", [now, *others()])
    async with opened(tmp_path) as (session, _):
        (run,) = await session.run(all_keys(session), trials=6)
        row = session.store.board("mine").rows[all_keys(session)[0]]
        # The others were not edited; what asserts nothing any more is on no list, and counts.
        assert session.evidence("mine").level.affected == (0 if is_pinned_so else 1)
    assert row.result is not None
    assert row.result.status is (CaseStatus.FAILED if is_pinned_so else CaseStatus.PASSED)
    assert (row.marks, run.proven) == ((), ())
    assert row.proof is None or row.proof.standing is Standing.OPEN


def others() -> list[dict[str, Any]]:
    return [case(f"gs-{number:03}", "find_order", "find_order") for number in (1, 2)]


async def test_what_asserts_nothing_any_more_is_no_new_pass(tmp_path: Path) -> None:
    write(make_project(tmp_path), toolsCalled=["play_music"])
    async with watched(tmp_path) as (session, ear):
        await pinned(session, ear)
        write(tmp_path)
        await ear.until(lambda: bool(ear.runs()))
        (run,), row = ear.runs(), row_of(session)
    assert (row.status, row.changed) == (RowStatus.NOTHING_ASSERTED, Effect.NEW)
    assert row.marks == ()
    assert [suite.new_passes for suite in run.suites] == [()] * len(run.suites)
