"""A changed evaluator judges a kept conversation again; one that would end elsewhere is held."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.case import Tier
from evaltui.core.result import CaseStatus
from evaltui.session.running.run import Run
from tests.evaluators.loaded import evaluator
from tests.evaluators.loaded import write as file
from tests.projects import ORDERS, write_suite
from tests.session.running.test_rejudging import AGENT, asked, orders, project, statuses, watching

NAME, OTHER = "Two orders", "evals/find_order.golden.json"
LINES = ["Look up order SO-1", "And SO-2", "Thanks"]


def write(root: Path, *evaluators: tuple[str, dict[str, Any]]) -> None:
    written = {
        "name": NAME,
        "persona": {"lines": LINES},
        "evaluators": [{"type": type_, "config": config} for type_, config in evaluators],
    }
    (root / "evals" / "orders.scenario.json").write_text(json.dumps(written))


def prepared(root: Path) -> Path:
    project(root, 1)
    (root / "evals" / "find_order.golden.json").unlink()
    write(root, ("response-length", {"max": 100}))
    return root


async def test_a_changed_evaluator_gives_new_verdicts_and_asks_nobody(tmp_path: Path) -> None:
    root = prepared(tmp_path)
    async with watching(root) as (session, ear):
        assert statuses(session) == [CaseStatus.PASSED]
        assert asked(root) == 3
        write(root, ("response-length", {"max": 200}), ("tool-call-count", {}))
        await ear.until(lambda: bool(ear.runs()))
        (row,) = session.store.board(AGENT).rows.values()
        assert row.result is not None
        assert row.result.metrics == {"tool-call-count": 1.0}
        assert row.result.response is not None
        turns = row.result.response.conversation
        assert [len(turn.verdicts) for turn in turns] == [2, 2, 2]
        assert session.requests.due_keys(AGENT) == ()
    assert asked(root) == 3
    (started,) = ear.started()
    assert started.is_rejudging


async def test_a_verdict_that_ends_it_at_another_turn_has_it_held_again(tmp_path: Path) -> None:
    root = prepared(tmp_path)
    async with watching(root) as (session, ear):
        write(root, ("response-length", {"max": 3}))
        await ear.until(lambda: len(ear.runs()) == 2)
        assert statuses(session) == [CaseStatus.FAILED]
        (row,) = session.store.board(AGENT).rows.values()
        assert row.result is not None
        assert row.result.response is not None
        assert len(row.result.response.conversation) == 1
    assert asked(root) == 3 + 1


async def test_it_is_held_again_when_something_else_is_saved_while_it_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, judge_again = prepared(tmp_path), Run._judge_again
    begun, may_go_on = asyncio.Event(), asyncio.Event()

    async def held(run: Run) -> None:
        begun.set()
        await may_go_on.wait()
        await judge_again(run)

    async with watching(root) as (session, ear):
        monkeypatch.setattr(Run, "_judge_again", held)
        write(root, ("response-length", {"max": 3}))
        await begun.wait()
        write_suite(root, "find_order", ORDERS)
        stale = session.requests.due_keys
        await ear.until(lambda: OTHER in {key.suite for key in stale(AGENT)})
        may_go_on.set()
        row = next(one for one in session.store.board(AGENT).rows.values() if one.key.case == NAME)
        await ear.until(lambda: row.key not in stale(AGENT))
        assert row.result is not None
        assert row.result.response is not None
        assert len(row.result.response.conversation) == 1


async def test_one_that_becomes_auto_judges_scenarios_that_do_not_name_it_and_asks_nobody(
    tmp_path: Path,
) -> None:
    root = prepared(tmp_path)
    write_suite(root, "find_order", orders(1))
    settings = (root / "evaltui.toml").read_text()
    file(root, "evaltui.toml", f'evaluators = ["./checks/polite.py"]\n{settings}')
    file(root, "checks/polite.py", evaluator("return passed('well')", "polite"))
    async with watching(root) as (session, ear):
        assert asked(root) == 3 + 1
        file(root, "checks/polite.py", evaluator("return passed('well')", "polite", auto=True))
        await ear.until(lambda: bool(ear.runs()))
        rows = session.store.board(AGENT).rows.values()
        results = {row.case.tier: row.result for row in rows}
        scenario, golden = results[Tier.SCENARIO], results[Tier.GOLDEN]
        assert scenario is not None
        assert [one.check for one in scenario.verdicts] == ["polite", "response-length"]
        assert golden is not None
        assert "polite" not in [one.check for one in golden.verdicts]
        assert session.requests.due_keys(AGENT) == ()
    assert asked(root) == 3 + 1
