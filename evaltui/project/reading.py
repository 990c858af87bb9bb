"""Reading a project, and reading it again after a change with as little work as that needs."""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.core.config import Config
from evaltui.core.errors import Problem
from evaltui.core.json_value import Json
from evaltui.core.tool import ToolRegistry
from evaltui.disk.known_tools import KnownTools
from evaltui.disk.own_folder import own_folder
from evaltui.evaluators.loaded_evaluators import LoadedEvaluators
from evaltui.files import read_file
from evaltui.formats import suite_id
from evaltui.formats.seed import read_seed
from evaltui.json_text.document import too_large
from evaltui.project.diagnostics.named_by_settings import (
    at_their_setting,
    evaluator_problems,
    missing_seed,
)
from evaltui.project.discover import Found, discover
from evaltui.project.gate import evaluator_loader, load_evaluators, registry_reader
from evaltui.project.live_values import live_values, snapshot_files
from evaltui.project.project import Project
from evaltui.project.reach import reach, tool_files, within
from evaltui.project.seed_prints import SeedPrints
from evaltui.project.source_files import SourceFiles
from evaltui.project.suite_file import SuiteFile, read_suite_file
from evaltui.project.tool_prints import ToolPrints
from evaltui.project.trust import may_read
from evaltui.registries import RegistryReader
from evaltui.settings.source import SETTINGS_FILES

if TYPE_CHECKING:
    from evaltui.evaluators.loading import EvaluatorLoader

_DATA = frozenset((".json", ".toml", ".yaml", ".yml"))
_CODE = frozenset((".py", ".js", ".mjs", ".cjs"))


def read_project(
    config: Config,
    previous: Project | None = None,
    changed: Collection[Path] | None = None,
    reader: RegistryReader | None = None,
) -> Project:
    """Read everything that a run needs; bad input becomes problems, never an exception.

    After `previous` only the files in `changed` (absolute paths; `None` means: look at all) are
    opened, and only those whose content differs are parsed. `previous` itself comes back when
    nothing differs. `reader`: who reads the first time, so that its owner can break that off.
    """
    if previous is not None and previous.config.root != config.root:
        previous = None
    reading = _Reading(config, previous, None if previous is None else changed, reader)
    registry, registry_problems = reading.registry()
    seed, seed_digest, seed_problems = reading.seed()
    live, live_files = reading.live()
    evaluators, loader = reading.evaluators()
    found = reading.found()
    files = reading.files(found, registry)
    sources = reading.sources(found, files, registry, evaluators, live_files)
    problems = (
        *found.problems,
        *(problem for file in files.values() for problem in file.problems),
        *at_their_setting(config, registry_problems),
        *evaluator_problems(config, evaluators),
        *seed_problems,
    )
    if previous is not None and (
        config == previous.config
        and registry is previous.registry
        and seed_digest == previous.seed_digest
        and (live, live_files) == (previous.live, previous.live_files)
        and evaluators is previous.evaluators
        and sources is previous.sources
        and files == previous.files
        and problems == previous.problems
        and found.folders == previous.found.folders
    ):
        return previous
    same_seed = previous is not None and seed is previous.seed
    return Project(
        config=config,
        suites=tuple(file.suite for file in files.values() if file.suite is not None),
        registry=registry,
        seed=seed,
        problems=problems,
        files_watched=reading.watched(found, files, registry) | evaluators.watched | live_files,
        files=files,
        found=found,
        reader=reading.reader,
        registry_problems=registry_problems,
        seed_digest=seed_digest,
        live=live,
        live_files=live_files,
        seed_problems=seed_problems,
        tool_prints=_tool_prints(config.root, previous, registry),
        seed_prints=previous.seed_prints if previous and same_seed else SeedPrints(seed),
        evaluators=evaluators,
        sources=sources,
        loader=loader,
        number=previous.number + 1 if previous else 1,
        changed=frozenset(suite_id(path, config.root) for path in changed or ()),
    )


@contextmanager
def project_read_once(config: Config) -> Iterator[Project]:
    """It as it is now, for whoever will not follow it: what its sources started ends with that."""
    project = read_project(config)
    try:
        yield project
    finally:
        project.reader.close()


def _tool_prints(root: Path, previous: Project | None, registry: ToolRegistry) -> ToolPrints:
    if previous is None:
        return ToolPrints(registry, KnownTools(own_folder(root)))
    before = previous.tool_prints
    return before if registry is previous.registry else ToolPrints(registry, before.known)


