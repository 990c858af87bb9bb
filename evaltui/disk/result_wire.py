"""One case of a result file: the contract's EvalCaseResult with additive keys, both ways.

What is always written has no default that it could equal; what only sometimes says something is
left out at its default, which msgspec knows by identity (`0`, not `0.0`). Everything is optional
when read: other programs write less, and null.
"""

from typing import Any

from msgspec import UNSET, Raw, Struct, UnsetType, field
from msgspec.structs import astuple

from evaltui.core.case import CaseKey
from evaltui.core.inputs import Inputs
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.response import AgentResponse, Execution, Message, ToolCall, Turn, Usage
from evaltui.core.result import CaseResult, CaseStatus, TrialResult
from evaltui.core.utf16 import utf16_length
from evaltui.core.verdict import CRITERIA, RUBRIC, Kind, Verdict, VerdictStatus
from evaltui.disk.codec import EMPTY, WrittenText
from evaltui.disk.written_json import written_object

_NOTHING = Raw(EMPTY)


class CallWire(Struct, rename="camel", omit_defaults=True, gc=False):
    """As `ToolCall`; what an agent did not report is null."""

    name: str
    params: JsonObject | UnsetType | None = UNSET
    success: bool | UnsetType | None = UNSET
    duration_ms: float | UnsetType | None = UNSET
    result: Json | UnsetType = UNSET
    error: str = ""
    id: str = ""


class MessageWire(Struct, rename="camel", omit_defaults=True, gc=False):
    """As `Message`."""

    role: str
    content: str
    tool_calls: tuple[CallWire, ...] = ()
    tool_call_id: str = ""
    name: str = ""


class UsageWire(Struct, rename="camel", gc=False):
    """As `Usage`."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None


class VerdictWire(Struct, rename="camel", omit_defaults=True, gc=False):
    """As `Verdict`."""

    check: str
    status: VerdictStatus
    reason: str
    label: str = ""
    kind: Kind = Kind.ASSERTION
    value: float | None = None
    evidence: dict[str, Any] = field(default_factory=dict)
    duration_ms: float = 0
    hard: bool = True
    category: str = ""
    cost_usd: float | None = None
    skipped_tokens: tuple[str, ...] = ()
    ends: bool = False


class TurnWire(Struct, rename="camel", omit_defaults=True, gc=False):
    """As `Turn`."""

    first: int
    end: int
    duration_ms: float = 0
    usage: UsageWire | None = None
    is_final: bool = False
    verdicts: tuple[VerdictWire, ...] = ()
    played_usd: float | None = None


class ResponseWire(Struct, rename="camel", omit_defaults=True, gc=False):
    """As `AgentResponse`, all but the text and the calls, which the case itself has."""

    duration_ms: float | None = None
    execution: Execution = Execution.REAL
    messages: tuple[MessageWire, ...] = ()
    usage: UsageWire | None = None
    turns: int = 1
    first_token_ms: float | None = None
    queued_ms: float = 0
    retries: int = 0
    source: str = "live"
    notes: tuple[str, ...] = ()
    explanation: Raw = _NOTHING
    conversation: tuple[TurnWire, ...] = ()


class TrialWire(Struct, rename="camel", gc=False):
    """As `TrialResult`."""

    trial: int
    status: CaseStatus
    duration_ms: float = 0.0
    error: str = ""


class InputsWire(Inputs, frozen=True, omit_defaults=True, gc=False):
    """As `Inputs`."""


class DetailsWire(Struct, rename="camel", gc=False):
    """What the contract's `details` says of a case."""

    tools_called: tuple[str, ...] = ()
    response_length: int = 0
    skipped_tokens: tuple[str, ...] = ()
    stale: bool = False
    rubric: dict[str, Any] | UnsetType = UNSET
    """By dimension what a judge said: `score`, `maxScore`, `criteria`."""


