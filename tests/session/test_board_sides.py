"""The board at the gate: what is pinned against what is shown, by `config/gate.json`."""

import asyncio
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from evaltui.evidence.compared.comparing import compare
from evaltui.evidence.compared.side import read_side
from evaltui.evidence.gates.gate_decision import GateDecision
from evaltui.reporters.evidence import write_pack
from evaltui.session import Session
from evaltui.session.board_as_pack import BoardEvidence
from evaltui.settings.load import load_config
from evaltui.store.row import Row
from tests.evaluators.loaded import write
from tests.projects import (
    MUSIC,
    TOOLS,
    make_project,
    with_description,
    write_suite,
    write_tools,
)
from tests.session.running.test_rejudging import AGENT as JUDGED
from tests.session.running.test_rejudging import watching
from tests.session.test_evaluators import judged, threshold
from tests.session.test_session import AGENT, all_keys, opened


def write_gate(root: Path, **thresholds: object) -> None:
    (root / "config").mkdir(exist_ok=True)
    (root / "config/gate.json").write_text(json.dumps(thresholds))


async def pinned(session: Session) -> None:
    await session.run(all_keys(session))
    await session.baselines.pin(all_keys(session), AGENT)


def rows_of(session: Session) -> Iterable[Row]:
    return session.store.board(AGENT).rows.values()


async def decided(session: Session) -> GateDecision | None:
    """Once the results are read."""
    await session.results_side(AGENT)
    return session.gate(AGENT)


async def test_nothing_is_decided_before_the_session_is_open(tmp_path: Path) -> None:
    write_gate(make_project(tmp_path), min_pass_rate=0.5)
    session = Session(load_config(tmp_path, {}).config)
    session.store.board(AGENT)
    assert session.gate(AGENT) is None


