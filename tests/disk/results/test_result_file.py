"""EvalSuiteResult: the contract's keys exactly, ours beside them, and both read back."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.case import CaseKey, Tier
from evaltui.core.errors import UserError
from evaltui.core.response import AgentResponse, Turn
from evaltui.core.result import CaseStatus
from evaltui.core.utf16 import utf16_length
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.disk.results.result_file import (
    decode_suite_result,
    encode_suite_result,
    read_case_line,
    read_suite_result,
)
from tests.disk.samples import SUITE, errored, failed, passed, reserved, suite_result

GOLDEN = Path(__file__).parents[1] / "golden" / "suite_result.json"
WHOLE = suite_result(passed(), failed(), replace(errored(), carried_from="run-1"), reserved())
CONTRACT_KEYS = [
    "runId",
    "timestamp",
    "tier",
    "toolName",
    "agentEndpoint",
    "metadata",
    "stalenessWarnings",
    "cases",
    "summary",
    "baselineRunId",
    "regressions",
    "newPasses",
]
CONTRACT_ONLY = {
    "runId": "older",
    "timestamp": "2025-01-01T00:00:00.000Z",
    "tier": "labeled",
    "toolName": "get_weather",
    "agentEndpoint": "http://localhost:3000/chat",
    "metadata": {"toolVersion": None},
    "stalenessWarnings": [],
    "cases": [
        {"id": "a", "description": "", "passed": True, "durationMs": 1250, "assertionsRun": 6,
         "assertionsSkipped": 0, "details": {"toolsCalled": ["t"], "responseLength": 3,
         "skippedTokens": []}},
        {"id": "b", "description": "", "passed": False, "durationMs": 5, "assertionsRun": 1,
         "assertionsSkipped": 0, "error": "responseContains: no"},
    ],
    "summary": {"totalCases": 2, "passed": 1, "failed": 1, "skippedAssertions": 0,
                "totalDurationMs": 1255, "estimatedCostUsd": 0.03},
    "regressions": [],
    "newPasses": [],
}  # fmt: skip


def test_golden_file() -> None:
    assert encode_suite_result(WHOLE) == GOLDEN.read_bytes()


def test_the_golden_file_of_the_first_version_says_the_same() -> None:
    written = GOLDEN.with_name("first_suite_result.json").read_bytes()
    assert decode_suite_result(written) == WHOLE
    ours, theirs = json.loads(encode_suite_result(WHOLE)), json.loads(written)
    for case in theirs["cases"]:
        case["inputs"] = {key: value for key, value in case["inputs"].items() if value}
        case["stale"] = case["details"]["stale"] = theirs["stale"]
        case.pop("muted", None)
    assert ours == theirs, "but for empty inputs, mutes, and `stale`, which is the suite's"
    assert list(ours) == list(theirs)
    assert [list(case) for case in ours["cases"]] == [list(case) for case in theirs["cases"]]


def test_contract_keys_and_counts() -> None:
    value = json.loads(encode_suite_result(WHOLE))
    assert [key for key in value if key in CONTRACT_KEYS] == CONTRACT_KEYS
    assert value["summary"] == {
        "totalCases": 4,
        "passed": 1,
        "failed": 2,
        "skippedAssertions": 1,
        "totalDurationMs": 3350.25,
        "estimatedCostUsd": 0.002,
        "errored": 1,
        "skippedCases": 1,
    }
    good, bad, broken, skipped = value["cases"]
    assert list(good)[:6] == (
        ["id", "description", "passed", "durationMs", "assertionsRun", "assertionsSkipped"]
    )
    assert "error" not in good
    assert "error" not in skipped
    assert bad["error"].startswith("responseContains")
    assert [case["passed"] for case in value["cases"]] == [True, False, False, False]
    assert broken["status"] == "error"
    assert good["details"] == {
        "toolsCalled": ["get_weather"],
        "responseLength": utf16_length("18 °C in Zürich 🌤"),
        "skippedTokens": [],
        "stale": True,
    }


def test_round_trip() -> None:
    assert decode_suite_result(encode_suite_result(WHOLE)) == WHOLE


def test_no_cases() -> None:
    empty = suite_result()
    assert decode_suite_result(encode_suite_result(empty)) == empty


def test_missing_metadata_is_null() -> None:
    value = json.loads(encode_suite_result(replace(WHOLE, metadata={})))
    assert value["metadata"] == dict.fromkeys(
        ("toolVersion", "descriptionHash", "registrySize", "evalFileHash")
    )


def test_brief_copy_keeps_verdict_and_calls() -> None:
    copy = decode_suite_result(encode_suite_result(WHOLE, brief=True))
    first = copy.cases[0]
    assert first.status is CaseStatus.PASSED
    assert first.verdicts == ()
    assert first.response is not None
    assert first.response.tool_calls[0].params == {"city": "Zürich"}
    assert first.response.messages == ()


def test_one_case_a_line() -> None:
    lines = encode_suite_result(WHOLE).splitlines()
    assert sum(line.startswith(b'    {"id":') for line in lines) == len(WHOLE.cases)


def test_reads_a_file_with_the_contracts_keys_only(tmp_path: Path) -> None:
    path = tmp_path / "older.json"
    path.write_text(json.dumps(CONTRACT_ONLY, indent=2))
    result = read_suite_result(path)
    assert (result.suite, result.agent, result.run_id) == ("", "", "older")
    assert result.tier is Tier.LABELED
    assert [case.status for case in result.cases] == [CaseStatus.PASSED, CaseStatus.FAILED]
    assert result.summary.estimated_cost_usd == 0.03
    assert result.baseline_run_id is None


def test_reads_one_case_without_the_others(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_bytes(encode_suite_result(WHOLE))
    for case in WHOLE.cases:
        assert read_case_line(path, case.key) == case
    assert read_case_line(path, CaseKey(SUITE, "nobody")) is None
    assert read_case_line(path, CaseKey("other", WHOLE.cases[0].key.case)) is None


@given(st.text(min_size=1), st.text())
def test_any_id_is_found_on_its_line(case: str, text: str) -> None:
    result = suite_result(replace(passed(case), description=text), replace(failed("x" + case)))
    data = encode_suite_result(result)
    assert decode_suite_result(data) == result


def test_a_wrong_value_costs_only_itself() -> None:
    """Today's files, another program's and tomorrow's: what is understood is read."""
    value = json.loads(encode_suite_result(WHOLE))
    value |= {"tier": "odd", "metadata": [], "regressions": ["a", 1], "agentEndpoint": None}
    first, second, third, fourth = value["cases"]
    first |= {"durationMs": "long", "later": {}, "trials": -1}
    first["verdicts"][0]["status"] = "odd"
    first["agentResponse"]["usage"] = 7
    first["agentResponse"]["messages"][1] = "hello"
    first["toolCalls"].append({"params": {}})
    second |= {"id": 5, "status": "odd", "passed": True, "inputs": {"case": 1, "agent": "x"}}
    third["details"] = {"skippedTokens": ["t", None]}
    fourth |= {"finishedAt": 10**400, "muted": ["no"]}
    value["cases"].append("nothing")
    read = decode_suite_result(json.dumps(value).encode())
    assert (read.tier, read.metadata, read.endpoint) == (Tier.GOLDEN, {}, "")
    assert read.regressions == ("a",)
    one, two, three, four = read.cases
    was = WHOLE.cases[0]
    assert was.response is not None and one.response is not None
    assert (one.duration_ms, one.trials) == (0.0, 1)
    assert one.verdicts == was.verdicts[1:]
    assert one.response.usage is None
    assert one.response.messages == (was.response.messages[0], was.response.messages[2])
    assert one.response.tool_calls == was.response.tool_calls
    assert two.key.case == "5" and two.status is CaseStatus.PASSED
    assert (two.inputs.case, two.inputs.agent) == ("", "x")
    assert three.skipped_tokens == ("t",)
    assert four.finished_at == 0.0


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"cases": []}', b'{"runId": 1, "cases": []}', b"\xff\x00\x01"]
)
def test_damaged_files_are_user_errors(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises(UserError, match="not a readable result") as caught:
        read_suite_result(path)
    assert caught.value.problems[0].file == str(path)


@pytest.mark.parametrize("text", ["", "abc", "é", "🌤", "a🌤b", "\ud800"])
def test_utf16_length(text: str) -> None:
    assert utf16_length(text) == sum(2 if ord(char) > 0xFFFF else 1 for char in text)


def test_what_judging_and_playing_cost_is_read_as_it_was_written() -> None:
    by_judge = Verdict("criteria", VerdictStatus.PASSED, "met", cost_usd=0.5, ends=True)
    by_text = Verdict("responseContains", VerdictStatus.SKIPPED, "no", skipped_tokens=("{{a}}",))
    turns = (Turn(0, 1, verdicts=(by_judge, by_text), played_usd=0.25),)
    answer = AgentResponse("x", conversation=turns)
    result = suite_result(replace(passed(), response=answer, verdicts=turns[0].verdicts))
    assert decode_suite_result(encode_suite_result(result)) == result


def test_the_money_of_judges_is_read_from_older_files_and_that_of_evaluators_is_not() -> None:
    verdicts = tuple(
        Verdict(check, VerdictStatus.PASSED, "met", evidence={"costUsd": 0.5, "ends": True})
        for check in ("criteria", "rubric/tone", "cost-budget")
    )
    older = encode_suite_result(suite_result(replace(passed(), verdicts=verdicts)))
    read = decode_suite_result(older).cases[0].verdicts
    assert [(one.cost_usd, one.ends) for one in read] == [(0.5, True), (0.5, True), (None, False)]
    assert [dict(one.evidence) for one in read] == [{}, {}, dict(verdicts[2].evidence)]
