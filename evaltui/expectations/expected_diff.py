"""Compares actual calls with what the assertions of a case say about them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from evaltui.core.case import Case
from evaltui.core.json_value import Json
from evaltui.core.response import ToolCall
from evaltui.core.verdict import Verdict
from evaltui.expectations import ASSERTIONS
from evaltui.expectations.alignment import Pair, align
from evaltui.expectations.assertion import Differences, WantedCalls, Written
from evaltui.expectations.call_diff import (
    CallDiff,
    CallState,
    CaseDiff,
    DiffTarget,
    note_on,
    state_of,
)
from evaltui.expectations.contract_config import ContractConfig
from evaltui.expectations.param_diff import ABSENT, ParamDiff, ParamState, compare_params, flatten


def diff_expected(
    case: Case,
    actual: Sequence[ToolCall],
    verdicts: Iterable[Verdict] = (),
    *,
    multiset: bool = True,
) -> CaseDiff:
    """Actual calls against what the assertions say of them.

    Parameters are shown with the first call of their tool (contract 30); those that nothing is
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
        rows.append(CallDiff(name, state, pair.left, pair.right, call, params, note_on(call)))
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
    state = state_of(pair, is_ordered=wanted is not None and wanted.is_ordered)
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
