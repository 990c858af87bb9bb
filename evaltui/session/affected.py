"""Which results are due: the inputs they had, compared with the current ones."""

from collections.abc import Collection, Container, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.bearing import are_asked_alike
from evaltui.core.case import Case, CaseKey
from evaltui.core.inputs import Inputs
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import (
    ANOTHER_TOOL,
    ANY_TOOL,
    NEVER_RUN,
    NOT_TRUSTED,
    Changed,
    Degree,
    DueCase,
    due_reasons,
)
from evaltui.core.suite import Suite
from evaltui.core.tool_changes import (
    NOTHING_REACHED,
    Reached,
    ToolChange,
    words,
)
from evaltui.core.weighed import read_prints
from evaltui.kinds import asks_persona, settled
from evaltui.project import Project
from evaltui.session.tool_edit import ToolEdit
from evaltui.store.row import Row


class InputsOf:
    """The Inputs that cases of a project have for one agent now."""

    def __init__(self, project: Project, agent: Agent, trials: int | None = None) -> None:
        self._project = project
        self._agent = agent
        self._trials = trials
        usual = trials or project.config.trials
        self._known = project.known_inputs.setdefault((agent, usual), {})
        self._changed = project.known_changes.setdefault((agent, usual), {})

    @property
    def has_judge(self) -> bool:
        """Whether the settings name one."""
        return self._project.config.judge is not None

    def changed(self, case: Case, suite: Suite, result: CaseResult) -> Changed:
        """As `due_reasons`, found out once for a result: a save asks for it several times."""
        known = self._changed.get(case.key)
        if known is not None and known[0] is result:
            return known[1]
        before = result.inputs
        now = self(case, suite, before)
        if now is before or now == before:  # then nothing of it was reached either
            return None
        found = due_reasons(result, now, self.reached(case, before))
        self._changed[case.key] = result, found
        return found

    def not_trusted(self, case: Case, before: Inputs) -> tuple[str, ...]:
        """What judged a result and is left out now, since nobody agreed to it, in words."""
        types = self._project.untrusted_evaluators(case, before)
        return tuple(f"evaluator {type_} is {NOT_TRUSTED}" for type_ in types)

    def __call__(self, case: Case, suite: Suite, before: Inputs | None = None) -> Inputs:
        """`before`: those of a result, when these are to be compared with them."""
        now = self._known.get(case.key)
        if now is None:
            now = self._known[case.key] = self._work_out(case, suite)
        if before is None or before is now:
            return now
        if before.agent and before.agent == self._agent.former_fingerprint:
            now = replace(now, agent=before.agent)
        if before.agent_files and before.agent_files == self._agent.former_content:
            now = replace(now, agent_files="")
        return self._project.inputs_to_compare(now, case, before, lambda: self._reach(case))

    def _work_out(self, case: Case, suite: Suite) -> Inputs:
        agent = self._agent
        return self._project.inputs(
            case,
            suite,
            agent_fingerprint=agent.fingerprint,
            agent_files=agent.content,
            variables=agent.variables,
            other_files="" if agent.knows_files else self._project.sources.print,
            reach=self._reach(case),
            sees_expectations=agent.traits.sees_expectations,
            repairs=agent.traits.max_repairs > 0,
            trials=self._trials,
        )

    def reached(self, case: Case, before: Inputs) -> Reached:
        """What of the tools changed since a result that could shape its answer."""
        traits, prints = self._agent.traits, self._project.tool_prints
        if not traits.may_read_registry or not case.asks_agent:
            return NOTHING_REACHED
        changed = prints.changes_since(before.all_tools)
        if changed == ():
            return NOTHING_REACHED
        if before.shown is not None:
            return self._considered(case, before, before.shown, changed)
        if changed is None or self._reach(case) is not None:
            return ANY_TOOL
        if traits.reads_registry:
            changed = tuple(change for change in changed if change.is_shown)
        return Reached(None, words(changed, without=self._mentioned(before)))

    def _considered(
        self, case: Case, before: Inputs, shown: str, changed: tuple[ToolChange, ...] | None
    ) -> Reached:
        """Of an agent that says which tools it weighed: those that changed, and those it would."""
        prints, registry = self._project.tool_prints, self._project.registry
        candidates = registry.tools if changed is None else (one.tool for one in changed)
        names = prints.shown_as_then(shown)
        others = frozenset(candidates) - frozenset(names)
        if None in names:
            names = self._read_as_then(case, shown, names, others)
        kept = [name for name in names if name is not None]
        others -= frozenset(kept)
        if len(kept) < len(names):
            if changed is None:
                return Reached(None, (ANOTHER_TOOL,))
            reached = prints.weighed_then(before.all_tools, others, shown)
        else:
            reached = self._agent.would_consider(case.message, registry, kept, others)
        if changed is None:
            found = tuple(f"{tool} fits the message better than before" for tool in sorted(reached))
            return Reached(reached, found)
        named = (one for one in changed if one.tool in reached and one.is_shown)
        return Reached(reached, words(named, without=self._mentioned(before)))

    def _read_as_then(
        self, case: Case, shown: str, names: list[str | None], others: Collection[str]
    ) -> list[str | None]:
        """`names` with those of the `others` of which the agent reads the same for the message as
        then, whatever else changed of them."""
        read = read_prints(shown)
        if len(read) != len(names):
            return names
        now = self._agent.read_prints(case.message, self._project.registry, others)
        by_print = {text: name for name, text in now.items()}
        return [
            by_print.get(text) if name is None else name
            for name, text in zip(names, read, strict=True)
        ]

    def _reach(self, case: Case) -> frozenset[str] | None:
        """Of all that the agent is known to be asked; what a model will ask nobody knows."""
        if not case.asks_agent:
            return frozenset()
        if asks_persona(case):
            return None
        found = [self._agent.reach(said, self._project.registry) for said in case.messages]
        if len(found) == 1:
            return found[0]
        known = [one for one in found if one is not None]
        return frozenset().union(*known) if len(known) == len(found) else None

    def _mentioned(self, before: Inputs) -> frozenset[str]:
        """Tools whose changes a result's own fingerprints tell."""
        return frozenset(key.rpartition(".")[0] for key in before.tools) | before.called.keys()


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
    certain = settled(case, has_judge=inputs_of.has_judge)
    if certain is not None and (result.status, result.error) == (certain.status, certain.reason):
        return None  # nobody would be asked, and nothing judged, whatever changed
    changed = inputs_of.changed(case, suite, result)
    missing = inputs_of.not_trusted(case, result.inputs)
    if not changed and not missing:
        return None
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
