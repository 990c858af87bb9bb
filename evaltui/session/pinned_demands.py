"""What pinned results asserted, which a gate compares later runs with."""

from collections.abc import Collection, Iterable, Iterator

from msgspec.structs import replace

from evaltui.core.case import Case
from evaltui.core.fingerprint import is_print_of
from evaltui.core.result import CaseResult
from evaltui.core.suite import Suite
from evaltui.core.suite_result import SuiteResult


def with_demands(
    results: Iterable[SuiteResult], suites: Collection[Suite], *, trials: int
) -> Iterator[SuiteResult]:
    """The results with what their cases assert, as far as it is known: of a case that was edited
    since its result it is not. `trials`: as many as a run makes; those made beyond them are proof,
    and no later run must make as many."""
    cases = {case.key: case for suite in suites for case in suite.cases}
    for result in results:
        asserted = tuple(_with_asserted(one, cases.get(one.key), trials) for one in result.cases)
        yield replace(result, cases=asserted)


def _with_asserted(result: CaseResult, case: Case | None, trials: int) -> CaseResult:
    # Verdicts say which assertions were skipped, and of a trace who judged.
    if case is None or result.lacks_verdicts or not is_print_of(result.inputs.case, case):
        return result
    from evaltui.evidence.asserted import asserted_of  # all judges there are

    found = asserted_of(case, result, most_trials=trials)
    return replace(result, asserted={name: tuple(one) for name, one in found.items()})
