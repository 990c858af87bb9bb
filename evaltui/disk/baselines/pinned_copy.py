"""The copy of a suite's results that is pinned, when cases of it are pinned, unpinned or moved."""

from collections.abc import Collection

from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.result import CaseResult, CaseStatus, PinnedAs
from evaltui.core.suite_result import SuiteResult
from evaltui.disk.results.result_file import encode_suite_result
from evaltui.store.counts import summarize


def joined(
    before: SuiteResult | None, result: SuiteResult, chosen: tuple[CaseResult, ...]
) -> SuiteResult:
    """Cases of a result with those of the copy `before`, in the order of the result."""
    new = {case.key: case for case in chosen}
    kept = [
        replace(case, carried_from=case.carried_from or case.run_id)
        for case in (before.cases if before else ())
        if case.key not in new
    ]
    order = {case.key: index for index, case in enumerate(result.cases)}
    cases = tuple(sorted((*kept, *chosen), key=lambda case: order.get(case.key, len(order))))
    ids = {case.key.case for case in cases}
    return replace(
        result,
        cases=cases,
        summary=summarize(cases),
        errored=tuple(case for case in result.errored if case in ids),
        baseline_run_id=None,
        regressions=(),
        new_passes=(),
    )


def exchanged(
    here: SuiteResult | None, there: SuiteResult | None, only: Collection[CaseKey]
) -> bytes | None:
    """The copy `here` with the cases `only` as they are in another one; `None` without any case."""
    result = here or there
    if result is None:
        return None
    cases = (
        *(case for case in (here.cases if here else ()) if case.key not in only),
        *(case for case in (there.cases if there else ()) if case.key in only),
    )
    return encode_suite_result(with_cases(result, cases), brief=True) if cases else None


def with_cases(result: SuiteResult, chosen: Collection[CaseResult]) -> SuiteResult:
    """The copy with these cases in place of its own."""
    cases = tuple(
        case
        if case.run_id == result.run_id or case.carried_from
        else replace(case, carried_from=case.run_id)
        for case in chosen
    )
    errored = tuple(case.key.case for case in cases if case.status is CaseStatus.ERROR)
    return replace(result, cases=cases, summary=summarize(cases), errored=errored)


def renamed(case: CaseResult, new: CaseKey) -> CaseResult:
    """What is pinned of a case that has another name by now: what was tried under its earlier names
    still counts for it."""
    pinned = case.pinned or PinnedAs()
    earlier = (name for name in (case.key, *pinned.earlier) if name != new)
    return replace(case, key=new, pinned=replace(pinned, earlier=(*dict.fromkeys(earlier),)))
