"""A changed evaluator judges a kept conversation again; one that would end elsewhere is held."""

import json
from pathlib import Path
from typing import Any

from evaltui.core.result import CaseStatus
from tests.session.test_rejudging import AGENT, asked, project, statuses, watching

LINES = ["Look up order SO-1", "And SO-2", "Thanks"]


def write(root: Path, *evaluators: tuple[str, dict[str, Any]]) -> None:
    written = {
        "name": "Two orders",
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
        assert session.requests.stale_keys(AGENT) == ()
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
