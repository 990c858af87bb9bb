"""The Inputs that cases have for an agent now, and what changed since those of a result."""

from collections.abc import Collection

from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.case import Case
from evaltui.core.inputs import Inputs
from evaltui.core.result import CaseResult
from evaltui.core.staleness import ANOTHER_TOOL, ANY_TOOL, NOT_TRUSTED, Changed, due_reasons
from evaltui.core.suite import Suite
from evaltui.core.tool_changes import NOTHING_REACHED, Reached, ToolChange, words
from evaltui.core.weighed import read_prints
from evaltui.kinds import asks_persona
from evaltui.project import Project


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
