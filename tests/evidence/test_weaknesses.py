"""What Agent Eval Suite lets pass or fails falsely, by its number in our list: it does not here."""

import json
import shlex
import sys
from collections.abc import Sequence
from math import nan
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.verdict import VerdictStatus
from evaltui.evidence.gates.gating import gate
from tests.evidence.made_packs import GOOD, made_pack, read, suite_of
from tests.traces.judges.test_judges import call, judged, result, say


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def case(*events: dict[str, Any], case_id: str = "c", **fields: Any) -> dict[str, Any]:
    trace = [{"idx": index, **event} for index, event in enumerate(events)]
    return {"case_id": case_id, "trace": trace, **fields}


def passes(one: dict[str, Any], *flags: str) -> bool:
    """Whether the only case of a run passes."""
    pack = made_pack(Path("pack"), suite_of(Path("s.json"), one), *flags)
    (found,) = read(pack / "report.json")["cases"]
    return bool(found["passed"])


def compared(
    before: Sequence[dict[str, Any]], after: Sequence[dict[str, Any]], *flags: str
) -> dict[str, Any]:
    made_pack(Path("b"), suite_of(Path("b.json"), *before))
    made_pack(Path("c"), suite_of(Path("c.json"), *after))
    assert run_command(["compare", "--baseline", "b", "--candidate", "c", *flags]) == 0
    report: dict[str, Any] = read(Path("c/compare/baseline_delta.json"))
    return report


def loop(adapter: str, *flags: str, **fields: Any) -> dict[str, Any]:
    """The report of a repair loop with a program of this code."""
    Path("adapter.py").write_text(adapter)
    suite_of(Path("s.json"), {"case_id": "c", "input": "weather?", **fields})
    command = shlex.join([sys.executable, "adapter.py"])
    argv = ["run-loop", "--suite", "s.json", "--out", "loop", "--propose-command", command]
    assert run_command([*argv, "--max-repairs", "0", *flags]) == 0
    report: dict[str, Any] = read(Path("loop/report.json"))
    return report


def test_1_who_says_nothing_is_not_judged_by_what_was_expected() -> None:
    silent = case(expected_output="72F ok", regex_patterns=["72F"])
    assert not passes(silent, "--judge", "regex")
    assert not passes(silent)


def test_2_an_adapter_that_fails_does_not_pass() -> None:
    report = loop("import sys; sys.exit(7)", expected_output="72F", regex_patterns=["72F"])
    assert report["summary"]["pass_rate"] == 0


def test_3_what_a_tool_said_is_no_answer() -> None:
    events = call("look"), result("look", "72F")
    assert not passes(case(*events, regex_patterns=["72F"]), "--judge", "regex")


def test_4_a_wrong_answer_does_not_pass_by_default() -> None:
    assert not passes(case(say("WRONG"), expected_output="RIGHT"))
    assert passes(case(say("RIGHT"), expected_output="RIGHT"))


@pytest.mark.parametrize(
    ("schema", "right", "wrong"),
    [
        ({"type": "object", "additionalProperties": False}, {}, {"a": 1}),
        ({"minimum": 3}, 3, 2),
        ({"pattern": "^a"}, '"a"', '"b"'),
        ({"type": ["integer", "null"]}, 1, '"x"'),
        ({"anyOf": [{"const": 1}, {"const": 2}]}, 2, 3),
        ({"oneOf": [{"type": "integer"}, {"minimum": 2}]}, 1, 3),
        ({"type": "array", "minItems": 1, "maxItems": 2}, [1], [1, 2, 3]),
        ({"required": ["a"]}, {"a": 1}, {}),
    ],
)
def test_5_the_whole_of_a_schema_counts(schema: Any, right: Any, wrong: Any) -> None:
    asked = {"json_schema": schema}
    assert passes(case(say(right), **asked), "--judge", "json_schema")
    assert not passes(case(say(wrong), **asked), "--judge", "json_schema")


def test_6_nothing_unknown_passes_the_gate(capsys: Any) -> None:
    Path("empty.json").write_text("{}")
    asked = ["gate", "--compare", "empty.json"]
    for flags in (
        ("--max-hard-fail-rate", "1"),
        ("--max-hard-fail-increase", "1"),
        (),
    ):
        assert run_command([*asked, *flags]) == 1, flags
    assert run_command([*asked, "--min-pass-rate", "nan"]) == 2
    compared([case(say("yes"))], [case(say("yes"), case_id="d")], "--allow-incompatible")
    report = ["gate", "--compare", "c/compare/baseline_delta.json", "--min-pass-rate", "0"]
    assert run_command(report) == 1
    assert not gate({"metrics": {"pass_rate": {"candidate": nan}}}, {"min_pass_rate": 0})["passed"]
    capsys.readouterr()


def test_7_fewer_judges_are_no_improvement(capsys: Any) -> None:
    made_pack(Path("b"), GOOD)
    made_pack(Path("c"), GOOD, "--judge", "policy")
    assert run_command(["compare", "--baseline", "b", "--candidate", "c"]) == 1
    assert "judges_match" in capsys.readouterr().err


