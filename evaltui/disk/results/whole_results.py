"""Results with verdicts and response, which the history leaves in result files and journals."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.errors import UserError
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.suite_result import SuiteResult
from evaltui.disk.atomic import safe_path
from evaltui.disk.journal.journal import OPEN_SUFFIX, SUFFIX
from evaltui.disk.journal.journal_reading import find_finished, finished_in
from evaltui.disk.results.result_file import read_case_line, read_cases

Cases: TypeAlias = tuple[CaseResult, ...]
UNANSWERED = (CaseStatus.ERROR, CaseStatus.SKIPPED)
"""Of these there may be no answer anywhere."""


def find_whole(
    key: CaseKey, run_id: str, files: Iterable[Path], journals: Path
) -> CaseResult | None:
    """A case's result in one run: of the first file that has it, else of the run's journal."""
    for path in files:
        found = _from_result_file(path, key)
        if found is not None and found.run_id == run_id:
            return found
    for suffix in (SUFFIX, OPEN_SUFFIX):
        journaled = find_finished(safe_path(journals, run_id, suffix=suffix), key)
        if journaled is not None:
            return journaled
    return None


def light_cases(result: SuiteResult, *, with_own: bool) -> frozenset[CaseKey]:
    """Cases that come from the history, without verdicts and response.

    Results of the run itself come from there too once it is over: `with_own`.
    """
    return frozenset(
        case.key for case in result.cases if (with_own or case.carried_from) and case.is_light
    )


def filled_from(path: Path, cases: Cases, light: Collection[CaseKey]) -> Cases:
    """The light cases made whole by an earlier result file, as far as it has them."""
    try:
        known = {case.key: case for case in read_cases(path)}
    except UserError:
        return cases
    return tuple(_filled(case, known, light) for case in cases)


def filled_from_journals(journals: Path, cases: Cases, light: Collection[CaseKey]) -> Cases:
    """What is light still made whole by the journals of its runs: no file has the results of a
    run that was killed. Where nobody answered there is nothing to be found."""
    run_ids = dict.fromkeys(
        case.run_id
        for case in cases
        if case.key in light and case.is_light and case.status not in UNANSWERED
    )
    for run_id in run_ids:
        known = finished_in(safe_path(journals, run_id, suffix=SUFFIX))
        known = known or finished_in(safe_path(journals, run_id, suffix=OPEN_SUFFIX))
        cases = tuple(_filled(case, known, light) for case in cases)
    return cases


def _from_result_file(path: Path, key: CaseKey) -> CaseResult | None:
    try:
        return read_case_line(path, key)
    except (OSError, ValueError):
        return None


def _filled(
    case: CaseResult, known: Mapping[CaseKey, CaseResult], light: Collection[CaseKey]
) -> CaseResult:
    whole = known.get(case.key) if case.key in light else None
    if whole is None or whole.run_id != case.run_id:
        return case
    return replace(
        case,
        verdicts=whole.verdicts,
        response=whole.response,
        calls="",
        in_short="",
        typical_ms=0.0,
        known_cost_usd=None,
        known_overlaps=(),
        skipped_tokens=whole.skipped_tokens,
        attempts=whole.attempts,
        # Earlier versions kept it there alone.
        was_counted=whole.was_counted,
        was_judged_again=whole.was_judged_again,
        description=whole.description or case.description,
        error=whole.error,
    )
