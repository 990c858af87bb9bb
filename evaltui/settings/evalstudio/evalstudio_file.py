"""What `evalstudio.config.json` and the files of its workspace say, as settings of ours.

Connectors become profiles of agents, those that evals name are under test, and the model settings
become the judge. Nothing is ever written there but the name of a new evaluator.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from evaltui.core.errors import Problem, Severity
from evaltui.core.key_path import KeyPath
from evaltui.core.workspace_files import (
    CODE,
    CONNECTORS,
    DATA,
    EVALS,
    PERSONAS,
    PROVIDERS,
    SCENARIOS,
)
from evaltui.files import is_there

if TYPE_CHECKING:
    from evaltui.json_text.document import JsonDocument

VERSIONS = (2, 3)
_THEIRS = frozenset(
    {"version", "name", "llmSettings", "maxConcurrency", "projects", "storage", "connectors"}
)
_CONCURRENCY = 3
"""Runs at a time where `maxConcurrency` is absent."""


class Elsewhere(NamedTuple):
    """Where a setting stands that another file than the settings' says."""

    file: str
    """Below the settings' folder."""
    path: KeyPath


class WorkspaceEval(NamedTuple):
    """Scenarios of one project, and the agent that they are to be run with."""

    id: str
    name: str
    agent: str
    """Name of its profile; empty where the eval names no connector that is there."""
    paths: tuple[str, ...]
    """Of its scenarios, `FILE::ID`, below the settings' folder."""


class Workspace(NamedTuple):
    """Our settings, and where each of them stands."""

    table: dict[str, Any]
    places: Mapping[str, KeyPath]
    elsewhere: Mapping[KeyPath, Elsewhere]
    problems: tuple[Problem, ...]
    files: tuple[str, ...]
    """Those that were read besides, or are looked for, below the settings' folder."""
    evals: tuple[WorkspaceEval, ...] = ()


def workspace_projects(document: "JsonDocument") -> tuple["WorkspaceProject", ...]:
    """All of a workspace whose config is an object; those with mistakes are left out."""
    return tuple(_Reading(document, Path()).projects())


def read_workspace(document: "JsonDocument", root: Path) -> Workspace:
    """Of a workspace whose config is an object. What is wrong becomes problems."""
    reading = _Reading(document, root)
    reading.read()
    return Workspace(
        reading.ours,
        reading.places,
        reading.elsewhere,
        tuple(reading.problems),
        tuple(reading.files),
        tuple(reading.evals),
    )


class WorkspaceProject(NamedTuple):
    """One of a workspace."""

    name: str
    id: str
    folder: str
    """Of its data, below the settings' folder."""
    entry: KeyPath
    """Of its entry in the config; empty where the whole workspace is one project."""