class BriefWire(Struct, rename="camel", omit_defaults=True, gc=False):
    """A case without verdicts and response."""

    id: str | int | None = None
    description: str | None = None
    passed: bool | None = None
    duration_ms: float | None = None
    assertions_run: int | None = None
    assertions_skipped: int | None = None
    error: str | None = None
    details: DetailsWire | None = None
    status: CaseStatus | None = None
    reason: str | None = None
    stale: bool | None = None
    queued_ms: float | None = None
    finished_at: float | None = None
    carried_from: str | None = None
    trial: int | None = None
    trials: int | None = None
    passes: int | None = None
    attempts: tuple[TrialWire, ...] | None = None
    category: str | None = None
    score: float | None = None
    metrics: dict[str, float] | None = None
    inputs: InputsWire | None = None


class CaseWire(BriefWire, rename="camel", omit_defaults=True, gc=False):
    """A whole case."""

    response: str | None = None
    tool_calls: tuple[CallWire, ...] | None = None
    agent_response: ResponseWire | None = None
    verdicts: tuple[VerdictWire, ...] | None = None


def to_wire(case: CaseResult, *, brief: bool = False, is_outdated: bool = False) -> CaseWire:
    """`brief` leaves out verdicts and conversation, as for a pinned copy.

    `is_outdated` is of the suite, when the file is written; it is not read back (contract B11).
    """
    response = case.response
    is_passed = case.status is CaseStatus.PASSED
    wire = CaseWire(
        case.key.case,
        case.description,
        is_passed,
        millis(case.duration_ms),
        case.assertions_run,
        case.assertions_skipped,
        details=DetailsWire(
            tuple([call.name for call in response.tool_calls]) if response else (),
            utf16_length(response.text) if response else 0,
            case.skipped_tokens,
            is_outdated,
            _rubric_of(case.verdicts) or UNSET,
        ),
        status=case.status,
        stale=is_outdated,
        queued_ms=millis(case.queued_ms),
        finished_at=round(case.finished_at, 3),
        carried_from=case.carried_from or None,
        category=case.category or None,
        score=case.score,
        metrics=dict(case.metrics) or None,
        inputs=InputsWire(*astuple(case.inputs)),
    )
    if case.status in _WITH_ERROR:
        wire.error = case.error or case.status.value
    elif case.status is CaseStatus.SKIPPED:
        wire.reason = case.error or None
    if case.trials > 1:
        wire.trial, wire.trials, wire.passes = case.trial, case.trials, case.passes
    elif case.passes != is_passed:
        wire.passes = case.passes
    if case.attempts:
        wire.attempts = tuple([TrialWire(*astuple(attempt)) for attempt in case.attempts])
    if response is not None:
        wire.response = response.text
        wire.tool_calls = _calls_to_wire(response.tool_calls)
        if not brief:
            wire.agent_response = _response_to_wire(response)
    if case.verdicts and not brief:
        wire.verdicts = tuple([_verdict_to_wire(verdict) for verdict in case.verdicts])
    return wire


def from_wire(wire: BriefWire, *, suite: str, run_id: str, agent: str) -> CaseResult:
    """What is missing or null is at its default; a case without a status has passed or failed."""
    status = wire.status or (CaseStatus.PASSED if wire.passed else CaseStatus.FAILED)
    passes = int(status is CaseStatus.PASSED) if wire.passes is None else wire.passes
    details, attempts = wire.details, wire.attempts
    carried = wire.carried_from or ""
    whole = wire if isinstance(wire, CaseWire) else CaseWire()
    return CaseResult(
        key=CaseKey(suite, "" if wire.id is None else str(wire.id)),
        run_id=carried or run_id,
        agent=agent,
        status=status,
        description=wire.description or "",
        duration_ms=wire.duration_ms or 0.0,
        assertions_run=wire.assertions_run or 0,
        assertions_skipped=wire.assertions_skipped or 0,
        skipped_tokens=details.skipped_tokens if details else (),
        error=wire.error or wire.reason or "",
        category=wire.category or "",
        score=wire.score,
        metrics=wire.metrics or {},
        verdicts=tuple([_verdict(one) for one in whole.verdicts or ()]),
        response=_response(whole),
        inputs=Inputs(*astuple(wire.inputs)) if wire.inputs else Inputs(),
        queued_ms=wire.queued_ms or 0.0,
        finished_at=wire.finished_at or 0.0,
        carried_from=carried,
        trial=wire.trial or 0,
        trials=max(1, wire.trials or 1),
        passes=passes,
        attempts=tuple([TrialResult(*astuple(one)) for one in attempts]) if attempts else (),
    )


