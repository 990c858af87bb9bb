"""An evidence pack of the run, which can be compared and gated."""

import io
from collections.abc import Container, Mapping
from pathlib import Path

from evaltui.core.case import Case, CaseKey
from evaltui.core.clusters import group_in
from evaltui.core.events import RunEnd, RunFinished
from evaltui.core.result import CaseResult
from evaltui.core.suite import Suite
from evaltui.disk.atomic import safe_name
from evaltui.evidence.judge_code import code_of_results
from evaltui.evidence.packs.pack_folder import new_pack, refuse_others
from evaltui.evidence.packs.pack_shapes import AGENT_RUN
from evaltui.evidence.packs.pack_writer import PackWriter
from evaltui.evidence.run_config import RunConfig
from evaltui.evidence.run_of_agent import dataset_of, judges_of, trace_of, verdicts_of
from evaltui.evidence.summary import SummaryCounts
from evaltui.reporters.carried import cases_that_ran
from evaltui.reporters.written_at_end import WrittenAtEnd


class EvidenceReporter(WrittenAtEnd):
    """Written at the end to `place`; of several agents each has a folder in it.

    Cases that did not run, and those of which nothing was asserted, are no evidence and left out,
    as is a run that did not come to its end. Raises UserError where `place` holds something else.
    """

    def __init__(self, place: str, *, is_agreed: bool = False) -> None:
        """`is_agreed`: with what the project does, as `RunConfig` has it."""
        super().__init__(io.StringIO())
        self._is_agreed = is_agreed
        self._place = Path(place)
        refuse_others(self._place, may_hold_packs=True)

    def close(self) -> None:
        runs = [run for run in self._runs if run.end is RunEnd.COMPLETED]
        for run in runs:
            place = self._place / safe_name(run.agent) if runs[1:] else self._place
            resumed = self._resumed_of(run.agent)
            write_pack(run, place, self._suites, resumed, is_agreed=self._is_agreed)


def write_pack(
    run: RunFinished,
    place: Path,
    suites: Mapping[str, Suite],
    resumed: Container[CaseKey],
    *,
    is_evidence: bool = True,
    is_agreed: bool = False,
) -> None:
    """The cases that the run ran; `is_evidence`: but for those of which nothing was asserted."""
    cases = {case.key: case for suite in suites.values() for case in suite.cases}
    groups = {case.key: group_in(case, suite) for suite in suites.values() for case in suite.cases}
    ran = cases_that_ran((case for suite in run.suites for case in suite.cases), resumed)
    results = [one for one in ran if one.has_run and not (is_evidence and one.is_nothing_asserted)]
    dataset = dataset_of(one.suite for one in run.suites)
    counts = SummaryCounts()
    with (
        new_pack(place, may_hold_packs=True) as building,
        PackWriter(building, run_id=run.run_id, dataset_id=dataset) as pack,
    ):
        for result in results:
            case = cases.get(result.key)
            verdicts = verdicts_of(case, result, groups.get(result.key, ""))
            counts.add(verdicts)
            pack.add(trace_of(case, result), verdicts)
        config = RunConfig(
            dataset,
            _judges(cases, results),
            run_id=run.run_id,
            agent_version=run.agent,
            execution_mode=AGENT_RUN,
            is_agreed=is_agreed,
            judge_code=code_of_results(results),
        )
        pack.finish(config.document(Path.cwd()), counts.document(run.run_id, dataset))


def _judges(cases: dict[CaseKey, Case], results: list[CaseResult]) -> list[str]:
    """All that judge a case of the run, in the order in which they first do."""
    named = (judges_of(cases[one.key], one) for one in results if one.key in cases)
    return list(dict.fromkeys(name for each in named for name in each))
