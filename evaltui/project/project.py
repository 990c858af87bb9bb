"""A project as read from disk, and the Inputs of its cases."""

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.case import Case, CaseKey
from evaltui.core.config import Config
from evaltui.core.errors import Problem, unread_files
from evaltui.core.former_prints import FormerPrints
from evaltui.core.inputs import OF_EVALUATOR, Inputs
from evaltui.core.json_value import Json
from evaltui.core.result import CaseResult
from evaltui.core.staleness import Changed
from evaltui.core.suite import Suite
from evaltui.core.tool import ToolDefinition, ToolRegistry
from evaltui.core.tool_changes import changed_tool_files
from evaltui.evaluators.loaded_evaluators import LoadedEvaluators
from evaltui.evaluators.registry import EvaluatorRegistry
from evaltui.formats.naming import suite_tools
from evaltui.judging.judge import RULES
from evaltui.kinds import evaluator_uses, kind_of
from evaltui.project.check_prints import CheckPrints
from evaltui.project.discover import Found
from evaltui.project.seed_prints import SeedPrints
from evaltui.project.source_files import SourceFiles
from evaltui.project.suite_file import SuiteFile
from evaltui.project.tool_prints import ToolPrints
from evaltui.registries import RegistryReader

if TYPE_CHECKING:
    from evaltui.evaluators.loading import EvaluatorLoader


