"""Expected calls against actual ones: what matched, what is missing, which parameter differs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct, field

from evaltui.core.case import Case
from evaltui.core.json_value import Json
from evaltui.core.response import ToolCall
from evaltui.core.verdict import Verdict
from evaltui.expectations import ASSERTIONS
from evaltui.expectations.alignment import Pair, align
from evaltui.expectations.assertion import Differences, WantedCalls, Written
from evaltui.expectations.contract_config import ContractConfig
from evaltui.expectations.param_diff import (
    ABSENT,
    ParamDiff,
    ParamState,
    compare_params,
    flatten,
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


def diff_expected(
    case: Case,
    actual: Sequence[ToolCall],
    verdicts: Iterable[Verdict] = (),
    *,
    multiset: bool = True,
) -> CaseDiff:
    """Actual calls against what the assertions say of them.

    Parameters stand with the first call of their tool (contract 30); those that nothing is
    asserted about are compared with what the stub's answer echoes.
    """
    config = ContractConfig(multiset_tools=multiset)
    said = _together(case, actual, tuple(verdicts), config)
    expected = said.wanted.names if said.wanted is not None else ()
    names = [call.name for call in actual]
    first = {name: index for index, name in reversed(list(enumerate(names)))}
    pairs = align(expected, names)
    rows: list[CallDiff] = []
    placed: set[str] = set()
    for pair in pairs:
        call = None if pair.right is None else actual[pair.right]
        name = call.name if call else expected[pair.left or 0]
        params: tuple[ParamDiff, ...] = ()
        if name not in placed and first.get(name) == pair.right:
            placed.add(name)
            params = said.params.get(name, ())
        if call is not None:
            params = (*params, *_unasserted(call, params, (case.stubs or {}).get(name)))
        state = _expected_state(pair, name, said)
        rows.append(CallDiff(name, state, pair.left, pair.right, call, params, _note(call)))
    rows += [
        CallDiff(name, CallState.NOT_CALLED, params=params)
        for name, params in said.params.items()
        if name not in placed
    ]
    return CaseDiff(DiffTarget.EXPECTED, tuple(rows), tuple(_notes(said.wanted, pairs, names)))


def _together(
    case: Case, actual: Sequence[ToolCall], verdicts: Sequence[Verdict], config: ContractConfig
) -> Differences:
    """What all assertions say. Of those that choose calls the failed one is shown, or the first."""
    expect = case.expect or {}
    wanted: WantedCalls | None = None
    forbidden: set[str] = set()
    params: dict[str, tuple[ParamDiff, ...]] = {}
    for key, assertion in ASSERTIONS.items():
        value = expect.get(key)
        if value is None:
            continue
        own = [verdict for verdict in verdicts if verdict.check == key]
        said = assertion.differences(Written(value, case, config), actual, own)
        if wanted is None or (said.wanted and any(verdict.gates for verdict in own)):
            wanted = said.wanted
        forbidden |= said.forbidden
        for tool, rows in said.params.items():
            params[tool] = (*params.get(tool, ()), *rows)
    return Differences(wanted, frozenset(forbidden), params)


def _expected_state(pair: Pair, name: str, said: Differences) -> CallState:
    wanted = said.wanted
    if pair.right is not None and name in said.forbidden:
        return CallState.FORBIDDEN
    state = _state(pair, is_ordered=wanted is not None and wanted.is_ordered)
    if state is CallState.UNEXPECTED and wanted is None:
        return CallState.CALLED
    return (
        CallState.MATCHED if state is CallState.UNEXPECTED and _is_repeat(name, wanted) else state
    )


def _is_repeat(name: str, wanted: WantedCalls | None) -> bool:
    """Whether one more call of a wanted tool is as good as one."""
    return wanted is not None and not wanted.counts_repeats and name in wanted.names


def _notes(
    wanted: WantedCalls | None, pairs: Iterable[Pair], names: Sequence[str]
) -> Iterator[str]:
    if wanted is None:
        return
    if wanted.note:
        yield wanted.note
    if wanted.is_ordered and any(pair.is_moved for pair in pairs):
        same_calls = Counter(wanted.names) == Counter(names)
        yield "same tools, other order" if same_calls else "some calls moved"


def _unasserted(call: ToolCall, asserted: Iterable[ParamDiff], stub: Json) -> Iterator[ParamDiff]:
    named = {param.path for param in asserted}
    echoed = stub if isinstance(stub, Mapping) else {}
    for key, value in (call.params or {}).items():
        if key in named:
            continue
        echo = echoed.get(key)
        if isinstance(echo, (str, int, float)):
            yield from compare_params({key: echo}, {key: value}, "stub")
            continue
        for path, leaf in flatten({key: value}):
            yield ParamDiff(path, ParamState.SENT, ABSENT, leaf)


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
        state = _state(pair, is_ordered=True)
        rows.append(CallDiff(name, state, pair.left, pair.right, call, params, _note(call)))
    return CaseDiff(target, tuple(rows), against=against)


def _state(pair: Pair, *, is_ordered: bool) -> CallState:
    if pair.right is None:
        return CallState.MISSING
    if pair.left is None:
        return CallState.UNEXPECTED
    return CallState.REORDERED if pair.is_moved and is_ordered else CallState.MATCHED


def _note(call: ToolCall | None) -> str:
    if call is None or call.params is not None:
        return ""
    return "the agent reported no parameters"


_NOBODY = ToolCall("")
