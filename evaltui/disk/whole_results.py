"""Results with verdicts and response, which the history leaves in result files and journals."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.errors import UserError
from evaltui.core.result import CaseResult, SuiteResult
from evaltui.disk.atomic import safe_path
from evaltui.disk.journal import OPEN_SUFFIX, SUFFIX
from evaltui.disk.journal_reading import find_finished
from evaltui.disk.result_file import read_case_line, read_suite_result


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


def light_cases(result: SuiteResult) -> frozenset[CaseKey]:
    """Cases carried over from the history without verdicts and response."""
    return frozenset(
        case.key
        for case in result.cases
        if case.carried_from and case.response is None and not case.verdicts
    )


def filled_from(path: Path, result: SuiteResult, light: Collection[CaseKey]) -> SuiteResult:
    """The light cases made whole by an earlier result file, as far as it has them."""
    try:
        before = read_suite_result(path)
    except UserError:
        return result
    known = {case.key: case for case in before.cases}
    return replace(result, cases=tuple(_filled(case, known, light) for case in result.cases))


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
        skipped_tokens=whole.skipped_tokens,
        attempts=whole.attempts,
        description=whole.description or case.description,
        error=whole.error,
    )
