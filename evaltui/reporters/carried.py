"""Which cases of a run's suites it ran; the others count with the result that they had last."""

from collections.abc import Container, Iterable

from evaltui.core.case import CaseKey
from evaltui.core.events import RunFinished
from evaltui.core.result import CaseResult
from evaltui.reporters.baseline_marks import BaselineMarks
from evaltui.reporters.muted_failures import Mutes
from evaltui.store.counts import Counts

NOT_RUN = "not run now"


def is_carried(result: CaseResult, resumed: Container[CaseKey] = ()) -> bool:
    """Whether it is of an earlier run, and not of one that this run went on with (`resumed`)."""
    return bool(result.carried_from) and result.key not in resumed


def cases_that_ran(
    results: Iterable[CaseResult], resumed: Container[CaseKey] = ()
) -> tuple[CaseResult, ...]:
    return tuple(one for one in results if not is_carried(one, resumed))


def others_in_words(
    run: RunFinished, mutes: Mutes, marks: BaselineMarks, resumed: Container[CaseKey] = ()
) -> str:
    """`2 other cases of these suites were not run now and count, for the exit code too, with their
    last result: 1/2 passed, 1 failed, 1 moved`; empty where all of them ran."""
    others = [case for suite in run.suites for case in suite.cases if is_carried(case, resumed)]
    if not others:
        return ""
    counts = Counts.of_results(others, mutes.covers)
    fallen, keys = marks.fallen(run.suites, mutes), {case.key for case in others}
    figures = {
        "failed": counts.failed,
        "in error": counts.errors,
        "muted": counts.muted,
        "nothing asserted": counts.nothing_asserted,
        **marks.counts_fallen(run.agent, (fallen[key] for key in fallen.keys() & keys)),
    }
    said = [f"{counts.passed:,}/{counts.judged:,} passed"] if counts.judged else []
    said += [f"{number:,} {word}" for word, number in figures.items() if number]
    cases = "1 other case" if len(others) == 1 else f"{len(others):,} other cases"
    suites = "this suite" if len(run.suites) == 1 else "these suites"
    was, their = ("was", "its") if len(others) == 1 else ("were", "their")
    count = "counts" if len(others) == 1 else "count"
    return (
        f"{cases} of {suites} {was} {NOT_RUN} and {count}, for the exit code too, "
        f"with {their} last result: {', '.join(said)}"
    )