def millis(value: float) -> float:
    """Microseconds are enough; whole milliseconds are written as whole numbers."""
    return int(value) if float(value).is_integer() else round(value, 3)


def _rubric_of(verdicts: tuple[Verdict, ...]) -> dict[str, Any]:
    of_rubric = (one for one in verdicts if one.check.startswith(RUBRIC))
    return {
        one.check.removeprefix(RUBRIC): {
            key: one.evidence.get(key) for key in ("score", "maxScore", "criteria")
        }
        for one in of_rubric
    }


_WITH_ERROR = frozenset({CaseStatus.FAILED, CaseStatus.ERROR})


def _calls_to_wire(calls: tuple[ToolCall, ...]) -> tuple[CallWire, ...]:
    return tuple([CallWire(*astuple(call)) for call in calls])


def _response_to_wire(response: AgentResponse) -> ResponseWire:
    messages = [
        MessageWire(one.role, one.content, _calls_to_wire(one.tool_calls), *astuple(one)[3:])
        for one in response.messages
    ]
    usage = UsageWire(*astuple(response.usage)) if response.usage else None
    conversation = tuple([_turn_to_wire(turn) for turn in response.conversation])
    wire = ResponseWire(
        response.duration_ms,
        response.execution,
        tuple(messages),
        usage,
        *(*astuple(response)[6:-1], conversation),
    )
    wire.queued_ms = response.queued_ms or 0
    if not (isinstance(response.explanation, WrittenText) or response.explanation):
        wire.explanation = _NOTHING
    return wire


def _turn_to_wire(turn: Turn) -> TurnWire:
    return TurnWire(
        turn.first,
        turn.end,
        turn.duration_ms or 0,
        UsageWire(*astuple(turn.usage)) if turn.usage else None,
        turn.is_final,
        tuple([_verdict_to_wire(verdict) for verdict in turn.verdicts]),
        turn.played_usd,
    )


def _verdict_to_wire(verdict: Verdict) -> VerdictWire:
    wire = VerdictWire(*astuple(verdict))
    wire.duration_ms = verdict.duration_ms or 0
    return wire


def _verdict(wire: VerdictWire) -> Verdict:
    """Where judges once told the money and the end as evidence, they are taken from there."""
    if wire.check == CRITERIA or wire.check.startswith(RUBRIC):
        paid, ends = wire.evidence.pop("costUsd", None), wire.evidence.pop("ends", None)
        if wire.cost_usd is None and isinstance(paid, int | float):
            wire.cost_usd = paid
        wire.ends = wire.ends or ends is True
    return Verdict(*astuple(wire))


def _calls(wires: tuple[CallWire, ...]) -> tuple[ToolCall, ...]:
    return tuple([_call(astuple(wire)) for wire in wires])


def _call(values: tuple[Any, ...]) -> ToolCall:
    if UNSET in values:
        values = tuple([None if value is UNSET else value for value in values])
    return ToolCall(*values)


def _response(wire: CaseWire) -> AgentResponse | None:
    if wire.response is None:
        return None
    more = wire.agent_response or ResponseWire()
    messages = [
        Message(one.role, one.content, _calls(one.tool_calls), one.tool_call_id, one.name)
        for one in more.messages
    ]
    return AgentResponse(
        wire.response,
        _calls(wire.tool_calls or ()),
        more.duration_ms or 0.0,
        more.execution,
        tuple(messages),
        Usage(*astuple(more.usage)) if more.usage else None,
        *(
            *astuple(more)[4:-2],
            written_object(bytes(more.explanation)),
            tuple([_turn(one) for one in more.conversation]),
        ),
    )


def _turn(wire: TurnWire) -> Turn:
    return Turn(
        wire.first,
        wire.end,
        wire.duration_ms,
        Usage(*astuple(wire.usage)) if wire.usage else None,
        wire.is_final,
        tuple([_verdict(one) for one in wire.verdicts]),
        wire.played_usd,
    )
