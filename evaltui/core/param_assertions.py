"""What `expect.toolParams` says about one call, as rows of a parameter comparison."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from evaltui.core.javascript import to_string
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.param_diff import ABSENT, Absent, ParamDiff, ParamState, compare_params, flatten
from evaltui.core.response import ToolCall
from evaltui.core.verdict import Verdict, VerdictStatus

ORIGIN = "toolParams"


class ParamAssertion(NamedTuple):
    """One well-formed entry of `toolParams`; the checks complain about the others."""

    label: str
    """`toolParams[0]`: how the label of the verdict about it begins."""
    tool: str
    param: str
    kind: str
    value: "Json | Absent"


def param_assertions(expect: JsonObject | None) -> tuple[ParamAssertion, ...]:
    """The entries in file order; whatever is not an object with a tool and a name is left out."""
    entries = expect.get("toolParams") if expect else None
    if not isinstance(entries, (list, tuple)):
        return ()
    found: list[ParamAssertion] = []
    for index, entry in enumerate(entries):
        if not isinstance(entry, Mapping):
            continue
        tool, param = entry.get("tool"), entry.get("paramName")
        if isinstance(tool, str) and isinstance(param, str):
            kind = entry.get("assertion")
            value = entry.get("value", ABSENT)
            kind = kind if isinstance(kind, str) else ""
            found.append(ParamAssertion(f"{ORIGIN}[{index}]", tool, param, kind, value))
    return tuple(found)


def judge_params(
    call: ToolCall | None,
    assertions: Iterable[ParamAssertion],
    verdicts: Iterable[Verdict],
    stub: Json = None,
) -> tuple[ParamDiff, ...]:
    """One row for each assertion, then the parameters that nothing is asserted about; those which
    the stub's answer echoes are compared with it.

    The verdict decides where there is one. Judging stops at the first failure, so later
    assertions have none: `equals`, `oneOf`, `contains`, `exists` and `notExists` without tokens
    are then compared here by the same rule (contract 31), and the note says so.
    """
    known = {_place(verdict.label): verdict for verdict in verdicts if verdict.check == ORIGIN}
    rows: list[ParamDiff] = []
    named: set[str] = set()
    for assertion in assertions:
        named.add(assertion.param)
        rows.append(_judge(call, assertion, known.get(assertion.label)))
    if call is not None:
        others = {key: value for key, value in (call.params or {}).items() if key not in named}
        rows += _unasserted(others, stub)
    return tuple(rows)


def _place(label: str) -> str:
    """`toolParams[0]` of `toolParams[0] get_weather.city equals`."""
    return label.partition(" ")[0]


def _unasserted(params: JsonObject, stub: Json) -> Iterator[ParamDiff]:
    echoed = stub if isinstance(stub, Mapping) else {}
    for key, value in params.items():
        echo = echoed.get(key)
        if isinstance(echo, (str, int, float)):
            yield from compare_params({key: echo}, {key: value}, "stub")
            continue
        for path, leaf in flatten({key: value}):
            yield ParamDiff(path, ParamState.SENT, ABSENT, leaf)


def _judge(call: ToolCall | None, assertion: ParamAssertion, verdict: Verdict | None) -> ParamDiff:
    wanted = assertion.value
    if call is None or call.params is None:
        note = "the tool was not called" if call is None else "the agent reported no parameters"
        return _row(assertion, ParamState.UNCHECKED, wanted, ABSENT, note)
    actual = call.params.get(assertion.param, ABSENT)
    if verdict is not None:
        if assertion.kind not in _PRESENCE:
            wanted = verdict.evidence.get("expected", wanted)
        if verdict.status is VerdictStatus.SKIPPED:
            return _row(assertion, ParamState.UNCHECKED, wanted, actual, verdict.reason)
        if verdict.status is VerdictStatus.PASSED:
            return _row(assertion, ParamState.SAME, wanted, actual, "")
        return _row(assertion, _broken(assertion, actual), wanted, actual, "")
    holds = _holds(assertion, actual)
    if holds is None:
        return _row(assertion, ParamState.UNCHECKED, wanted, actual, "not judged")
    state = ParamState.SAME if holds else _broken(assertion, actual)
    return _row(assertion, state, wanted, actual, "not judged, compared here")


def _row(
    assertion: ParamAssertion,
    state: ParamState,
    expected: "Json | Absent",
    actual: "Json | Absent",
    note: str,
) -> ParamDiff:
    return ParamDiff(assertion.param, state, expected, actual, assertion.kind, ORIGIN, note)


def _broken(assertion: ParamAssertion, actual: "Json | Absent") -> ParamState:
    if isinstance(actual, Absent):
        return ParamState.MISSING
    return ParamState.EXTRA if assertion.kind == "notExists" else ParamState.CHANGED


def _holds(assertion: ParamAssertion, actual: "Json | Absent") -> bool | None:
    """`None` when it takes more than the two values to say."""
    wanted = assertion.value
    if assertion.kind in _PRESENCE:
        return isinstance(actual, Absent) is (assertion.kind == "notExists")
    if isinstance(wanted, Absent) or assertion.kind not in ("equals", "contains", "oneOf"):
        return None
    members = wanted if isinstance(wanted, (list, tuple)) else (wanted,)
    texts = [to_string(member) for member in members]
    if any("{{" in text for text in texts):
        return None
    if isinstance(actual, Absent):
        return False
    text = to_string(actual)
    if assertion.kind == "oneOf":
        return text in texts
    return text == to_string(wanted) if assertion.kind == "equals" else to_string(wanted) in text


_PRESENCE = ("exists", "notExists")
