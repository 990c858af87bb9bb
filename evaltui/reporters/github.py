"""GitHub Actions: an annotation at the line of each failing case, and the job summary."""

import os
from pathlib import Path

from evaltui.core.did_you_mean import few
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.expectations.outdated import title_of
from evaltui.reporters.ansi import plain_lines
from evaltui.reporters.baseline_marks import as_noun
from evaltui.reporters.markdown import markdown_lines, side_by_side_lines
from evaltui.reporters.risen import risen_in_words
from evaltui.reporters.trials import rate_text, trials_line
from evaltui.reporters.written_at_end import WrittenAtEnd
from evaltui.store.row_status import RowMark


class GithubReporter(WrittenAtEnd):
    """Annotations stream; the summary is appended at the end where the runner offers a file."""

    def close(self) -> None:
        outdated: set[tuple[str, str]] = set()  # of a file and its tool, whichever agent ran it
        for run in self._runs:
            fallen = self._marks.fallen(run.suites, self._mutes)
            for suite in run.suites:
                for case in suite.cases:
                    is_annotated = case.status in _LEVELS or case.key in fallen
                    if is_annotated and not self._is_carried(case):
                        self._annotate(case, fallen.get(case.key))
                for said, cases in risen_in_words(
                    (suite,), self._mutes, self._marks, self._resumed_of(run.agent)
                ):
                    title = _property(self._told_apart("Since the baseline", run.agent))
                    place = f"file={_property(suite.suite)},title={title}"
                    self._out.write(f"::notice {place}::{_message(f'{said}: {few(cases)}')}\n")
                if repeated := trials_line(suite.cases):
                    title = _property(self._told_apart("Repeated evals", run.agent))
                    place = f"file={_property(suite.suite)},title={title}"
                    self._out.write(f"::notice {place}::{_message(repeated)}\n")
                outdated |= {(suite.suite, warning) for warning in suite.staleness_warnings}
        for path, warning in sorted(outdated):
            place = f"file={_property(path)},title={_property(title_of(warning))}"
            self._out.write(f"::warning {place}::{_message(warning)}\n")
        self._out.flush()
        summary = os.environ.get("GITHUB_STEP_SUMMARY")
        if summary:
            with Path(summary).open("a", encoding="utf-8") as file:
                for run in self._runs:
                    resumed = self._resumed_of(run.agent)
                    lines = markdown_lines(run, self._mutes, self._marks, resumed)
                    file.write("\n".join(lines) + "\n")
                file.writelines(line + "\n" for line in side_by_side_lines(self._side_by_side()))

    def _annotate(self, case: CaseResult, fallen: RowMark | None) -> None:
        rate = rate_text(case)
        muted = self._mutes.reason(case)
        level, word = _MUTED if muted else _LEVELS.get(case.status, _FALLEN)
        if fallen is not None:
            word = as_noun(fallen).capitalize()
        if self._marks.is_flaky(case):
            word += " (flaky)"
        line = self._line_of(case.key)
        place = f"file={_property(case.key.suite)}" + (f",line={line}" if line else "")
        title = _property(self._told_apart(f"{word}: {case.key.case}", case.agent))
        said = self._marks.why(case) if fallen is not None else case.error
        said += f" [attempts passed: {rate}]" if rate else ""
        if evidence := self._marks.evidence(
            case, has_fallen=fallen is not None, is_muted=bool(muted)
        ):
            said += f" [{evidence}]"
        if muted:
            said += f" [muted: {muted}]"
        self._out.write(f"::{level} {place},title={title}::{_message(said)}\n")


_LEVELS = {CaseStatus.FAILED: ("error", "Failed"), CaseStatus.ERROR: ("warning", "Error")}
_FALLEN = ("error", "Regression")
"""Of one that is proven to be worse though it passed this time."""
_MUTED = ("notice", "Muted")


def _message(text: str) -> str:
    """Escaped as the workflow commands' message part."""
    return "%0A".join(plain_lines(text.replace("%", "%25"), are_inside=True))


def _property(text: str) -> str:
    """Escaped as a workflow command's property."""
    return _message(text).replace(":", "%3A").replace(",", "%2C")
