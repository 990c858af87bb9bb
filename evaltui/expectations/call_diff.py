"""Expected calls against actual ones: what matched, what is missing, which parameter differs."""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum

from msgspec import Struct, field

from evaltui.core.case import Case
from evaltui.core.param_assertions import judge_params, param_assertions
from evaltui.core.param_diff import ParamDiff, ParamState, compare_params, same_json
from evaltui.core.response import ToolCall
from evaltui.core.verdict import Verdict
from evaltui.expectations.alignment import Pair, align
from evaltui.expectations.tool_sets import closest_set, names_of


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


def diff_expected(
    case: Case,
    actual: Sequence[ToolCall],
    verdicts: Iterable[Verdict] = (),
    *,
    multiset: bool = True,
) -> CaseDiff:
    """Actual calls against what `expect` says of them.

    `toolsCalled` is order-sensitive; of `toolsAcceptable` the closest set is taken and the order
    does not matter (contract 26, 27). `toolParams` speak of the first call of a tool (30).
    """
    expect = case.expect or {}
    notes: list[str] = []
    names = [call.name for call in actual]
    wanted = names_of(expect.get("toolsCalled"))
    is_ordered = wanted is not None
    if wanted is None:
        wanted, choices = closest_set(expect.get("toolsAcceptable"), names, multiset=multiset)
        if choices > 1:
            notes.append(f"closest of {choices} acceptable sets, in any order")
    forbidden = frozenset(names_of(expect.get("toolsNotCalled")) or ())
    pairs = align(wanted or (), names)
    if any(pair.is_moved for pair in pairs) and is_ordered:
        same_calls = Counter(wanted) == Counter(names)
        notes.append("same tools, other order" if same_calls else "some calls moved")
    rows: list[CallDiff] = []
    verdicts = tuple(verdicts)
    assertions = param_assertions(expect)
    first = {name: index for index, name in reversed(list(enumerate(names)))}
    seen: set[str] = set()
    for pair in pairs:
        call = None if pair.right is None else actual[pair.right]
        name = call.name if call else (wanted or ())[pair.left or 0]
        state = _state(pair, is_ordered=is_ordered, is_free=wanted is None)
        if call and name in forbidden:
            state = CallState.FORBIDDEN
        elif (
            state is CallState.UNEXPECTED
            and not is_ordered
            and not multiset
            and name in (wanted or ())
        ):
            state = CallState.MATCHED
        about = [assertion for assertion in assertions if assertion.tool == name]
        is_first = first.get(name) == pair.right if call else name not in first
        is_first = is_first and name not in seen
        seen |= {name} if is_first else set()
        stub = (case.stubs or {}).get(name)
        params = judge_params(call, about if is_first else (), verdicts, stub)
        rows.append(CallDiff(name, state, pair.left, pair.right, call, params, _note(call)))
    for name in dict.fromkeys(assertion.tool for assertion in assertions):
        if name not in seen:
            about = [assertion for assertion in assertions if assertion.tool == name]
            params = judge_params(None, about, ())
            rows.append(CallDiff(name, CallState.NOT_CALLED, params=params))
    return CaseDiff(DiffTarget.EXPECTED, tuple(rows), tuple(notes))


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
        state = _state(pair, is_ordered=True, is_free=False)
        rows.append(CallDiff(name, state, pair.left, pair.right, call, params, _note(call)))
    return CaseDiff(target, tuple(rows), against=against)


def _state(pair: Pair, *, is_ordered: bool, is_free: bool) -> CallState:
    if pair.right is None:
        return CallState.MISSING
    if pair.left is None:
        return CallState.CALLED if is_free else CallState.UNEXPECTED
    return CallState.REORDERED if pair.is_moved and is_ordered else CallState.MATCHED


def _note(call: ToolCall | None) -> str:
    if call is None or call.params is not None:
        return ""
    return "the agent reported no parameters"


_NOBODY = ToolCall("")
