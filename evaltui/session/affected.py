"""Which results can't be trusted: the inputs they had, compared with those of now."""

from collections.abc import Container, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.case import Case, CaseKey
from evaltui.core.inputs import Inputs
from evaltui.core.result import CaseResult
from evaltui.core.staleness import Degree, StaleCase, stale_reasons
from evaltui.core.suite import Suite
from evaltui.project import Project
from evaltui.store.row import Row


class InputsOf:
    """The Inputs that cases of a project have for one agent now."""

    def __init__(self, project: Project, agent: Agent, trials: int | None = None) -> None:
        self._project = project
        self._agent = agent
        self._trials = trials

    def __call__(self, case: Case, suite: Suite, before: Inputs | None = None) -> Inputs:
        """`before`: those of a result, when these are to be compared with them."""
        project, agent = self._project, self._agent
        return project.inputs(
            case,
            suite,
            agent_fingerprint=agent.fingerprint,
            reach=agent.reach(case.message, project.registry),
            sees_expectations=agent.traits.is_told_expectations,
            repairs=agent.traits.max_repairs > 0,
            trials=self._trials,
            before=before,
        )


class Compared(Struct, frozen=True):
    """One result held against the project as it is now."""

    inputs: Inputs | None
    """Those of the result; `None` when there was none."""
    stale: StaleCase | None


def compare(
    project: Project, before: Project | None, rows: Mapping[CaseKey, Row], agent: Agent
) -> dict[CaseKey, Compared]:
    """Compare the results whose cases differ between two readings; all without `before`.

    Reads `rows` only; safe on a worker thread while results come in.
    """
    inputs_of = InputsOf(project, agent)
    found: dict[CaseKey, Compared] = {}
    for suite in _changed_suites(project, before):
        for case in suite.cases:
            row = rows.get(case.key)
            result = row.result if row is not None else None
            had = result.inputs if result is not None else None
            found[case.key] = Compared(had, stale_case(case, suite, result, inputs_of))
    return found


def stale_case(
    case: Case, suite: Suite, result: CaseResult | None, inputs_of: InputsOf
) -> StaleCase | None:
    """Why the result of a case, or that there is none, cannot be trusted; `None` when it can."""
    if result is None:
        return StaleCase(case.key, Degree.NEVER_RUN, ("never run",))
    changed = stale_reasons(result, inputs_of(case, suite, result.inputs))
    return StaleCase(case.key, *changed) if changed else None


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
            if found is None or _asked(then, agent) != _asked(would_ask(*found, then), agent):
                return True
    return False


def _asked(inputs: Inputs, agent: Agent) -> Inputs:
    """Without what shapes only a verdict that can be made again of the answer, and without the
    tools that may matter to an agent that is not given them: that is no reason to ask twice."""
    if not agent.traits.reads_registry:
        inputs = replace(inputs, registry="")
    return replace(inputs, case="", seed={}, checks={}, rules="") if inputs.answer else inputs


def _changed_cases(project: Project, other: Project) -> Iterator[tuple[Case, Suite]]:
    return ((case, suite) for suite in _changed_suites(project, other) for case in suite.cases)


def _changed_suites(project: Project, other: Project | None) -> Iterator[Suite]:
    """Suites of `project` whose cases may have other inputs in the other reading."""
    is_shared_same = other is not None and (
        project.tool_prints is other.tool_prints
        and project.seed_prints is other.seed_prints
        and project.config == other.config
    )
    for suite in project.suites:
        if not (is_shared_same and other is not None and other.suite(suite.id) is suite):
            yield suite