class Project(Struct, frozen=True, eq=False, dict=True):
    """Everything on disk that a run needs. Suites and tools that did not change are the same
    objects as in the project it was read after. Reading is safe from any thread."""

    config: Config
    suites: tuple[Suite, ...]
    """In order of their paths."""
    registry: ToolRegistry
    seed: Json
    """The seed manifest's values; `None` without one."""
    problems: tuple[Problem, ...]
    """Mistakes in eval files, registry and seed manifest there are now."""
    files_watched: frozenset[Path]
    """Absolute paths of every file that took part (imports of tool files, absent settings files
    too) and of the folders where new eval files would be found."""
    files: Mapping[Path, SuiteFile]
    """By absolute path, readable or not."""
    found: Found
    reader: RegistryReader
    registry_problems: tuple[Problem, ...]
    seed_digest: bytes
    seed_problems: tuple[Problem, ...]
    tool_prints: ToolPrints
    seed_prints: SeedPrints
    evaluators: LoadedEvaluators
    sources: SourceFiles
    """What an agent may be made of whose files are not all known."""
    loader: "EvaluatorLoader | None"
    """Of evaluators; has the children in which they judge. `None` where the settings name none."""
    live: str = ""
    """Of the values in the snapshot's file, or of the files that make its command; empty where they
    come from elsewhere or nowhere."""
    live_files: frozenset[Path] = frozenset()
    """Those files."""
    number: int = 1
    """Counts the readings of a session; the same number is the same reading."""
    changed: frozenset[str] = frozenset()
    """Files whose change led to this reading, as named in problems."""

    @property
    def root(self) -> Path:
        return self.config.root

    def suite(self, id_: str) -> Suite | None:
        file = self._by_id.get(id_)
        return file.suite if file is not None else None

    def inputs(
        self,
        case: Case,
        suite: Suite,
        *,
        agent_fingerprint: str,
        agent_files: str = "",
        variables: str = "",
        other_files: str = "",
        reach: frozenset[str] | None = None,
        sees_expectations: bool = False,
        repairs: bool = False,
        trials: int | None = None,
    ) -> Inputs:
        """Fingerprints of all that shapes a result of the case now.

        Tools count for every agent: one behind an endpoint changes with the same edit, and any
        other tool may pull its choice away. Of the rest of the registry only the tools in `reach`
        count when the agent knows which ones can shape its answer. An agent that
        `sees_expectations` answers to all of the case; one that `repairs` sees how its answers
        were judged, so that judging again means asking again. `trials`: other than in the settings.
        """
        facts = self._by_id[suite.id].facts_of(case)
        if not case.asks_agent:
            return Inputs(
                case=facts.fingerprint,
                answer=facts.answer,
                checks=kind_of(case).rules(),
                rules=RULES,
            )
        mentioned = facts.tools | self._suite_tools[suite.id]
        has_live_values = facts.needs_snapshot and bool(self._snapshot)
        answer = facts.fingerprint if sees_expectations else facts.answer
        return Inputs(
            case=facts.fingerprint,
            tools=self.tool_prints.of(mentioned),
            registry=self.tool_prints.of_others(mentioned, reach),
            seed=self.seed_prints.of(facts.seed_paths),
            agent=agent_fingerprint,
            checks=self._check_prints.of(case, needs_snapshot=facts.needs_snapshot),
            answer="" if has_live_values or repairs else answer,
            rules=RULES,
            settings=self._settings(trials or self.config.trials),
            all_tools=self.tool_prints.whole,
            agent_files=agent_files,
            variables=variables,
            live=self.live if has_live_values else "",
            player=self._check_prints.player(case),
            other_files=other_files,
            evaluator_files="" if self._check_prints.knows_files(case) else self.sources.print,
        )

    def inputs_to_compare(
        self, now: Inputs, case: Case, before: Inputs, reach: Callable[[], frozenset[str] | None]
    ) -> Inputs:
        """Those of a case `now`, to be held against those of its result.

        They hold the tools that the case mentioned then against those of now, since an expectation
        that mentions another tool changed no tool; those that were called; and evaluators that are
        left out as they were. So is the print of a case that an earlier version told otherwise.
        """
        former = self._by_id[case.key.suite].facts_of(case).former
        if former and former == before.case:
            answer = former if now.answer == now.case else now.answer
            now = replace(now, case=former, answer=answer)
        if not case.asks_agent:
            return now
        if before.case not in ("", now.case) and before.tools.keys() != now.tools.keys():
            mentioned = frozenset(key.rpartition(".")[0] for key in before.tools)
            tools, others = self.tool_prints.of(mentioned), reach()
            now = replace(now, tools=tools, registry=self.tool_prints.of_others(mentioned, others))
        if before.called:
            now = replace(now, called=self.tool_prints.of_called(before.called))
        if before.checks and self.evaluators.is_left_out:
            keys = (f"{OF_EVALUATOR}{type_}" for type_ in self.untrusted_evaluators(case, before))
            as_before = {key: before.checks[key] for key in keys if key in before.checks}
            now = replace(now, checks={**now.checks, **as_before}) if as_before else now
        return now

    @cached_property
    def former_prints(self) -> FormerPrints:
        """Of all cases that an earlier version told otherwise."""
        facts = (
            self._by_id[case.key.suite].facts_of(case)
            for suite in self.suites
            for case in suite.cases
            if case.extra
        )
        return FormerPrints.of((one.former, one.fingerprint) for one in facts if one.former)

    @cached_property
    def known_inputs(self) -> dict[tuple[Agent, int], dict[CaseKey, Inputs]]:
        """By agent and trials, of those cases that were asked for: a save asks for them several
        times, and results share them. Kept by `session/inputs_of.py`."""
        return {}

    @cached_property
    def known_changes(self) -> dict[tuple[Agent, int], dict[CaseKey, tuple[CaseResult, Changed]]]:
        """Likewise, what changed since results that are due."""
        return {}

    def has_same_inputs(self, case: Case, suite: Suite, other: "Project") -> bool:
        """Whether the case has the same inputs in the other reading, as far as its file shapes
        them: it says the same, in a file about the same tools."""
        now, then = self._by_id[suite.id], other._by_id.get(suite.id)
        return (
            then is not None
            and now.facts_of(case) is then.facts.get(case.id)
            and self._suite_tools.get(suite.id) == other._suite_tools.get(suite.id)
        )

    def mentioned(self, case: Case, suite: Suite) -> frozenset[str]:
        """The registry's names of all tools that the case or its suite talks about."""
        facts = self._by_id[suite.id].facts_of(case)
        return self.tool_prints.names(facts.tools | self._suite_tools[suite.id])

    def keep_tools(self) -> None:
        """Have later sessions know what the tools are now, and what files said that cannot be read
        then. Where one cannot be read now, what it said before stays known."""
        self.tool_prints.keep()
        if not unread_files(self.registry_problems):
            self.reader.keep(self.registry)

    def tools_of(self, file: Path) -> tuple[ToolDefinition, ...]:
        """The tools in whose definition a file took part, imported files included."""
        name = self.shown(file)
        return tuple(tool for tool in self.registry if name == tool.file or name in tool.depends_on)

    def shown(self, path: Path) -> str:
        """A path as problems name it: below the project root, with `/`."""
        from evaltui.formats import suite_id

        return suite_id(path, self.root)

    def changed_since(self, before: "Project") -> tuple[str, ...]:
        """Files whose content differs from an earlier reading, as problems name them, sorted."""
        paths = self.files.keys() | before.files.keys()
        others = [path for path in paths if self.files.get(path) is not before.files.get(path)]
        changed = {name for path in others for name in self._saved(path, before)}
        if self.registry is not before.registry:
            changed |= changed_tool_files(before.registry, self.registry, self.changed)
        if self.seed_digest != before.seed_digest:
            changed.add(self.config.seed_manifest_path)
        if self.live != before.live:
            shown = {self.shown(path) for path in self.live_files | before.live_files}
            changed |= shown & self.changed or {self.config.snapshot}
        if self.sources is not before.sources:
            # What is saved beside them has all of them read again, before the system tells of each.
            changed |= {self.shown(path) for path in self.sources.differing(before.sources)}
        if self.evaluators is not before.evaluators:
            files = self.evaluators.files | before.evaluators.files
            changed |= {self.shown(path) for path in files} & self.changed
        if self.config != before.config and self.config.file:
            along = {*self.config.read_along} & self.changed
            changed |= along - {self.config.file} or {self.config.file}
        return tuple(sorted(changed))

    def _saved(self, path: Path, before: "Project") -> set[str]:
        """Which files make an eval file read otherwise: itself, or those that are read along."""
        now, then = self.files.get(path), before.files.get(path)
        if now is None or then is None or now.digest != then.digest:
            return {self.shown(path)}
        other = {one for one in now.beside if now.beside[one] != then.beside.get(one)}
        return {self.shown(one) for one in other} or {self.shown(path)}

    def _settings(self, trials: int) -> Mapping[str, int]:
        found = {"timeoutMs": self.config.timeout_ms, "trials": trials}
        return self._known_settings.setdefault(trials, found)

    @cached_property
    def _known_settings(self) -> dict[int, dict[str, int]]:
        """By trials; equal ones are shared."""
        return {}

    @property
    def _snapshot(self) -> str:
        """Where live values come from, empty when they are not asked for."""
        return self.config.snapshot if self.config.snapshot_enabled else ""

    def untrusted_evaluators(self, case: Case, before: Inputs) -> tuple[str, ...]:
        """Types that judge the case, or judged its result with those inputs, and are not known
        while evaluators are left out that nobody agreed to: they may be among these."""
        if not self.evaluators.is_left_out:
            return ()
        types = [use.type for use in case.body.evaluators]
        if kind_of(case).has_auto:
            types += [
                key.removeprefix(OF_EVALUATOR)
                for key in before.checks
                if key.startswith(OF_EVALUATOR)
            ]
        known = self.evaluator_registry
        return tuple(one for one in dict.fromkeys(types) if known.registered(one) is None)

    @cached_property
    def _check_prints(self) -> CheckPrints:
        return CheckPrints(self.config, self._snapshot, self.evaluators)

    @property
    def evaluator_registry(self) -> EvaluatorRegistry:
        """All evaluators that there are."""
        return self.evaluators.registry

    def evaluators_for(self, case: Case) -> EvaluatorRegistry | None:
        """What a case's plan is made with; `None` for one that no evaluator judges."""
        uses = evaluator_uses(case, lambda: self.evaluator_registry)
        return self.evaluator_registry if uses else None

    @cached_property
    def _by_id(self) -> dict[str, SuiteFile]:
        return {file.id: file for file in self.files.values()}

    @cached_property
    def _suite_tools(self) -> dict[str, frozenset[str]]:
        return {suite.id: frozenset(suite_tools(suite)) for suite in self.suites}
