"""Results with verdicts and responses: the history knows which file or journal has them."""

from collections.abc import Collection
from pathlib import Path

from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.result import CaseResult
from evaltui.core.suite_result import SuiteResult
from evaltui.disk.atomic import safe_path
from evaltui.disk.history.history_file import HistoryFile
from evaltui.disk.history.history_queries import file_of_suite, pointer
from evaltui.disk.journal.carried_lines import carried_lines
from evaltui.disk.journal.journal import OPEN_SUFFIX, SUFFIX
from evaltui.disk.journal.journal_reading import AboutRun, about_run
from evaltui.disk.results.result_file import NO_LINES, Lines
from evaltui.disk.results.results_folder import files_of_run
from evaltui.disk.results.whole_results import (
    Cases,
    filled_from,
    filled_from_journals,
    find_whole,
    light_cases,
)


class KeptAnswers:
    """Synchronous, and safe from any thread. Methods raise HistoryError."""

    def __init__(self, file: HistoryFile, folder: Path, output_dir: Path) -> None:
        self._file = file
        self._output_dir = output_dir
        self._journals = folder / "runs"

    def detail(self, key: CaseKey, agent: str) -> CaseResult | None:
        """The last result of a case with verdicts and response; `None` when its file is gone."""
        found = self._file.guarded(lambda: pointer(self._file.connection, key, agent))
        if found is None:
            return None
        run_id, name = found
        return find_whole(key, run_id, (self._output_dir / name,) if name else (), self._journals)

    def whole(self, key: CaseKey, run_id: str) -> CaseResult | None:
        """A case's result in one run with verdicts and response; `None` when it is gone."""
        return find_whole(key, run_id, files_of_run(self._output_dir, run_id), self._journals)

    def about(self, run_id: str) -> AboutRun:
        """What a run was about; nothing where its journal is gone."""
        paths = (
            safe_path(self._journals, run_id, suffix=suffix) for suffix in (SUFFIX, OPEN_SUFFIX)
        )
        found = (one for one in map(about_run, paths) if one.cases)
        return next(found, AboutRun())

    def complete(self, result: SuiteResult, *, with_own: bool = False) -> SuiteResult:
        """Give carried light cases their verdicts and responses back.

        `with_own`: those of the result's own run too, since it is over and known from here.
        """
        light = light_cases(result, with_own=with_own)
        if not light:
            return result
        return replace(result, cases=self._filled(result.cases, light, self._newest_file(result)))

    def whole_of(self, agent: str, suite: str, results: Cases) -> Cases:
        """Last results of one suite with verdicts and responses; of those that are gone without."""
        light = frozenset(one.key for one in results if one.is_light)
        if not light:
            return results
        return self._filled(results, light, self._newest_of(agent, suite))

    def carried(self, result: SuiteResult) -> tuple[SuiteResult, Lines]:
        """What is to be written of carried light cases: their lines in the suite's last file; where
        that has none they are given their verdicts and responses back."""
        light = light_cases(result, with_own=False)
        if not light:
            return result, NO_LINES
        path = self._newest_file(result)
        lines = carried_lines(path, result, light) if path else {}
        missing = light - lines.keys()
        if not missing:
            return result, lines
        return replace(result, cases=self._filled(result.cases, missing, path)), lines

    def _newest_file(self, result: SuiteResult) -> Path | None:
        return self._newest_of(result.agent, result.suite)

    def _newest_of(self, agent: str, suite: str) -> Path | None:
        name = self._file.guarded(lambda: file_of_suite(self._file.connection, agent, suite))
        return self._output_dir / name if name else None

    def _filled(self, cases: Cases, light: Collection[CaseKey], path: Path | None) -> Cases:
        filled = filled_from(path, cases, light) if path else cases
        return filled_from_journals(self._journals, filled, light)
