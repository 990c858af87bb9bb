"""What rose since the baseline, as every report says it."""

from collections.abc import Container, Iterator, Sequence

from evaltui.core.case import CaseKey
from evaltui.core.suite_result import SuiteResult
from evaltui.reporters.baseline_marks import GLYPHS, BaselineMarks
from evaltui.reporters.carried import NOT_RUN, is_carried
from evaltui.reporters.muted_failures import Mutes
from evaltui.store.row_status import RowMark


def risen_in_words(
    suites: Sequence[SuiteResult],
    mutes: Mutes,
    marks: BaselineMarks,
    resumed: Container[CaseKey] = (),
) -> Iterator[tuple[str, list[str]]]:
    """`↑ 2 improved since the baseline, 1 of them not run now`, and the ids of those cases: what is
    proven first, then what moved up."""
    risen = marks.risen(suites, mutes)
    if not risen:
        return
    carried = {one.key for suite in suites for one in suite.cases if is_carried(one, resumed)}
    for mark in (RowMark.IMPROVED, RowMark.MOVED_UP):
        if fresh := {key for key, found in risen.items() if found is mark}:
            when = f", {len(fresh & carried)} of them {NOT_RUN}" if fresh & carried else ""
            said = f"{GLYPHS[mark]} {len(fresh)} {mark.value} since the baseline{when}"
            yield said, sorted(key.case for key in fresh)
