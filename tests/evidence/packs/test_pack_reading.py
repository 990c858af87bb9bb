"""A pack as a suite with results: what was judged, what was decided, what was tampered with."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.errors import UserError
from evaltui.core.result import CaseStatus
from evaltui.evidence.gates.decision_reading import read_gate
from evaltui.evidence.gates.gate_decision import COMPARISON, DECISION
from evaltui.evidence.packs.pack_reading import UNNAMED_AGENT, read_pack, read_trajectory
from evaltui.evidence.packs.pack_shapes import AGENT_RUN
from evaltui.evidence.run_config import RunConfig
from evaltui.evidence.score_suite import score_suite
from evaltui.traces.reading import read_suite, trace_body

EVENTS = [
    {"idx": 0, "actor": "user", "type": "message", "input": "Where is it?"},
    {"idx": 1, "actor": "assistant", "type": "message", "output": "Here", "latency_ms": 20},
]
CASES: list[dict[str, Any]] = [
    {"case_id": "good", "input": "Where is it?", "trace": EVENTS, "regex_patterns": ["Here"]},
    {"case_id": "bad", "input": "x", "trace": EVENTS, "regex_patterns": ["There"]},
    {"case_id": "../../a/../b", "input": "x", "trace": EVENTS},
]


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    out = tmp_path / "candidate"
    suite = read_suite(json.dumps({"dataset_id": "d", "cases": CASES}).encode())
    config = RunConfig("d", (), run_id="run-1", agent_version="mine/2")
    asyncio.run(score_suite(suite, out, config, judges=(), folder=tmp_path))
    return out


def test_it_holds_what_was_judged(pack: Path) -> None:
    found = read_pack(pack)
    assert (found.run_id, found.dataset_id, found.agent) == ("run-1", "d", "mine/2")
    by_case = {one.key.case: one for one in found.results}
    assert {id_: one.status for id_, one in by_case.items()} == {
        "good": CaseStatus.PASSED,
        "bad": CaseStatus.FAILED,
        "../../a/../b": CaseStatus.PASSED,
    }
    assert by_case["bad"].error == "regex pattern mismatch: missing patterns There"
    assert by_case["bad"].category == "assertion"
    assert by_case["good"].duration_ms == 20
    assert found.problems == ()
    assert found.gate is None
    assert found.made_at > 1e9


@pytest.mark.parametrize("id_", ["bad", "gs::bad-001"])
def test_cases_of_eval_files_stand_below_their_file_with_the_reason_that_was_told(
    pack: Path, id_: str
) -> None:
    told = "regex pattern mismatch: missing patterns There"
    (pack / "run/config.json").write_text(json.dumps({"execution_mode": AGENT_RUN}))
    trajectory, verdicts = (pack / f"cases/bad/{one}.json" for one in ("trajectory", "verdicts"))
    trajectory.write_text(trajectory.read_text().replace('"bad"', f'"evals/a.trace.json::{id_}"'))
    verdicts.write_text(verdicts.read_text().replace("regex pattern mismatch", told))
    found = read_pack(pack)
    assert [one.id for one in found.suites] == [pack.name, "evals/a.trace.json"]
    (bad,) = (one for one in found.results if one.key.case == id_)
    assert (bad.key.suite, bad.error) == ("evals/a.trace.json", told)


@pytest.mark.parametrize("id_", ["good", "../../a/../b"])
def test_one_trajectory_is_found_by_its_id(pack: Path, id_: str) -> None:
    case = read_trajectory(pack, id_)
    assert case is not None
    assert case.id == id_
    assert len(trace_body(case).trace) == 2
    assert read_trajectory(pack, "nobody") is None


def test_what_was_changed_or_broken_is_told_and_the_rest_is_shown(pack: Path) -> None:
    (pack / "cases/good/verdicts.json").write_text("{")
    file = pack / "cases/bad/trajectory.json"
    file.write_text(file.read_text().replace("There", "Here"))
    found = read_pack(pack)
    told = {one.file: one.what for one in found.problems}
    assert "was changed after its pack was written" in told["cases/bad/trajectory.json"]
    assert "cases/good/verdicts.json" in told
    assert len(found.suites[0].cases) == 3
    assert {one.key.case for one in found.results} == {"bad", "../../a/../b"}


def test_every_file_of_the_manifest_is_held_against_it_and_cases_that_it_does_not_name(
    pack: Path,
) -> None:
    summary = pack / "run/summary.json"
    summary.write_text(summary.read_text().replace('"passed_cases": 2', '"passed_cases": 3'))
    (pack / "run/events.jsonl").unlink()
    (pack / "cases/new").mkdir()
    (pack / "cases/new/trajectory.json").write_text(json.dumps({"case_id": "n", "trace": []}))
    (pack / "compare/notes.txt").write_text("written later, as it may be")
    told = {one.file: one.what.split(" its pack")[0] for one in read_pack(pack).problems}
    assert "cases/new/verdicts.json" in told
    del told["cases/new/verdicts.json"]
    assert told == {
        "run/summary.json": "was changed after",
        "run/events.jsonl": "is gone since",
        "cases/new/trajectory.json": "was added after",
    }


def gated(pack: Path) -> None:
    """Compared with itself, and passed."""
    assert run_command(["compare", "--baseline", str(pack), "--candidate", str(pack)]) == 0
    argv = ["gate", "--compare", str(pack / COMPARISON), "--max-regressed-cases", "0"]
    assert run_command(argv) == 0


def test_a_decision_about_another_comparison_than_lies_beside_it_never_passes(pack: Path) -> None:
    gated(pack)
    comparison = json.loads((pack / COMPARISON).read_text())

    def decided(**other: object) -> tuple[bool, bool, str]:
        (pack / COMPARISON).write_text(json.dumps({**comparison, **other}))
        found = read_gate(pack, "run-1")
        assert found is not None
        return found.passed, found.is_outdated, " ".join(found.failures)

    assert decided() == (True, False, "")
    passed, is_outdated, why = decided(baseline_run_id="b")
    assert (passed, is_outdated) == (False, True)
    assert "about run-1 → run-1, not about b → run-1" in why
    assert decided(generated_at="11:00") == (True, False, ""), "the same, made again"
    passed, is_outdated, why = decided(generated_at="11:00", regressions=["pass_rate decreased"])
    assert (passed, is_outdated) == (False, True)
    assert "compared again since" in why
    (pack / DECISION).write_text(json.dumps({"passed": False, "failures": ["asked again"]}))
    assert decided(generated_at="11:00") == (False, False, "asked again")


def test_what_passed_does_not_pass_any_more_once_the_pack_was_changed(pack: Path) -> None:
    gated(pack)
    gate = read_pack(pack).gate
    assert gate is not None and gate.passed
    (pack / "run/events.jsonl").write_text("")
    gate = read_pack(pack).gate
    assert gate is not None and not gate.passed
    assert "changed after it was written" in gate.failures[0]


def test_a_link_out_of_the_pack_is_not_followed(pack: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "trajectory.json").write_text(json.dumps({"case_id": "secret", "trace": []}))
    (pack / "cases" / "link").symlink_to(elsewhere)
    assert "secret" not in {case.id for case in read_pack(pack).suites[0].cases}


def test_a_pack_of_another_program_may_tell_less(pack: Path) -> None:
    manifest = json.loads((pack / "manifest.json").read_text())
    (pack / "manifest.json").write_text(json.dumps({"run_id": manifest["run_id"]}))
    (pack / "run/config.json").write_text("{}")
    found = read_pack(pack)
    assert (found.agent, len(found.results)) == (UNNAMED_AGENT, 3)


def test_what_is_no_pack_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="not an evidence pack"):
        read_pack(tmp_path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            '{"passed": true, "failures": [], "candidate_run_id": "run-1"}',
            "no comparison next to",
        ),
        (
            '{"passed": true, "failures": [], "candidate_run_id": "run-0"}',
            "is about ? → run-0",
        ),
        ('{"passed": true, "failures": []}', "is about ? → ?"),
        ('{"passed": false, "failures": ["too few"]}', "too few"),
        ('{"passed": true, "failures": ["too few"], "candidate_run_id": "run-1"}', "few"),
        ('{"passed": false}', "no reason"),
        ('{"passed": "true"}', "`passed`"),
        ('{"passed": true, "failures": 5}', "`failures`"),
        ("{}", "`passed` is missing"),
        ("{", "cannot be read"),
        ("[]", "cannot be read"),
    ],
)
def test_a_decision_passes_only_where_it_says_so_plainly(pack: Path, text: str, says: str) -> None:
    (pack / DECISION).write_text(text)
    found = read_gate(pack, "run-1")
    assert found is not None
    assert not found.passed
    assert says in " ".join(found.failures)
