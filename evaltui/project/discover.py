"""Finding eval files: where the settings say, else in the usual places."""

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from evaltui.core.config import Config
from evaltui.core.did_you_mean import did_you_mean, few
from evaltui.core.errors import Problem, Severity
from evaltui.files import Places, is_folder, is_there, outside
from evaltui.formats import suite_id
from evaltui.project.glob_pattern import fixed_part, glob_pattern, is_glob
from evaltui.project.trust import may_read, places_outside

USUAL = ("evals/**/*.json", "**/*.{golden,labeled,regression,rubric,scenario,trace}.json")
"""Globs below the project root where the settings name none."""
MAX_ENTRIES = 50_000
"""Files and folders looked at before the search gives up."""
MAX_DEPTH = 24
MAX_FOLDERS = 1_000
"""Folders watched for new files; beyond that only those that hold eval files."""
_SKIPPED = frozenset({"node_modules", "__pycache__", "site-packages"})
_TIER_NAMES = glob_pattern(USUAL[1])


class Found(Struct):
    """Eval files with whether they are surely meant as such, and the folders looked into."""

    files: dict[Path, bool] = field(default_factory=dict)
    folders: set[Path] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)


def discover(config: Config) -> Found:
    """Every eval file of the project, in order of their paths. Reads folders, no files."""
    search = _Search(config)
    for wanted in config.evals:
        search.named(wanted)
    if not config.evals:
        for glob in USUAL:
            search.glob(glob, is_sure=False)
    return search.found()


def own_files(config: Config) -> tuple[list[Path], set[Path]]:
    """Every file below the project root that could be one, eval file or not, and the folders looked
    into: not hidden ones, other people's packages and what evaltui writes."""
    search = _Search(config)
    files = search._walk(config.root)
    return files, search._found.folders


class _Search:
    def __init__(self, config: Config) -> None:
        self._config, self._root = config, config.root
        self._left = MAX_ENTRIES
        self._roots = (config.root, *places_outside(config))
        self._places = Places(*self._roots)
        self._found = Found(folders={config.root})
        self._walked: dict[Path, list[Path]] = {}
        # Pinned copies of results stand beside the results.
        pins = Path(config.output_dir).parent / "baselines"
        places = (config.output_dir, config.recording_dir, pins)
        self._no_folders = {_absolute(config.root, place) for place in places} - {config.root}
        others = (config.seed_manifest_path, config.file or ".")
        self._no_files = {_absolute(config.root, place) for place in others}

    def found(self) -> Found:
        found = self._found
        found.files = dict(sorted(found.files.items()))
        if len(found.folders) > MAX_FOLDERS:
            found.folders = {path.parent for path in found.files} | {self._root}
        if self._left < 0:
            what = f"The search for eval files ended after {MAX_ENTRIES:,} files and folders"
            hint = 'Say where they are: `evals = ["path/to/evals/*.json"]` in evaltui.toml.'
            found.problems.append(
                Problem("", what, hint, severity=Severity.WARNING, code="search-limit")
            )
        return found

    def named(self, wanted: str) -> None:
        path = _absolute(self._root, wanted)
        if not may_read(self._config, wanted, "evals"):
            return  # said with all the rest that nobody agreed to
        if outside(self._root, wanted):
            base = path if is_folder(path) else _absolute(self._root, fixed_part(wanted))
            self._places = Places(*self._roots, base)
        if is_folder(path):
            self._take(self._walk(path), is_sure=False)
        elif is_there(path):
            self._found.files[path] = True
        elif is_glob(wanted):
            if not self.glob(wanted, is_sure=True):
                hint = "Correct `evals`, or write a first file there."
                self._missing(f"No file matches `{wanted}`", hint, Severity.WARNING)
        else:
            near = did_you_mean(path.name, _names(path.parent))
            hint = near or self._what_there_is()
            self._missing(f"There is no file `{wanted}`", hint, Severity.ERROR)

    def glob(self, glob: str, *, is_sure: bool) -> bool:
        """Take what matches; whether anything did."""
        is_absolute = Path(glob).is_absolute()
        base = _absolute(self._root, fixed_part(glob) or ("/" if is_absolute else "."))
        rest = glob.removeprefix("./")[len(fixed_part(glob).removeprefix("./")) :].lstrip("/")
        pattern = glob_pattern(rest)
        matching = [
            path
            for path in self._walk(base)
            if pattern.fullmatch(path.relative_to(base).as_posix())
        ]
        self._take(matching, is_sure=is_sure)
        return bool(matching)

    def _take(self, paths: list[Path], *, is_sure: bool) -> None:
        for path in paths:
            if path.suffix == ".json" or is_sure:
                sure = is_sure or _TIER_NAMES.fullmatch(path.name) is not None
                self._found.files[path] = sure or self._found.files.get(path, False)

    def _what_there_is(self) -> str:
        found = discover(replace(self._config, evals=())).files
        if not found:
            return "No eval file is in the usual places; `evaltui init` writes settings for them."
        return f"There are {few([suite_id(path, self._root) for path in found])}."

    def _missing(self, what: str, hint: str, severity: Severity) -> None:
        self._found.problems.append(
            Problem("", what, hint, key="evals", severity=severity, code="no-such-file")
        )

    def _leads_out(self, path: Path) -> None:
        if path.suffix not in (".json", ""):
            return
        hint = 'If it is yours, name where it leads: `outside = ["…"]`, or in `evals`.'
        what = "is a link out of the project, and is not followed"
        name = suite_id(path, self._root)
        problem = Problem(name, what, hint, severity=Severity.WARNING, code="outside")
        if problem not in self._found.problems:
            self._found.problems.append(problem)

    def _walk(self, base: Path) -> list[Path]:
        for known, files in self._walked.items():
            if base == known or known in base.parents:
                return [path for path in files if base in path.parents]
        if not self._places.hold(base):
            self._leads_out(base)
            return []
        files = list(self._files_below(base)) if is_folder(base) else []
        self._walked[base] = files
        return files

    def _files_below(self, base: Path) -> Iterator[Path]:
        seen: set[tuple[int, int]] = set()
        todo = [(str(base), 0)]
        while todo and self._left >= 0:
            folder, depth = todo.pop()
            try:
                status = os.stat(folder)  # noqa: PTH116
                entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
            except OSError:
                continue
            if (status.st_dev, status.st_ino) in seen:  # a link back to a folder seen before
                continue
            seen.add((status.st_dev, status.st_ino))
            here = Path(folder)
            self._found.folders.add(here)
            self._left -= len(entries)
            if any(entry.name == "pyvenv.cfg" for entry in entries):
                continue
            for entry in entries:
                path = here / entry.name
                if entry.is_symlink() and not self._places.hold(path):
                    self._leads_out(path)
                elif _is_folder(entry):
                    is_ours = not entry.name.startswith(".") and entry.name not in _SKIPPED
                    if is_ours and path not in self._no_folders and depth < MAX_DEPTH:
                        todo.append((entry.path, depth + 1))
                elif not entry.name.startswith(".") and path not in self._no_files:
                    yield path


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _absolute(root: Path, text: str | Path) -> Path:
    return Path(os.path.normpath(root / text))


def _names(folder: Path) -> list[str]:
    try:
        return [path.name for path in folder.iterdir()][:1_000]
    except OSError:
        return []
