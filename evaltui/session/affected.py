"""Which results are due: the inputs they had, compared with the current ones."""

from collections.abc import Collection, Container, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.bearing import are_asked_alike
from evaltui.core.case import Case, CaseKey
from evaltui.core.inputs import Inputs
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import NEVER_RUN, Degree, DueCase
from evaltui.core.suite import Suite
from evaltui.kinds import settled
from evaltui.project import Project
from evaltui.session.inputs_of import InputsOf
from evaltui.session.tool_edit import ToolEdit
from evaltui.store.row import Row


class Compared(Struct, frozen=True):
    """One result held against the project as it is now."""

    inputs: Inputs | None
    """Those of the result; `None` when there was none."""
    due: DueCase | None


def compare(
    project: Project,
    before: Project | None,
    rows: Mapping[CaseKey, Row],
    agent: Agent,
    others: Collection[CaseKey] = (),
    due: Collection[CaseKey] = (),
    fresh: Collection[CaseKey] = (),
) -> dict[CaseKey, Compared]:
    """Compare the results that the change between two readings can touch, and `others`; all
    without `before`.

    `due`: cases whose results were not in force before; `fresh`: those whose results were asked
    under this reading, which nothing can have touched. Reads `rows` only; safe on a worker
    thread while results come in.
    """
    inputs_of = InputsOf(project, agent)
    found: dict[CaseKey, Compared] = {}
    is_edit = before is not None and _differ_in_tools_only(project, before)
    edit = ToolEdit(before, project, agent) if before is not None and is_edit else None
    for case, suite in _changed_cases(project, before, others):
        if case.key in fresh:
            continue
        row = rows.get(case.key)
        result = row.result if row is not None else None
        was_in_force = case.key not in due and case.key not in others
        if edit is not None and was_in_force and not edit.can_touch(case, suite, result):
            continue
        had = result.inputs if result is not None else None
        found[case.key] = Compared(had, due_case(case, suite, result, inputs_of))
    return found


def due_case(
    case: Case, suite: Suite, result: CaseResult | None, inputs_of: InputsOf
) -> DueCase | None:
    """Why the result of a case, or that there is none, cannot be trusted; `None` when it can."""
    if result is None:
        return DueCase(case.key, Degree.NEVER_RUN, (NEVER_RUN,))
    changed = inputs_of.changed(case, suite, result)
    missing = inputs_of.not_trusted(case, result.inputs)
    if not changed and not missing:
        return None
    certain = settled(case, has_judge=inputs_of.has_judge)
    if certain is not None and (result.status, result.error) == (certain.status, certain.reason):
        return None  # nobody would be asked, and nothing judged, whatever changed
    degree, reasons = changed or (Degree.POSSIBLY, ())
    return DueCase(case.key, degree, (*missing, *reasons))


def affected_between(
    keys: Container[CaseKey],
    before: Project,
    now: Project,
    rows: Mapping[CaseKey, Row],
    agent: Agent,
    *,
    is_free: bool,
) -> dict[CaseKey, DueCase]:
    """What the changes between two readings alone make of these, whatever else makes them due.

    One that never ran has no answer that could be judged again, and an agent that costs money is
    asked for none of those because of a change. Reads `rows` only, like `compare`.
    """
    would_ask, inputs_of = InputsOf(before, agent), InputsOf(now, agent)
    then = {case.key: (case, suite) for case, suite in _changed_cases(before, now)}
    found = dict[CaseKey, DueCase]()
    for case, suite in _changed_cases(now, before):
        key, row = case.key, rows.get(case.key)
        if key not in keys or key not in then:
            continue
        result = row.result if row is not None else None
        inputs = would_ask(*then[key], result.inputs if result is not None else None)
        known = result or CaseResult(key, "", agent.name, CaseStatus.PASSED)
        due = due_case(case, suite, replace(known, inputs=inputs), inputs_of)
        if due is not None and result is None:
            degree = due.degree if due.degree is not Degree.TO_JUDGE else Degree.AFFECTED
            due = replace(due, degree=degree if is_free else Degree.NEVER_RUN)
        if due is not None:
            found[key] = due
    return found


def is_touched(keys: Container[CaseKey], before: Project, now: Project, agent: Agent) -> bool:
    """Whether one of these cases would be asked otherwise now, or is not there any more.

    Where only its verdict would be another, its answer can be awaited and judged again.
    """

    asked, would_ask = InputsOf(before, agent), InputsOf(now, agent)
    cases = {case.key: (case, suite) for case, suite in _changed_cases(now, before)}
    for case, suite in _changed_cases(before, now):
        if case.key in keys:
            found = cases.get(case.key)
            then = asked(case, suite)
            if found is None:
                return True
            if not are_asked_alike(then, would_ask(*found, then), agent.traits):
                return True
    return False


def _changed_cases(
    project: Project, other: Project | None, others: Collection[CaseKey] = ()
) -> Iterator[tuple[Case, Suite]]:
    """Cases of `project` that may have other inputs in the other reading, and `others`."""
    if other is None or not _is_shared_same(project, other):
        yield from ((case, suite) for suite in project.suites for case in suite.cases)
        return
    suites_of_others = {key.suite for key in others}
    for suite in project.suites:
        is_same = other.suite(suite.id) is suite
        if is_same and suite.id not in suites_of_others:
            continue
        for case in suite.cases:
            if case.key in others or not (is_same or project.has_same_inputs(case, suite, other)):
                yield case, suite


def _is_shared_same(project: Project, other: Project) -> bool:
    """Whether what shapes the inputs of all cases is as in the other reading."""
    return project.tool_prints is other.tool_prints and _differ_in_tools_only(project, other)


def _differ_in_tools_only(project: Project, other: Project) -> bool:
    """Whether nothing but the tools that all cases share is another in the other reading."""
    return (
        project.seed_prints is other.seed_prints
        and project.sources is other.sources
        and project.live == other.live
        and project.evaluators is other.evaluators
        and project.config == other.config
    )