async def test_both_sides_have_the_same_cases_and_figures(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        await pinned(session)
        before, after = await session.pinned_side(AGENT), await session.results_side(AGENT)
    assert before is not None
    assert before.cases is not None
    assert after.cases is not None
    assert before.cases.keys() == after.cases.keys()
    assert before.dataset_id == after.dataset_id == "evals"
    assert before.summary["pass_rate"] == after.summary["pass_rate"] == 1.0


async def test_groups_of_the_files_come_along(tmp_path: Path) -> None:
    write_suite(make_project(tmp_path), "play_music", [{**one, "group": "g"} for one in MUSIC])
    async with opened(tmp_path) as (session, _):
        await session.run(all_keys(session))
        side = await session.results_side(AGENT)
    assert side.cases is not None
    told = {(id_.partition("::")[0], row.group) for id_, row in side.cases.items()}
    assert {(name.rpartition("/")[2].partition(".")[0], group) for name, group in told} == {
        *(("find_order", ""), ("play_music", "g")),
    }


async def test_it_passes_and_fails_with_the_results(tmp_path: Path) -> None:
    write_gate(make_project(tmp_path), max_regressed_cases=0, min_pass_rate=0.9)
    async with opened(tmp_path) as (session, _):
        await session.run(all_keys(session))
        unpinned = await decided(session)
        assert unpinned is not None
        assert unpinned.failures == ("nothing is pinned to compare the results with",)
        await session.baselines.pin(all_keys(session), AGENT)
        decision = await decided(session)
        assert decision is not None
        assert (decision.passed, decision.failures) == (True, ())
    write_tools(tmp_path, with_description(str(TOOLS[0]["name"]), "Bakes bread."))
    async with opened(tmp_path) as (session, _):
        await session.run(all_keys(session))
        decision = await decided(session)
    assert decision is not None
    assert not decision.passed
    assert any(one.startswith("regressed cases") for one in decision.failures), decision.failures


async def test_without_thresholds_there_is_none_and_bad_ones_do_not_pass(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        await pinned(session)
        assert await decided(session) is None
        (tmp_path / "config").symlink_to("nowhere")
        decision = await decided(session)
        assert decision is not None
        assert not decision.passed
        (tmp_path / "config").unlink()
        write_gate(tmp_path, min_pas_rate=0.9)
        decision = await decided(session)
        assert decision is not None
        assert not decision.passed
        assert "min_pass_rate" in decision.failures[0]
        write_gate(tmp_path)
        decision = await decided(session)
        assert decision is not None
        assert not decision.passed


async def test_the_board_is_the_evidence_that_a_pack_of_its_run_is(tmp_path: Path) -> None:
    make_project(tmp_path)
    write_tools(tmp_path, with_description(str(TOOLS[0]["name"]), "Bakes bread."))
    async with opened(tmp_path) as (session, _):
        (run,) = await session.run(all_keys(session))
        suites = {suite.id: suite for suite in session.project.suites}
        write_pack(run, tmp_path / "pack", suites, ())
    pack = read_side(tmp_path / "pack")
    async with opened(tmp_path) as (session, _):  # where results are known as the history has them
        shown = await session.results_side(AGENT)
        assert not all(row.result.verdicts for row in rows_of(session) if row.result)
    report = compare(pack, shown, reference={})
    assert report["compatibility"]["passed"]
    assert report["overview"]["total_candidate_cases"] > report["metrics"]["pass_rate"]["baseline"]
    assert any(one["candidate"] < 1 for one in report["judge_metrics"].values())
    assert not any(one["delta"] for one in report["judge_metrics"].values())
    assert not any(one["delta"] for one in report["failure_clusters"]["delta_ranked"])
    assert shown.measurements == pack.measurements


async def test_against_what_is_pinned_no_kind_of_failure_is_made_up(tmp_path: Path) -> None:
    make_project(tmp_path)
    write_tools(tmp_path, with_description(str(TOOLS[0]["name"]), "Bakes bread."))
    async with opened(tmp_path) as (session, _):
        await pinned(session)  # with cases that fail
        before, after = await session.pinned_side(AGENT), await session.results_side(AGENT)
        assert before is not None
        assert after.summary["failed_cases"]
    report = compare(before, after, reference={})
    assert report["judges_compared"] is False, "of pins only that is known what passed"
    assert report["failure_clusters"]["delta_ranked"] == report["triage"]["top_clusters"] == []
    assert compare(after, after, reference={})["judges_compared"] is True


async def test_the_gate_knows_latency_and_cost(tmp_path: Path) -> None:
    write_gate(make_project(tmp_path), max_p95_latency_ms=0)
    async with opened(tmp_path) as (session, _):
        await pinned(session)
        decision = await decided(session)
        assert decision is not None
        assert decision.failures[0].endswith("exceeds max_p95_latency_ms 0.0")
        write_gate(tmp_path, max_p95_latency_ms=1e9)
        decision = session.gate(AGENT)
        assert decision is not None
        assert decision.passed, "saved thresholds hold at once"


async def test_two_that_ask_at_once_have_the_results_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings, read = [], BoardEvidence.read

    def counted(evidence: BoardEvidence, *about: Any) -> Any:
        readings.append(about)
        return read(evidence, *about)

    monkeypatch.setattr(BoardEvidence, "read", counted)
    async with opened(make_project(tmp_path)) as (session, _):
        await session.run(all_keys(session))
        await asyncio.gather(session.results_side(AGENT), session.pinned_side(AGENT))
    assert len(readings) == 1


async def test_it_warns_of_evaluators_that_were_edited_since_the_pin(tmp_path: Path) -> None:
    root = judged(tmp_path, count=2)
    write_gate(root, max_regressed_cases=0)
    said = (
        "the code of `long-enough` was changed since the baseline: look whether the same answers"
        " pass, since no figure tells"
    )
    async with watching(root) as (session, ear):
        await session.baselines.pin(all_keys(session), JUDGED)
        await session.results_side(JUDGED)
        first = session.gate(JUDGED)
        assert first is not None and (first.passed, first.warnings) == (True, ())
        write(root, "checks/length.py", threshold(4))
        await ear.until(lambda: bool(ear.runs()))
        await session.results_side(JUDGED)
        decision = session.gate(JUDGED)
    assert decision is not None
    assert (decision.passed, decision.warnings) == (True, (said,))
