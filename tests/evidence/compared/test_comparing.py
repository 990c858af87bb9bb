"""What a comparison says of two runs, and which runs cannot be compared."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.errors import UserError
from evaltui.evidence.case_row import CaseRow
from evaltui.evidence.compared.comparing import compare
from evaltui.evidence.compared.side import Side, read_side, refuse_doctored
from evaltui.evidence.gates.gating import gate
from evaltui.traces.judge_row import JudgeRow
from tests.evidence.made_packs import (
    BAD,
    GOOD,
    as_other_program,
    hashed_anew,
    made_pack,
    read,
    says,
    suite_of,
)


def compared(before: Path, after: Path, *, allow: bool = False) -> dict[str, Any]:
    return compare(read_side(before), read_side(after), reference={}, allow_incompatible=allow)


def pack_of(out: Path, *cases: dict[str, Any], flags: tuple[str, ...] = ()) -> Path:
    return made_pack(out, suite_of(out.with_suffix(".json"), *cases), *flags)


def test_the_report_has_what_programs_read(tmp_path: Path) -> None:
    before, after = made_pack(tmp_path / "a", GOOD), made_pack(tmp_path / "b", BAD)
    report = compared(before, after)
    assert (report["baseline_run_id"], report["candidate_run_id"]) == ("a", "b")
    assert report["metrics"]["pass_rate"] == {
        "name": "pass_rate",
        "baseline": 1.0,
        "candidate": 0.0,
        "delta": -1.0,
    }
    (case,) = report["case_regressions"]
    assert (case["case_id"], case["regressed"], case["improved"]) == ("case-1", True, False)
    assert case["judge_score_deltas"]["policy"]["delta"] == -1.0
    assert report["regressions"] == [
        "pass_rate decreased",
        "hard_fail_rate increased",
        "json_schema pass rate decreased",
        "policy pass rate decreased",
        "regex pass rate decreased",
        "tool_contract pass rate decreased",
        "case regressed: case-1",
    ]
    assert report["overview"] == {
        "total_baseline_cases": 1,
        "total_candidate_cases": 1,
        "regressed_cases": 1,
        "improved_cases": 0,
        "new_hard_fail_cases": 1,
        "resolved_hard_fail_cases": 0,
        "risk_level": "high",
    }
    assert report["failure_clusters"]["delta_ranked"][1] == {
        "cluster": "policy:policy violations detected",
        "baseline_count": 0,
        "candidate_count": 1,
        "delta": 1,
    }
    assert report["release_impact"] == {
        "impact_score": 100.0,
        "impact_level": "critical",
        "recommendation": "block",
    }
    assert report["aggregate_result"]["regression_delta"] == -1.0
    back = compared(after, before)
    assert back["overview"]["improved_cases"] == back["overview"]["resolved_hard_fail_cases"] == 1
    assert (back["regressions"], back["overview"]["risk_level"]) == ([], "low")


def test_a_report_and_a_bare_summary_are_sides_too(tmp_path: Path) -> None:
    pack = made_pack(tmp_path / "a", BAD)
    by_report = compared(pack / "report.json", pack)
    assert by_report["regressions"] == [] and by_report["cases_compared"]
    old = tmp_path / "old.json"
    old.write_text(json.dumps({"run_id": "o", "total": 4, "passed": 3, "hard_fail_count": 1}))
    report = compared(old, pack, allow=True)
    assert report["metrics"]["pass_rate"]["baseline"] == 0.75
    assert report["metrics"]["hard_fail_rate"]["baseline"] == 0.25
    assert not report["cases_compared"]


@pytest.mark.parametrize(
    ("cases", "flags", "check"),
    [
        ((says("a", "yes"),), (), "total_cases_match"),
        ((says("a", "yes"), says("c", "yes")), (), "case_id_set_match"),
        ((says("a", "yes"), says("b", "yes")), ("--judge", "policy"), "judges_match"),
    ],
)
def test_runs_that_are_not_alike_are_not_compared(
    cases: tuple[dict[str, Any], ...], flags: tuple[str, ...], check: str, tmp_path: Path
) -> None:
    before = pack_of(tmp_path / "before", says("a", "yes"), says("b", "yes"))
    after = pack_of(tmp_path / "after", *cases, flags=flags)
    with pytest.raises(UserError, match=f"{check} failed"):
        compared(before, after)
    assert f"{check} failed" in compared(before, after, allow=True)["compatibility"]["failures"]


def test_other_settings_of_a_judge_are_not_alike(tmp_path: Path) -> None:
    wide = tmp_path / "wide.json"
    wide.write_text('{"expected_numeric": {"tolerance": 100}}')
    judge = ("--judge", "expected_numeric")
    before = pack_of(tmp_path / "before", says("a", "1"), flags=judge)
    after = pack_of(tmp_path / "after", says("a", "1"), flags=(*judge, "--judge-config", str(wide)))
    with pytest.raises(UserError, match="judge_configs_match"):
        compared(before, after)


def test_judges_that_skipped_a_case_on_both_sides_are_listed_with_its_scores(
    tmp_path: Path,
) -> None:
    before = pack_of(tmp_path / "before", says("a", "yes"), says("b", "yes"))
    policy = {"policy": {"forbidden_tools": ["x"]}}
    after = pack_of(tmp_path / "after", says("a", "no", **policy), says("b", "yes"))
    (case,) = compared(before, after)["case_regressions"]
    deltas = {name: one["delta"] for name, one in case["judge_score_deltas"].items()}
    assert (deltas["regex"], deltas["json_schema"], deltas["policy"]) == (-1.0, 0.0, None)
    assert case["judge_score_deltas"]["json_schema"]["baseline"] == 1.0


def test_a_case_that_is_gone_is_worse(tmp_path: Path) -> None:
    before = pack_of(tmp_path / "before", says("a", "yes"), says("b", "yes"))
    after = pack_of(tmp_path / "after", says("a", "yes"))
    (gone,) = compared(before, after, allow=True)["case_regressions"]
    assert (gone["case_id"], gone["candidate_passed"], gone["regressed"]) == ("b", None, True)


def test_a_case_that_had_failed_and_is_gone_is_neither_worse_nor_better(tmp_path: Path) -> None:
    before = pack_of(tmp_path / "before", says("a", "yes"), says("b", "no"))
    after = pack_of(tmp_path / "after", says("a", "yes"))
    (gone,) = compared(before, after, allow=True)["case_regressions"]
    assert (gone["case_id"], gone["candidate_passed"]) == ("b", None)
    assert (gone["regressed"], gone["improved"]) == (False, False)


def test_a_score_that_fell_in_a_case_that_failed_anyway_is_told(tmp_path: Path) -> None:
    patterns = {"regex_patterns": ["one", "two", "three"]}
    before = pack_of(tmp_path / "before", says("a", "one", **patterns))
    after = pack_of(tmp_path / "after", says("a", "nothing", **patterns))
    report = compared(before, after)
    assert report["regressions"] == ["score decreased: a (regex)"]
    assert report["score_regressions"][0]["delta"] == pytest.approx(-1 / 3)


@pytest.mark.parametrize(("less", "is_told"), [(1e-16, False), (1e-6, True)])
def test_a_score_that_is_rounded_otherwise_has_not_fallen(less: float, is_told: bool) -> None:
    sides = []
    for score in (2 / 3, 2 / 3 - less):
        row = JudgeRow("regex", passed=False, score=score)
        case = CaseRow("a", passed=False, judge_results=(row,))
        sides.append(Side(Path(), {}, cases={"a": case}))
    assert sides[0] != sides[1]
    report = compare(*sides, reference={})
    assert bool(report["score_regressions"]) is bool(report["regressions"]) is is_told


def test_a_judge_for_which_there_is_nothing_left_is_no_worse(tmp_path: Path) -> None:
    before = pack_of(tmp_path / "before", says("a", "yes"))
    after = pack_of(tmp_path / "after", says("a", "yes", regex_patterns=[]))
    report = compared(before, after)
    assert report["regressions"] == []
    assert report["judge_metrics"]["regex"]["delta"] is None
    decision = gate(report, {"min_pass_rate": 1.0})  # its checks may have been taken out
    assert "judges of the baseline judged nothing: regex" in decision["failures"]


@pytest.mark.parametrize(
    ("output", "told", "wrong"),
    [
        ("no", {"passed": True}, "`a` passed, though its judge `regex` did not"),
        ("no", {"hard_failed": False}, "`a` did not fail hard, though its judge `regex` did"),
        ("yes", {"passed": False}, "`a` did not pass, though all its judges did"),
        ("yes", {"hard_failed": True}, "`a` failed hard, though none of its judges did"),
    ],
)
def test_a_case_that_tells_other_than_its_judges_is_refused_whatever_the_hashes_say(
    output: str, told: dict[str, Any], wrong: str, tmp_path: Path
) -> None:
    good = pack_of(tmp_path / "good", says("a", "yes"))
    other = pack_of(tmp_path / "other", says("a", output))
    for name in ("report.json", "cases/a/verdicts.json"):
        found = read(other / name)
        (found["cases"][0] if "cases" in found else found).update(told)
        (other / name).write_text(json.dumps(found))
    hashed_anew(other, "report.json", "cases/a/verdicts.json")
    for sides in ((good, other), (other, good), (good, other / "report.json")):
        with pytest.raises(UserError, match=wrong):
            compared(*sides)
    with pytest.raises(UserError, match=wrong):
        refuse_doctored(other)


@pytest.mark.parametrize("name", ["report.json", "run/summary.json"])
def test_what_was_changed_of_what_is_read_is_refused_on_either_side(
    name: str, tmp_path: Path
) -> None:
    good, bad = made_pack(tmp_path / "a", GOOD), made_pack(tmp_path / "b", BAD)
    path = bad / name
    path.write_bytes(path.read_bytes() + b" ")
    for sides in ((good, bad), (bad, good)):
        with pytest.raises(UserError, match=f"{name}` was changed"):
            compared(*sides)
    path.unlink()
    with pytest.raises(UserError, match=f"{name}` is gone"):
        compared(good, bad)


def test_what_is_read_does_not_lead_out_of_the_pack(tmp_path: Path) -> None:
    good, bad = made_pack(tmp_path / "a", GOOD), made_pack(tmp_path / "b", BAD)
    (bad / "report.json").rename(tmp_path / "report.json")
    (bad / "report.json").symlink_to(tmp_path / "report.json")
    with pytest.raises(UserError, match="json` leads out of the pack"):
        compared(good, bad)


@pytest.mark.parametrize("name", ["run/config.json", "cases/case-1/verdicts.json"])
def test_without_a_report_what_is_read_instead_is_held(name: str, tmp_path: Path) -> None:
    good, bad = made_pack(tmp_path / "a", GOOD), made_pack(tmp_path / "b", BAD)
    (bad / "report.json").unlink()
    hashed_anew(bad, "report.json")
    assert compared(good, bad)["case_regressions"]
    (bad / name).write_bytes((bad / name).read_bytes() + b" ")
    with pytest.raises(UserError, match=f"{name}` was changed"):
        compared(good, bad)


def test_a_trace_that_says_what_was_asserted_is_held(tmp_path: Path) -> None:
    good, bad = made_pack(tmp_path / "a", GOOD), made_pack(tmp_path / "b", BAD)
    hashes = read(bad / "manifest.json")["file_hashes"]
    as_other_program(bad)  # its report tells nothing of what was asserted
    manifest = {**read(bad / "manifest.json"), "file_hashes": hashes}
    (bad / "manifest.json").write_text(json.dumps(manifest))
    hashed_anew(bad, "report.json")
    assert compared(good, bad)["lost_checks"] == []
    trace = bad / "cases" / "case-1" / "trajectory.json"
    trace.write_bytes(trace.read_bytes() + b" ")
    with pytest.raises(UserError, match="json` was changed"):
        compared(good, bad)


def test_what_later_commands_wrote_is_no_change(tmp_path: Path) -> None:
    good, bad = made_pack(tmp_path / "a", GOOD), made_pack(tmp_path / "b", BAD)
    manifest = json.loads((bad / "manifest.json").read_text())
    manifest["file_hashes"]["compare/baseline_delta.json"] = "0" * 64
    (bad / "manifest.json").write_text(json.dumps(manifest))
    assert compared(good, bad)["regressions"]


def report_as_passed(pack: Path) -> None:
    path = pack / "report.json"
    report = json.loads(path.read_bytes())
    for case in report["cases"]:
        case["passed"] = True
    path.write_text(json.dumps(report))


@pytest.mark.parametrize("rest", [None, {}, "no key", "not those"])
def test_a_pack_of_ours_that_lost_its_hashes_is_refused(rest: object, tmp_path: Path) -> None:
    good, bad = made_pack(tmp_path / "a", GOOD), made_pack(tmp_path / "b", BAD)
    path = bad / "manifest.json"
    manifest = json.loads(path.read_bytes())
    if rest == "not those":
        del manifest["file_hashes"]["report.json"], manifest["file_hashes"]["run/summary.json"]
    elif rest == "no key":
        del manifest["file_hashes"]
    else:
        manifest["file_hashes"] = rest
    path.write_text(json.dumps(manifest))
    if rest is None:
        path.unlink()
    for sides in ((good, bad), (bad, good)):
        with pytest.raises(UserError, match="manifest"):
            compared(*sides)


def test_another_programs_pack_without_hashes_is_held_by_its_cases(tmp_path: Path) -> None:
    good, bad = made_pack(tmp_path / "a", GOOD), made_pack(tmp_path / "b", BAD)
    as_other_program(bad)
    assert compared(good, bad)["regressions"]
    report_as_passed(bad)
    with pytest.raises(UserError, match="something else of `case-1`"):
        compared(good, bad)


def test_the_command_writes_the_report_and_says_what_regressed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = made_pack(tmp_path / "a", GOOD), made_pack(tmp_path / "b", BAD)
    capsys.readouterr()
    assert run_command(["compare", "--baseline", str(before), "--candidate", str(after)]) == 0
    told = json.loads(capsys.readouterr().out)
    out = after / "compare" / "baseline_delta.json"
    assert told["compare_report"] == str(out)
    report = read(out)
    assert told["regressions"] == report["regressions"]
    assert report["baseline_reference"] == {
        "input": str(before),
        "resolved_path": str(before.resolve()),
        "registry_entry": None,
    }


def grouped(path: Path, of_suite: dict[str, Any], answers: str, **more: Any) -> Path:
    """A pack of a suite with a case for each letter: `y` passes."""
    names = {"y": "yes", "n": "no"}
    cases = [says(f"c{n}", names[one], **more) for n, one in enumerate(answers)]
    suite = {"dataset_id": "d", "metadata": of_suite, "cases": cases}
    path.with_suffix(".json").write_text(json.dumps(suite))
    return made_pack(path, path.with_suffix(".json"))


@pytest.mark.parametrize("place", ["case", "suite"])
def test_cases_of_one_group_tell_no_interval_in_packs_either(place: str, tmp_path: Path) -> None:
    group = {"group": "the storm"}
    of_suite, of_case = (group, {}) if place == "suite" else ({}, {"metadata": group})
    before = grouped(tmp_path / "a", of_suite, "yyyyyyyy", **of_case)
    after = grouped(tmp_path / "b", of_suite, "yyyyynnn", **of_case)
    paired = compared(before, after)["paired"]
    assert (paired["groups"], paired["low"], paired["high"]) == (1, -1.0, 1.0)
    assert [one["group"] for one in read(after / "report.json")["cases"]] == ["the storm"] * 8
    assert run_command(["replay", "--run", str(after)]) == 0


def test_without_a_group_a_pack_says_none_and_each_case_is_alone(tmp_path: Path) -> None:
    before = grouped(tmp_path / "a", {}, "yyyyyyyy")
    after = grouped(tmp_path / "b", {}, "yyyyynnn")
    paired = compared(before, after)["paired"]
    assert paired["groups"] == 0
    assert paired["high"] < 0.2
    assert not any("group" in one for one in read(after / "report.json")["cases"])


@pytest.mark.parametrize("told", [({}, {"group": "g"}), ({"group": "g"}, {})])
def test_a_group_counts_where_only_one_side_tells_it(told: Any, tmp_path: Path) -> None:
    before = grouped(tmp_path / "a", told[0], "yyyyyyyy")
    after = grouped(tmp_path / "b", told[1], "yyyyynnn")
    assert compared(before, after)["paired"]["groups"] == 1


def test_people_are_told_of_latency_where_it_was_measured(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    before, after = made_pack(tmp_path / "a", GOOD), made_pack(tmp_path / "b", BAD)
    capsys.readouterr()
    assert run_command(["compare", "--baseline", str(before), "--candidate", str(after)]) == 0
    said = capsys.readouterr().out
    assert "  mean latency: 635.0 ms → 635.0 ms\n" in said
    assert "cost" not in said
