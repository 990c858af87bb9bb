"""EvalSuiteResult files: the contract's keys with the contract's meaning, and additive ones.

One case stands on one line, so that files can be compared and one case found without parsing all.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaltui.core.case import CaseKey, Tier
from evaltui.core.errors import Problem, UserError
from evaltui.core.result import CaseResult, SuiteResult, Summary
from evaltui.disk.case_json import millis
from evaltui.disk.case_lines import encode_case
from evaltui.disk.case_reading import read_case
from evaltui.disk.codec import encode, parse
from evaltui.store.counts import summarize

FORMAT = "evaltui/1"


def encode_suite_result(result: SuiteResult, *, brief: bool = False) -> bytes:
    """The whole file; `brief` leaves out verdicts and conversations, as for a pinned copy."""
    return b"".join(suite_result_chunks(result, brief=brief))


def suite_result_chunks(result: SuiteResult, *, brief: bool = False) -> Iterator[bytes]:
    """The file in pieces, so that 20,000 cases never stand in memory twice."""
    summary = result.summary
    counts: dict[str, object] = {
        "totalCases": summary.total_cases,
        "passed": summary.passed,
        "failed": summary.failed,
        "skippedAssertions": summary.skipped_assertions,
        "totalDurationMs": millis(summary.total_duration_ms),
    }
    if summary.estimated_cost_usd is not None:
        counts["estimatedCostUsd"] = summary.estimated_cost_usd
    counts["errored"] = summary.errored
    counts["skippedCases"] = summary.skipped_cases
    head: dict[str, object] = {
        "runId": result.run_id,
        "timestamp": result.timestamp,
        "tier": result.tier,
        "toolName": result.tool_name,
        "agentEndpoint": result.endpoint,
        "format": FORMAT,
        "suite": result.suite,
        "agent": result.agent,
        "stale": result.stale,
        **({"agentSettings": result.settings} if result.settings else {}),
        "metadata": {key: result.metadata.get(key) for key in _METADATA} | dict(result.metadata),
        "stalenessWarnings": result.staleness_warnings,
    }
    tail: dict[str, object] = {
        "summary": counts,
        "baselineRunId": result.baseline_run_id,
        "regressions": result.regressions,
        "newPasses": result.new_passes,
        "errored": result.errored,
    }
    yield b"{\n" + b",\n".join(_members(head)) + b',\n  "cases": ['
    start = b"\n    "
    for case in result.cases:
        yield start + encode_case(case, brief=brief)
        start = b",\n    "
    yield b"\n  ],\n" if result.cases else b"],\n"
    yield b",\n".join(_members(tail)) + b"\n}\n"


def read_suite_result(path: Path, *, brief: bool = False) -> SuiteResult:
    """Read a result, ours or one that knows the contract's keys only.

    Then `suite` and `agent` are empty. Raises UserError when it cannot be read or is none.
    """
    try:
        return decode_suite_result(path.read_bytes(), brief=brief)
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        problem = Problem(str(path), f"not a readable result: {reason}", code="result-unreadable")
        raise UserError(
            f"`{path}` is not a readable result: {reason}.",
            "Remove it, or run its suite again.",
            (problem,),
        ) from error


def decode_suite_result(data: bytes, *, brief: bool = False) -> SuiteResult:
    """A result from the bytes of its file; `brief` skips verdicts and responses.

    Raises ValueError.
    """
    value = parse(data)
    if not isinstance(value, dict) or not isinstance(value.get("cases"), list):
        raise ValueError("no object with `cases` in it")
    run_id = value.get("runId")
    if not isinstance(run_id, str) or not run_id:
        raise ValueError("`runId` is missing")
    suite, agent = _text(value, "suite"), _text(value, "agent")
    cases = tuple(
        read_case(case, suite=suite, run_id=run_id, agent=agent, brief=brief)
        for case in value["cases"]
        if isinstance(case, dict)
    )
    tier = _text(value, "tier")
    baseline = value.get("baselineRunId")
    metadata = value.get("metadata")
    return SuiteResult(
        suite=suite,
        run_id=run_id,
        timestamp=_text(value, "timestamp"),
        tier=Tier(tier) if tier in set(Tier) else Tier.GOLDEN,
        tool_name=_text(value, "toolName"),
        agent=agent,
        endpoint=_text(value, "agentEndpoint"),
        metadata=metadata if isinstance(metadata, dict) else {},
        cases=cases,
        summary=_summary(value.get("summary"), cases),
        staleness_warnings=_texts(value, "stalenessWarnings"),
        stale=value.get("stale") is True,
        baseline_run_id=baseline if isinstance(baseline, str) else None,
        regressions=_texts(value, "regressions"),
        new_passes=_texts(value, "newPasses"),
        errored=_texts(value, "errored"),
        settings=_text(value, "agentSettings"),
    )


def read_case_line(path: Path, key: CaseKey) -> CaseResult | None:
    """One case of a result file of ours without parsing the others; `None` when it is not there."""
    data = path.read_bytes()
    head = parse_head(data)
    if head.get("suite") != key.suite:
        return None
    start = data.find(b'\n    {"id":' + encode(key.case) + b",")
    if start < 0:
        return None
    end = data.find(b"\n", start + 1)
    value = parse(data[start + 1 : end].strip().rstrip(b","))
    return read_case(
        value, suite=key.suite, run_id=_text(head, "runId"), agent=_text(head, "agent")
    )


def parse_head(data: bytes) -> dict[str, Any]:
    """What stands before the cases, of a result file of ours; empty for any other file."""
    end = data.find(b',\n  "cases": [')
    try:
        value = parse(data[:end] + b"}") if end > 0 else {}
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


_METADATA = ("toolVersion", "descriptionHash", "registrySize", "evalFileHash")


def _members(values: dict[str, object]) -> Iterator[bytes]:
    for key, value in values.items():
        yield b'  "' + key.encode() + b'": ' + encode(value)


def _summary(value: object, cases: tuple[CaseResult, ...]) -> Summary:
    counted = summarize(cases)
    cost = value.get("estimatedCostUsd") if isinstance(value, dict) else None
    if not isinstance(cost, int | float) or isinstance(cost, bool):
        cost = counted.estimated_cost_usd
    return Summary(
        counted.total_cases,
        counted.passed,
        counted.failed,
        counted.errored,
        counted.skipped_cases,
        counted.skipped_assertions,
        counted.total_duration_ms,
        cost,
    )


def _text(value: dict[str, Any], key: str) -> str:
    found = value.get(key)
    return found if isinstance(found, str) else ""


def _texts(value: dict[str, Any], key: str) -> tuple[str, ...]:
    found = value.get(key)
    return tuple(str(item) for item in found) if isinstance(found, list) else ()