class _Reading:
    def __init__(self, document: "JsonDocument", root: Path) -> None:
        assert isinstance(document.value, dict)
        self._document, self._root, self._table = document, root, document.value
        self.ours = {key: value for key, value in self._table.items() if key not in _THEIRS}
        self.places: dict[str, KeyPath] = {}
        self.elsewhere: dict[KeyPath, Elsewhere] = {}
        self.problems: list[Problem] = []
        self.files: list[str] = []
        self.evals: list[WorkspaceEval] = []

    def read(self) -> None:
        self._check_version()
        if self._is_in_database():
            return
        if self._table.get("connectors"):
            what = "Connectors that are programs of your own are not run"
            hint = "Name their agents in `agents` of an `evaltui.toml`: an HTTP one, or a command."
            self._warn(("connectors",), what, hint)
        projects = [*self.projects()]
        self._concurrency()
        self._judge(projects)
        self._agents(projects)
        if "evals" not in self.ours:
            named = [f"{one.folder}/{SCENARIOS}" for one in projects]
            there = [name for name in named if is_there(self._root / name)]
            self.files += [name for name in named if name not in there]
            if there:
                self.ours["evals"] = there
                self.places["evals"] = ("projects",) if "projects" in self._table else ()

    def _add(self, path: KeyPath, what: str, hint: str, severity: Severity) -> None:
        found = self._document.problem(path, what, hint, severity=severity, code=CODE)
        self.problems.append(found)

    def _error(self, path: KeyPath, what: str, hint: str) -> None:
        self._add(path, what, hint, Severity.ERROR)

    def _warn(self, path: KeyPath, what: str, hint: str) -> None:
        self._add(path, what, hint, Severity.WARNING)

    def _check_version(self) -> None:
        version = self._table.get("version", VERSIONS[-1])
        if isinstance(version, bool) or version not in VERSIONS:
            known = " and ".join(map(str, VERSIONS))
            what = f"`version` is none of those that are read, which are {known}"
            hint = f"It is read as version {VERSIONS[-1]}; look whether all is there."
            self._warn(("version",), what, hint)

    def _is_in_database(self) -> bool:
        storage = self._table.get("storage")
        type_ = storage.get("type") if isinstance(storage, dict) else None
        if type_ in (None, "filesystem"):
            return False
        what = "The data of the workspace is in a database, which is not read"
        hint = 'Use `"storage": {"type": "filesystem"}`, or write scenarios as `*.scenario.json`.'
        self._error(("storage", "type"), what, hint)
        return True

    def projects(self) -> Iterator[WorkspaceProject]:
        """Those of `projects`; without them the workspace is one, with its data beside the file."""
        if "projects" not in self._table:
            name = self._table.get("name")
            yield WorkspaceProject(name if isinstance(name, str) else "", "", DATA, ())
            return
        listed = self._table["projects"]
        if not isinstance(listed, list):
            self._error(("projects",), "`projects` is not a list", "Write `[{…}]`.")
            return
        seen: set[str] = set()
        for index, entry in enumerate(listed):
            path: KeyPath = ("projects", index)
            id_ = entry.get("id") if isinstance(entry, dict) else None
            if not isinstance(id_, str) or not id_ or id_ in (".", "..") or not _is_segment(id_):
                what = "The project has no `id` that names its folder below `projects/`"
                self._error(path, what, 'Write `{"id": "…", "name": "…"}`.')
            elif id_ in seen:
                self._error((*path, "id"), f"The project `{id_}` stands twice", "Remove one.")
            else:
                seen.add(id_)
                name = entry.get("name")
                title = name if isinstance(name, str) and name else id_
                yield WorkspaceProject(title, id_, f"projects/{id_}/{DATA}", path)

    def _concurrency(self) -> None:
        if "concurrency" in self.ours:
            return
        self.ours["concurrency"] = _CONCURRENCY
        if self._table.get("maxConcurrency") is not None:
            self.ours["concurrency"] = self._table["maxConcurrency"]
            self.places["concurrency"] = ("maxConcurrency",)

    def _judge(self, projects: list[WorkspaceProject]) -> None:
        """The model of the workspace, or of its only project where that has one of its own."""
        if "judge" in self.ours:
            return
        path: KeyPath = ("llmSettings",)
        found = self._table.get("llmSettings")
        own = [one for one in projects if one.entry and _at(self._table, one.entry, "llmSettings")]
        if len(projects) == 1 and own:
            path = (*own[0].entry, "llmSettings")
            found = _at(self._table, own[0].entry, "llmSettings")
        else:
            for one in own:
                what = f"The model of the project `{one.name}` alone is not used"
                hint = "One model judges all projects of a workspace: that of the workspace."
                self._warn((*one.entry, "llmSettings"), what, hint)
        if found is None:
            return
        from evaltui.settings.evalstudio.evalstudio_judge import JudgeReading

        folder = projects[0].folder if projects else DATA
        reading = JudgeReading(self._document, path, self._root, f"{folder}/{PROVIDERS}")
        judge = reading.read(found)
        self.problems += reading.problems
        self.files += reading.files
        if judge is not None:
            self.ours["judge"], self.places["judge"] = judge, path

    def _agents(self, projects: list[WorkspaceProject]) -> None:
        from evaltui.settings.evalstudio.connector_profile import profile_of
        from evaltui.settings.evalstudio.evalstudio_entities import read_entities
        from evaltui.settings.evalstudio.evalstudio_model import Connector, EvalEntry, Persona

        profiles: dict[str, Any] = {}
        chosen: list[str] = []
        for project in projects:
            name = f"{project.folder}/{CONNECTORS}"
            read = read_entities(Connector, self._root, name, "a connector")
            evals_name = f"{project.folder}/{EVALS}"
            evals = read_entities(EvalEntry, self._root, evals_name, "an eval")
            personas_name = f"{project.folder}/{PERSONAS}"
            # What is wrong with them is told where the scenarios are read.
            personas = read_entities(Persona, self._root, personas_name, "a persona").found
            of_personas = {
                one.value.name: dict(one.value.headers) for one in personas if one.value.headers
            }
            self.files += [name, evals_name, personas_name]
            self.problems += read.problems
            self.problems += evals.problems
            by_id: dict[str, str] = {}
            taken: set[str] = set()
            for entity in read.found:
                agent_name = entity.value.name
                named = (
                    agent_name,
                    f"{agent_name} ({project.name})",
                    f"{agent_name} ({project.id})",
                )
                own = next((one for one in named if one not in profiles), agent_name)
                if agent_name in taken or own in profiles:
                    what = f"The name `{agent_name}` is taken by another connector"
                    hint = "Give this one a name of its own; it is left out until then."
                    self.problems.append(read.problem((entity.index, "name"), what, hint))
                    continue
                taken.add(agent_name)
                by_id[entity.value.id] = own
                profiles[own] = profile_of(entity.value, of_personas)
                self.elsewhere["agents", own] = Elsewhere(name, (entity.index,))
            for one in evals.found:
                wanted = one.value.connector_id
                scenarios = f"{project.folder}/{SCENARIOS}"
                paths = tuple(f"{scenarios}::{id_}" for id_ in one.value.scenario_ids)
                agent = by_id.get(wanted or "", "")
                self.evals.append(WorkspaceEval(one.value.id, one.value.name, agent, paths))
                if wanted is not None and wanted in by_id:
                    chosen.append(by_id[wanted])
                elif wanted is not None and read.is_read:
                    what = f"There is no connector `{wanted}`"
                    hint = f"Connectors are in `{name}`: add it there, or name another."
                    self.problems.append(evals.problem((one.index, "connectorId"), what, hint))
        if profiles and "agents" not in self.ours:
            self.ours["agents"] = profiles
            if chosen and "agent" not in self.ours:
                self.ours["agent"] = [*dict.fromkeys(chosen)]


def _at(table: Any, path: KeyPath, key: str) -> Any:
    for part in path:
        table = table[part]
    return table.get(key)


def _is_segment(text: str) -> bool:
    return not any(sign in text for sign in "/\\\0") and text.isprintable()
