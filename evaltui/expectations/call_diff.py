"""Expected calls against actual ones: what matched, what is missing, which parameter differs."""

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct, field

from evaltui.core.response import ToolCall
from evaltui.expectations.alignment import Pair, align
from evaltui.expectations.param_diff import (
    ParamDiff,
    ParamState,
    compare_params,
    same_json,
)


class DiffTarget(StrEnum):
    """What the actual calls are held against; the order in which one key goes through them."""

    EXPECTED = "expected"
    BASELINE = "baseline"
    PREVIOUS = "previous"
    AGENT = "agent"
    """Another agent's calls in the same case; which one is said beside it."""

    def next(self) -> "DiffTarget":
        """Those that there are for a single agent, round and round."""
        order = tuple(DiffTarget)[:3]
        return order[(order.index(self) + 1) % 3] if self in order else order[0]


class CallState(StrEnum):
    MATCHED = "matched"
    REORDERED = "reordered"
    """Expected and called, at another place in the order."""
    MISSING = "missing"
    UNEXPECTED = "unexpected"
    FORBIDDEN = "forbidden"
    """Called although `toolsNotCalled` names it."""
    CALLED = "called"
    """Nothing says which tools are to be called."""
    NOT_CALLED = "not called"
    """Not demanded, but parameters are asserted on it."""

    @property
    def is_difference(self) -> bool:
        return self in _DIFFERENT


_DIFFERENT = frozenset(
    {CallState.REORDERED, CallState.MISSING, CallState.UNEXPECTED, CallState.FORBIDDEN}
)
_DIFFERENT_PARAMS = frozenset({ParamState.CHANGED, ParamState.MISSING, ParamState.EXTRA})


class CallDiff(Struct, frozen=True, gc=False):
    """One row; positions are 0-based in the expected and in the actual calls."""

    name: str
    state: CallState
    expected_at: int | None = None
    actual_at: int | None = None
    actual: ToolCall | None = None
    params: tuple[ParamDiff, ...] = ()
    note: str = ""


class CaseDiff(Struct, frozen=True, gc=False):
    """Every actual call appears in exactly one row, and so does every expected one."""

    target: DiffTarget
    calls: tuple[CallDiff, ...] = ()
    notes: tuple[str, ...] = field(default=())
    """How to read it: `closest of 3 acceptable sets`, `same tools, other order`."""
    against: str = ""
    """Whose calls these are held against, when that is another agent."""

    @property
    def is_same(self) -> bool:
        return not any(
            row.state.is_difference or any(map(is_difference, row.params)) for row in self.calls
        )


def is_difference(param: ParamDiff) -> bool:
    """What a stub echoes is a hint at what its author had in mind, and demands nothing."""
    return param.state in _DIFFERENT_PARAMS and param.origin != "stub"


def diff_calls(
    earlier: Sequence[ToolCall], actual: Sequence[ToolCall], target: DiffTarget, against: str = ""
) -> CaseDiff:
    """Actual calls against those of an earlier run or another agent, with every parameter."""

    def likeness(left: int, right: int) -> int:
        before, now = earlier[left].params or {}, actual[right].params or {}
        return sum(key in now and same_json(value, now[key]) for key, value in before.items())

    pairs = align([call.name for call in earlier], [call.name for call in actual], likeness)
    rows: list[CallDiff] = []
    for pair in pairs:
        before = None if pair.left is None else earlier[pair.left]
        call = None if pair.right is None else actual[pair.right]
        params: tuple[ParamDiff, ...] = ()
        if before is None or before.params is not None:
            wanted = before.params if before and before.params else {}
            sent = call.params if call and call.params else {}
            if call is None or call.params is not None:
                params = compare_params(wanted, sent, target.value)
        name = (call or before or _NOBODY).name
        state = state_of(pair, is_ordered=True)
        rows.append(CallDiff(name, state, pair.left, pair.right, call, params, note_on(call)))
    return CaseDiff(target, tuple(rows), against=against)


def state_of(pair: Pair, *, is_ordered: bool) -> CallState:
    if pair.right is None:
        return CallState.MISSING
    if pair.left is None:
        return CallState.UNEXPECTED
    return CallState.REORDERED if pair.is_moved and is_ordered else CallState.MATCHED


def note_on(call: ToolCall | None) -> str:
    if call is None or call.params is not None:
        return ""
    return "the agent reported no parameters"


_NOBODY = ToolCall("")
