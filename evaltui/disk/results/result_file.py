"""EvalSuiteResult files: the contract's keys with the contract's meaning, and additive ones.

One case stands on one line, so that files can be compared and one case found without parsing all.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from evaltui.core.case import CaseKey, Tier
from evaltui.core.errors import Problem, UserError
from evaltui.core.result import CaseResult
from evaltui.core.suite_result import SuiteResult, Summary
from evaltui.disk.codec import encode, read
from evaltui.disk.results.result_wire import BriefWire, CaseWire, from_wire, millis, to_wire
from evaltui.files import RESULTS_LIMIT, read_file

T = TypeVar("T")
FORMAT = "evaltui/1"
CASE_START = b'    {"id":'
"""How the line of a case begins."""
Lines: TypeAlias = Mapping[CaseKey, bytes]
"""What is to be written of some cases, word for word."""
NO_LINES: Lines = MappingProxyType({})


class SummaryWire(Struct, rename="camel", gc=False):
    """All that is read of a file's `summary`; the rest is counted."""

    estimated_cost_usd: float | None = None


class HeadWire(Struct, rename="camel", gc=False):
    """A result file without its cases. Other programs write the contract's keys only."""

    run_id: str
    timestamp: str = ""
    tier: Tier = Tier.GOLDEN
    tool_name: str = ""
    agent_endpoint: str = ""
    suite: str = ""
    agent: str = ""
    stale: bool = False
    agent_settings: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    staleness_warnings: tuple[str, ...] = ()
    summary: SummaryWire | None = None
    baseline_run_id: str | None = None
    regressions: tuple[str, ...] = ()
    new_passes: tuple[str, ...] = ()
    errored: tuple[str, ...] = ()


class SuiteWire(HeadWire, kw_only=True, rename="camel", gc=False):
    cases: tuple[CaseWire, ...]


class BriefSuiteWire(HeadWire, kw_only=True, rename="camel", gc=False):
    cases: tuple[BriefWire, ...]


def encode_suite_result(result: SuiteResult, *, brief: bool = False) -> bytes:
    """The whole file; `brief` leaves out verdicts and conversations, as for a pinned copy."""
    return b"".join(suite_result_chunks(result, brief=brief))


def summary_wire(summary: Summary) -> dict[str, object]:
    """Counts as a result file has them."""
    counts: dict[str, object] = {
        "totalCases": summary.total_cases,
        "passed": summary.passed,
        "failed": summary.failed,
        "skippedAssertions": summary.skipped_assertions,
        "totalDurationMs": millis(summary.total_duration_ms),
    }
    if summary.estimated_cost_usd is not None:
        counts["estimatedCostUsd"] = summary.estimated_cost_usd
    counts |= {"errored": summary.errored, "skippedCases": summary.skipped_cases}
    if summary.nothing_asserted:
        counts["nothingAsserted"] = summary.nothing_asserted
    return counts


def suite_result_chunks(
    result: SuiteResult,
    lines: Lines = NO_LINES,
    known: Lines = NO_LINES,
    *,
    brief: bool = False,
) -> Iterator[bytes]:
    """The file in pieces, so that 20,000 cases never stand in memory twice.

    `lines`, `known`: of the cases whose line is known, without its indent and its comma.
    """
    counts = summary_wire(result.summary)
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
        line = lines.get(case.key) or known.get(case.key)
        yield start + (line or encode(to_wire(case, brief=brief, is_outdated=result.stale)))
        start = b",\n    "
    yield b"\n  ],\n" if result.cases else b"],\n"
    yield b",\n".join(_members(tail)) + b"\n}\n"


def read_suite_result(path: Path, *, brief: bool = False) -> SuiteResult:
    """Read a result, ours or one that knows the contract's keys only.

    Then `suite` and `agent` are empty. Raises UserError when it cannot be read or is none.
    """
    return _read(path, lambda data: decode_suite_result(data, brief=brief))


def read_cases(path: Path) -> tuple[CaseResult, ...]:
    """All cases of such a file, which nobody counts. Raises UserError likewise."""
    return _read(path, lambda data: _cases_of(_wire_of(data)))


def decode_suite_result(data: bytes, *, brief: bool = False) -> SuiteResult:
    """A result from the bytes of its file; `brief` skips verdicts and responses.

    What is of a wrong type costs only itself. Raises ValueError.
    """
    wire = _wire_of(data, brief=brief)
    cases = _cases_of(wire)
    return SuiteResult(
        suite=wire.suite,
        run_id=wire.run_id,
        timestamp=wire.timestamp,
        tier=wire.tier,
        tool_name=wire.tool_name,
        agent=wire.agent,
        endpoint=wire.agent_endpoint,
        metadata=wire.metadata,
        cases=cases,
        summary=_summary(wire.summary, cases),
        staleness_warnings=wire.staleness_warnings,
        stale=wire.stale,
        baseline_run_id=wire.baseline_run_id,
        regressions=wire.regressions,
        new_passes=wire.new_passes,
        errored=wire.errored,
        settings=wire.agent_settings,
    )


def _read(path: Path, decode: Callable[[bytes], T]) -> T:
    try:
        return decode(read_file(path, RESULTS_LIMIT))
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        problem = Problem(str(path), f"not a readable result: {reason}", code="result-unreadable")
        raise UserError(
            f"`{path}` is not a readable result: {reason}.",
            "Remove it, or run its suite again.",
            (problem,),
        ) from error


def _wire_of(data: bytes, *, brief: bool = False) -> SuiteWire | BriefSuiteWire:
    """Raises ValueError."""
    wire = read(BriefSuiteWire, data) if brief else read(SuiteWire, data)
    if not wire.run_id:
        raise ValueError("`runId` is empty")
    return wire


def _cases_of(wire: SuiteWire | BriefSuiteWire) -> tuple[CaseResult, ...]:
    return tuple(
        [
            from_wire(case, suite=wire.suite, run_id=wire.run_id, agent=wire.agent)
            for case in wire.cases
        ]
    )


def read_case_line(path: Path, key: CaseKey) -> CaseResult | None:
    """One case of a result file of ours without parsing the others; `None` when it is not there."""
    data = read_file(path, RESULTS_LIMIT)
    head = parse_head(data)
    if head is None or head.suite != key.suite:
        return None
    start = data.find(b"\n" + CASE_START + encode(key.case) + b",")
    if start < 0:
        return None
    end = data.find(b"\n", start + 1)
    wire = read(CaseWire, data[start + 1 : end].strip().rstrip(b","))
    return from_wire(wire, suite=key.suite, run_id=head.run_id, agent=head.agent)


def parse_head(data: bytes) -> HeadWire | None:
    """What stands before the cases, of a result file of ours; `None` for any other file."""
    end = data.find(b',\n  "cases": [')
    try:
        return read(HeadWire, data[:end] + b"}") if end > 0 else None
    except ValueError:
        return None


_METADATA = ("toolVersion", "descriptionHash", "registrySize", "evalFileHash")


def _members(values: dict[str, object]) -> Iterator[bytes]:
    for key, value in values.items():
        yield b'  "' + key.encode() + b'": ' + encode(value)


def _summary(written: SummaryWire | None, cases: tuple[CaseResult, ...]) -> Summary:
    """Counted again; a brief copy has no usages to sum up, its cost is the one that it states."""
    from evaltui.store.counts import summarize  # nobody else asks for rows where nothing is run

    counted = summarize(cases)
    if written is None or written.estimated_cost_usd is None:
        return counted
    return replace(counted, estimated_cost_usd=written.estimated_cost_usd)
