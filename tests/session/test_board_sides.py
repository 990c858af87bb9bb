"""The board at the gate: what is pinned against what is shown, by `config/gate.json`."""

import json
from pathlib import Path

from evaltui.session import Session
from evaltui.session.board_sides import pinned_side, results_side
from tests.projects import TOOLS, make_project, with_description, write_tools
from tests.session.test_session import AGENT, all_keys, opened


def write_gate(root: Path, **thresholds: object) -> None:
    (root / "config").mkdir(exist_ok=True)
    (root / "config/gate.json").write_text(json.dumps(thresholds))


async def pinned(session: Session) -> None:
    await session.run(all_keys(session))
    await session.baselines.pin(all_keys(session), AGENT)


async def test_both_sides_have_the_same_cases_and_figures(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        await pinned(session)
        board = session.store.board(AGENT)
        before, after = pinned_side(board), results_side(board)
    assert before is not None
    assert before.cases is not None
    assert after.cases is not None
    assert before.cases.keys() == after.cases.keys()
    assert before.dataset_id == after.dataset_id == "evals"
    assert before.summary["pass_rate"] == after.summary["pass_rate"] == 1.0


async def test_it_passes_and_fails_with_the_results(tmp_path: Path) -> None:
    write_gate(make_project(tmp_path), max_regressed_cases=0, min_pass_rate=0.9)
    async with opened(tmp_path) as (session, _):
        await session.run(all_keys(session))
        unpinned = session.gate(AGENT)
        assert unpinned is not None
        assert unpinned.failures == ("nothing is pinned to hold the results against",)
        await session.baselines.pin(all_keys(session), AGENT)
        decision = session.gate(AGENT)
        assert decision is not None
        assert (decision.passed, decision.failures) == (True, ())
    write_tools(tmp_path, with_description(str(TOOLS[0]["name"]), "Bakes bread."))
    async with opened(tmp_path) as (session, _):
        await session.run(all_keys(session))
        decision = session.gate(AGENT)
    assert decision is not None
    assert not decision.passed
    assert any(one.startswith("regressed cases") for one in decision.failures), decision.failures


async def test_without_thresholds_there_is_none_and_bad_ones_do_not_pass(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        await pinned(session)
        assert session.gate(AGENT) is None
        write_gate(tmp_path, min_pas_rate=0.9)
        decision = session.gate(AGENT)
        assert decision is not None
        assert not decision.passed
        assert "min_pass_rate" in decision.failures[0]
        write_gate(tmp_path)
        decision = session.gate(AGENT)
        assert decision is not None
        assert not decision.passed