def test_8_only_true_is_true_and_a_broken_setting_skips_nothing(capsys: Any) -> None:
    asked = case(say("x"), metadata={"lean_payload": {}})
    flags = ("--judge", "lean", "--judge-config", "judges.json")
    told = [sys.executable, "-c", 'print(\'{"passed": "false"}\')']
    Path("judges.json").write_text(json.dumps({"lean": {"command": told}}))
    assert not passes(asked, *flags)
    Path("judges.json").write_text(json.dumps({"lean": {"command": "true"}}))
    assert run_command(["run", "--suite", "s.json", "--out", "other", *flags]) == 1
    assert "`lean.command`" in capsys.readouterr().err
    kept = judged("lean", config={"command": "true"}, metadata={"lean_payload": {}})
    assert kept.status is VerdictStatus.FAILED, "as a pack of another program may have it"


def test_9_a_case_that_is_gone_is_worse_and_so_is_a_score_that_fell() -> None:
    both = [case(say("a")), case(say("b"), case_id="d")]
    report = compared(both, both[:1], "--allow-incompatible")
    (gone,) = report["case_regressions"]
    assert (gone["case_id"], gone["regressed"]) == ("d", True)
    patterns: dict[str, Any] = {"regex_patterns": ["a", "b", "c"]}
    report = compared([case(say("a"), **patterns)], [case(say("x"), **patterns)])
    (fell,) = report["score_regressions"]
    assert (fell["judge_id"], fell["delta"]) == ("regex", pytest.approx(-1 / 3))
    assert report["regressions"] == ["score decreased: c (regex)"]


def test_10_errors_of_tools_count() -> None:
    assert not passes(case(call("find"), result("find", None, error="timeout"), say("done")))
    reply = '{"assistant_output": "x", "tool_calls": [{"tool": "find", "arguments": {}}]}'
    report = loop(f"print({reply!r})", "--strict-side-effects")
    assert report["summary"]["pass_rate"] == 0
    history = read(Path("loop/cases/c/trajectory.json"))["metadata"]["attempt_history"]
    assert "None" not in history[0]["response"]["error"]


def test_11_calls_may_be_open_at_once_but_none_stays_open() -> None:
    calls = call("a"), call("b")
    assert passes(case(*calls, result("a"), result("b"), say("x")))
    assert not passes(case(*calls, result("b"), say("x")))


def imported(record: dict[str, Any]) -> Path:
    Path("dump.json").write_text(json.dumps([record]))
    argv = ["import-trace", "--provider", "auto", "--input", "dump.json", "--out", "s.json"]
    assert run_command([*argv, "--strict"]) == 0
    return Path("s.json")


def contract_holds(suite: Path) -> bool:
    pack = made_pack(Path("pack"), suite)
    return all(one["passed"] for one in read(pack / "judges" / "replay_contract.json"))


@pytest.mark.parametrize("section", ["candidates", "predictions"])
def test_12_sections_of_a_record_are_one_trace(section: str) -> None:
    asked = {"role": "user", "parts": [{"text": "hi"}]}
    said = {"content": {"role": "model", "parts": [{"text": "yes"}]}}
    suite = imported({"contents": [asked], section: [said]})
    assert [one["idx"] for one in read(suite)["cases"][0]["trace"]] == [0, 1]
    assert contract_holds(suite)


def test_13_seconds_since_1970_are_a_time() -> None:
    said = {"role": "assistant", "content": "yes", "created_at": 1700000000}
    assert contract_holds(imported({"messages": [{"role": "user", "content": "hi"}, said]}))


def test_14_a_replay_holds_elsewhere_and_with_told_pins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = ("--prompt-hash", "x", "--policy-hash", "y", "--container-image", "z")
    made_pack(Path("pack"), GOOD, *told)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert run_command(["replay", "--run", "../pack"]) == 0


def test_15_nothing_of_an_older_run_is_left() -> None:
    both = suite_of(Path("s.json"), case(say("a")), case(say("b"), case_id="d"))
    made_pack(Path("pack"), both)
    made_pack(Path("pack"), suite_of(Path("s.json"), case(say("a"))))
    assert [one.name for one in Path("pack/cases").iterdir()] == ["c"]
    hashes = read(Path("pack/manifest.json"))["file_hashes"]
    assert all(Path("pack", name).is_file() for name in hashes)
    assert run_command(["replay", "--run", "pack"]) == 0


def test_16_a_judge_that_has_nothing_to_judge_is_no_worse() -> None:
    report = compared([case(say("yes"), regex_patterns=["yes"])], [case(say("yes"))])
    assert report["regressions"] == []


def test_17_latencies_may_have_fractions() -> None:
    Path("judges.json").write_text('{"latency_slo": {"max_total_latency_ms": 2}}')
    flags = ("--judge", "latency_slo", "--judge-config", "judges.json")
    assert passes(case(say("x", latency_ms=1.5)), *flags)
    assert not passes(case(say("x", latency_ms=2.5)), *flags)
