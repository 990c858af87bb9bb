"""What an entry of `toolParams` says, as a row of the comparison of calls."""

from collections.abc import Coroutine

from evaltui.core.case import Case
from evaltui.core.check import Check, CheckContext
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.response import AgentResponse, ToolCall
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.expectations.param_diff import ABSENT, Absent, ParamDiff, ParamState
from evaltui.expectations.param_entry import KEY, PRESENCE
from evaltui.expectations.verdicts import Invalid


def param_row(
    entry: JsonObject,
    param: str,
    check: Check,
    verdict: Verdict | None,
    call: ToolCall | None,
    case: Case,
) -> ParamDiff:
    """It differs exactly when the verdict gates: the given one, or what `check` says of `call`."""
    kind, wanted = entry.get("assertion"), entry.get("value", ABSENT)
    kind = kind if isinstance(kind, str) else ""
    actual: Json | Absent = ABSENT
    if call is not None and call.params is not None:
        actual = call.params.get(param, ABSENT)
    note = ""
    if verdict is None:
        verdict = _judged_here(check, call, case)
        note = "not judged" if verdict is None else "not judged, compared here"
    if verdict is None or verdict.status is VerdictStatus.SKIPPED:
        state = ParamState.UNCHECKED
        if call is None:
            note = "the tool was not called"
        elif verdict is not None:
            note = verdict.reason
    elif verdict.gates:
        state = _broken(kind, call, actual)
        if call is not None and call.params is None:
            note = "the agent reported no parameters"
    else:
        state = ParamState.SAME
    if verdict is not None and kind not in PRESENCE and not isinstance(check, Invalid):
        wanted = verdict.evidence.get("expected", wanted)
    return ParamDiff(param, state, wanted, actual, kind, KEY, note)


def _judged_here(check: Check, call: ToolCall | None, case: Case) -> Verdict | None:
    """`None` where it takes seed values, or a pattern that needs a process of its own."""
    said = check.run(CheckContext(case, AgentResponse("", (call,) if call else ())))
    if isinstance(said, Coroutine):
        said.close()
    if not isinstance(said, Verdict):
        return None
    return None if call is not None and said.status is VerdictStatus.SKIPPED else said


def _broken(kind: str, call: ToolCall | None, actual: "Json | Absent") -> ParamState:
    if isinstance(actual, Absent):
        is_known = call is not None and call.params is not None
        return ParamState.MISSING if is_known else ParamState.CHANGED
    return ParamState.EXTRA if kind == "notExists" else ParamState.CHANGED
