"""What the console says at the end of a run: against the baseline and against the run before."""

from collections.abc import Collection, Iterator, Mapping

from evaltui.core.case import CaseKey
from evaltui.core.did_you_mean import few
from evaltui.core.effect_words import in_words
from evaltui.core.events import RunEnd, RunFinished
from evaltui.core.paired_runs import against_first
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.suite import Suite
from evaltui.reporters.ansi import Ink, plain
from evaltui.reporters.baseline_marks import GLYPHS, BaselineMarks, as_noun
from evaltui.reporters.carried import NOT_RUN, is_carried, others_in_words
from evaltui.reporters.muted_failures import Mutes
from evaltui.reporters.risen import risen_in_words
from evaltui.store.row_status import RowMark


def end_lines(
    event: RunFinished,
    marks: BaselineMarks,
    mutes: Mutes,
    ink: Ink,
    resumed: Collection[CaseKey],
    *,
    whose: str,
) -> Iterator[str]:
    """What fell and rose, what did not run, what changed, and whether all of it ran.

    `resumed` had been finished by the run that this one goes on with; `whose` stands before what
    changed where there are several agents.
    """
    for suite in event.suites:
        fallen = marks.fallen((suite,), mutes)
        results = {one.key: one for one in suite.cases if one.key in fallen} if fallen else {}
        for key, mark in fallen.items():
            result = results.get(key)
            reason = marks.why(result) if result is not None else ""
            when = f" ({NOT_RUN})" if result is not None and is_carried(result, resumed) else ""
            fall = f"{GLYPHS[mark]} {as_noun(mark).upper()}"
            yield ink.bad(f"{fall} {plain(key.case)}{when}: {plain(reason)}")
            if result is not None and (known := marks.evidence(result)):
                yield ink.dim(f"    · {known}")
    yield from _trials(event, marks, mutes, ink)
    for said, cases in risen_in_words(event.suites, mutes, marks, resumed):
        yield ink.good(f"{said}: {plain(few(cases))}")
    if others := others_in_words(event, mutes, marks, resumed):
        yield ink.dim(f"{others}.")
    yield from change_lines(event, mutes, ink, whose=whose)
    if event.end is not RunEnd.COMPLETED:
        yield ink.warn(f"The run was {event.end} before all cases were run.")


def change_lines(event: RunFinished, mutes: Mutes, ink: Ink, *, whose: str) -> Iterator[str]:
    """What differs from the results before."""
    changes = event.changes
    if changed := in_words(changes.counts, changes.muted, changes.new_failed, changes.at_times):
        yield f"{whose}{' · '.join(changed.values())}"
        for key in changes.worse:
            if not mutes.covers(key):
                yield ink.bad(f"  worse  {plain(key.case)}")
        if better := [key.case for key in changes.better if not mutes.covers(key)]:
            yield ink.good(f"  better  {plain(few(better, quote=''))}")
        for key in changes.calls_differ:
            yield ink.dim(f"  calls differ  {plain(key.case)}")


def _trials(event: RunFinished, marks: BaselineMarks, mutes: Mutes, ink: Ink) -> Iterator[str]:
    """What trials say of failures that are no fall, and of passes that settle nothing, and which
    cases are flaky."""
    fallen = marks.fallen(event.suites, mutes)
    cases = [one for suite in event.suites for one in suite.cases if not mutes.covers(one.key)]
    for case in cases:
        if case.key not in fallen and marks.is_undecided_pass(case):
            said = "passed this time, and fails more often than before"
            yield ink.warn(f"{GLYPHS[RowMark.FLAKY]} UNDECIDED {plain(case.key.case)}: {said}")
            yield ink.dim(f"    · {marks.evidence(case)}")
        if case.key in fallen or case.status is not CaseStatus.FAILED:
            continue
        if known := marks.evidence(case, has_fallen=False):
            yield ink.dim(f"  {plain(case.key.case)}: {known}")
    if flaky := [one.key.case for one in cases if marks.is_flaky(one)]:
        yield ink.warn(
            f"{GLYPHS[RowMark.FLAKY]} {len(flaky):,} flaky, both outcomes seen: {plain(few(flaky))}"
        )


def side_by_side(
    finished: Mapping[str, Mapping[CaseKey, CaseResult]],
    suites: Collection[Suite],
    mutes: Mutes,
    ink: Ink,
) -> Iterator[str]:
    """Each other agent against the first one, over all cases that both were judged on and that
    count; `finished` are the last results, by agent."""
    for other, first, whole in against_first(finished, suites, mutes.names):
        yield f"{plain(other)} against {plain(first)}: {whole.difference}"
        for note in whole.notes:
            yield ink.dim(f"  {note}")