class _Reading:
    """What one reading has to look at."""

    def __init__(
        self,
        config: Config,
        previous: Project | None,
        changed: Collection[Path] | None,
        reader: RegistryReader | None,
    ) -> None:
        self._config = config
        self._previous = previous
        self._seed_path = _absolute(config.root, config.seed_manifest_path)
        self._changed = None if changed is None else {_absolute(config.root, p) for p in changed}
        self.reader = previous.reader if previous else reader or registry_reader(config)

    def registry(self) -> tuple[ToolRegistry, tuple[Problem, ...]]:
        before = self._previous
        if before is not None and not self._may_touch_registry(before):
            return before.registry, before.registry_problems
        last = None if before is None else before.registry
        read = self.reader.read(self._config.root, self._config.registries, last)
        return (last if last and read.registry.is_like(last) else read.registry), read.problems

    def seed(self) -> tuple[Json, bytes, tuple[Problem, ...]]:
        before, path, root = self._previous, self._seed_path, self._config.root
        same_path = before and before.config.seed_manifest_path == self._config.seed_manifest_path
        if before and same_path and self._changed is not None and path not in self._changed:
            return before.seed, before.seed_digest, before.seed_problems
        last = before.seed if before and same_path else None
        name = suite_id(path, root)
        if not may_read(self._config, self._config.seed_manifest_path, "seed_manifest_path"):
            return None, b"", ()  # said with all the rest that nobody agreed to
        try:
            large = too_large(name, path.stat().st_size)
            if large:
                return last, b"too large", (large,)
            content = read_file(path)
        except FileNotFoundError:
            return None, b"", missing_seed(self._config, name)
        except OSError as error:
            what = f"The seed manifest cannot be read: {error.strerror or type(error).__name__}"
            return last, b"unreadable", (Problem(name, what, "Check its permissions."),)
        digest = sha256(content).digest()
        if before and same_path and digest == before.seed_digest:
            return before.seed, digest, before.seed_problems
        read = read_seed(path, root, content)
        return (last if read.values is None else read.values), digest, read.problems

    def live(self) -> tuple[str, frozenset[Path]]:
        """The print of the snapshot, and the files that it is of."""
        before, config = self._previous, self._config
        if before is not None and self._changed is not None:
            same = (config.snapshot_enabled, config.snapshot)
            is_same = (before.config.snapshot_enabled, before.config.snapshot) == same
            if is_same and not before.live_files & self._changed:
                return before.live, before.live_files
        return live_values(config), snapshot_files(config)

    def evaluators(self) -> "tuple[LoadedEvaluators, EvaluatorLoader | None]":
        """The same object as before where none of their files changed."""
        before, config = self._previous, self._config
        loader = before.loader if before is not None else None
        if not config.evaluators and loader is None:
            if before is not None and before.config.is_unread == config.is_unread:
                return before.evaluators, None
            return LoadedEvaluators(is_complete=not config.is_unread), None
        if before is not None and config.evaluators == before.config.evaluators:
            changed = self._changed
            if changed is not None and not changed & before.evaluators.watched:
                return before.evaluators, loader
        loader = loader or evaluator_loader(config)
        loaded = load_evaluators(config, loader)
        if before is not None and loaded.is_like(before.evaluators):
            return before.evaluators, loader
        return loaded, loader

    def found(self) -> Found:
        before = self._previous
        if before is None or self._changed is None or self._search_differs(before):
            return discover(self._config)
        known = _case_files(before) | tool_files(self._config.root, before.registry)
        for path in self._changed - known - self._settings_files():
            is_new = path.suffix == ".json" or path.suffix == "" or path.is_dir()
            if is_new or path in before.found.folders:
                return discover(self._config)
        of_files = self._changed & before.files.keys()
        if any(path.is_symlink() or not path.exists() for path in of_files):
            return discover(self._config)
        return before.found

    def files(self, found: Found, registry: ToolRegistry) -> dict[Path, SuiteFile]:
        tools = tool_files(self._config.root, registry)
        before = {} if self._previous is None else self._previous.files
        files: dict[Path, SuiteFile] = {}
        for path, is_sure in found.files.items():
            old = before.get(path)
            if path in tools and not is_sure:
                continue
            changed = self._changed
            if old is None or changed is None or not changed.isdisjoint((path, *old.beside)):
                file = read_suite_file(path, self._config.root, is_sure=is_sure, previous=old)
            else:
                file = old
            if file is not None:
                files[path] = file
        return files

    def sources(
        self,
        found: Found,
        files: dict[Path, SuiteFile],
        registry: ToolRegistry,
        evaluators: LoadedEvaluators,
        live_files: frozenset[Path],
    ) -> SourceFiles:
        """All but what is known to be something else: tools too, unless they are told by code, of
        which an agent may be made."""
        along = (path for file in files.values() for path in file.beside)
        tools = (one for one in tool_files(self._config.root, registry) if one.suffix in _DATA)
        settings = {self._config.file or SETTINGS_FILES[0], *self._config.read_along}
        # Data that an evaluator reads an agent may read too.
        checks = frozenset(one for one in evaluators.files if one.suffix in _CODE)
        others = checks | live_files | {self._config.root / one for one in settings}
        left_out = others.union(found.files, along, tools)
        if self._previous is None:
            return SourceFiles(self._config, left_out)
        return self._previous.sources.after(self._config, left_out, self._changed)

    def watched(
        self, found: Found, files: dict[Path, SuiteFile], registry: ToolRegistry
    ) -> frozenset[Path]:
        """All that may be looked at of what takes part; eval files were found there only."""
        named = self._settings_files() | tool_files(self._config.root, registry)
        named |= {path for file in files.values() for path in file.beside}
        return within(reach(self._config), named) | found.files.keys() | found.folders

    def _may_touch_registry(self, before: Project) -> bool:
        if self._changed is None or self._config.registries != before.config.registries:
            return True
        tools = tool_files(self._config.root, before.registry)
        known = _case_files(before) | {self._seed_path}
        known |= before.evaluators.files | before.live_files | before.sources.files
        harmless = (known | self._settings_files()) - tools
        return bool(self._changed - harmless)

    def _search_differs(self, before: Project) -> bool:
        def settings(config: Config) -> tuple[object, ...]:
            return config.evals, config.output_dir, config.recording_dir, config.seed_manifest_path

        return settings(self._config) != settings(before.config)

    def _settings_files(self) -> set[Path]:
        names = {*SETTINGS_FILES, self._config.file or SETTINGS_FILES[0]}
        names |= {*self._config.read_along}
        return {self._config.root / name for name in names} | {self._seed_path}


def _case_files(before: Project) -> set[Path]:
    """Those that cases are read from."""
    along = (path for file in before.files.values() for path in file.beside)
    return {*before.files, *along}


def _absolute(root: Path, path: Path | str) -> Path:
    return Path(os.path.normpath(root / path))
