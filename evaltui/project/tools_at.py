"""A project with the tool definitions of a commit in place of its own; the working tree stays as it
is, and nothing of the commit is run."""

import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.errors import Problem, Severity, UserError
from evaltui.core.tool import ToolDefinition, ToolRegistry
from evaltui.files import outside
from evaltui.project.git_objects import CommittedFile, GitError, commit_of, contents, files_at
from evaltui.project.project import Project
from evaltui.project.tool_prints import ToolPrints
from evaltui.registries import RegistryReader, SourceSettings
from evaltui.registries.discovery import FOLDER, SCRIPTS, SKIPPED, source_type
from evaltui.registries.merging import merge

_READ = (*SCRIPTS, ".json", ".yaml", ".yml")
"""How files end that definitions are read from, or that say where their imports are."""
_AS_FILES = frozenset({FOLDER, "typescript", "json", "openapi"})
"""Types of sources that are read without running or asking anything."""
_MOST_FILES = 20_000
_MOST_BYTES = 64 << 20


class ToolsAt(Struct, frozen=True):
    """What was read of a commit."""

    project: Project
    """With the tools of then; all else is as now."""
    commit: str
    as_now: tuple[str, ...] = ()
    """Sources that are taken as they are now, since a commit does not hold what they answer."""


def tools_at(project: Project, reference: str) -> ToolsAt:
    """Read the tool definitions of a commit. Raises UserError when there is no such commit, or
    a source of it cannot be read."""
    root, named = project.root, project.config.registries
    try:
        commit = commit_of(root, reference)
        if commit is None:
            raise UserError(
                f"git knows no commit `{reference}` here.",
                "Name a branch, a tag, a hash or HEAD~1, or one of the agents in force.",
            )
        with tempfile.TemporaryDirectory(prefix="evaltui-", ignore_cleanup_errors=True) as folder:
            then = Path(os.path.realpath(folder))
            _write(root, then, _wanted(files_at(root, commit)))
            read = [source for source in named if _is_of_files(source, root)]
            as_now = [source for source in named if source not in read]
            reader = RegistryReader()
            try:
                # Of nothing but sources that are not files there is nothing to be found, either.
                found = reader.read(then, read) if read or not named else None
            finally:
                reader.close()
    except GitError as error:
        raise UserError(f"The tools of `{reference}` cannot be read: {error}.") from None
    if found is not None:
        _refuse_unread(reference, found.problems)
    registry = _merged(project, ToolRegistry() if found is None else found.registry, read, as_now)
    return ToolsAt(
        replace(project, registry=registry, tool_prints=ToolPrints(registry)),
        commit,
        tuple(source.location for source in as_now),
    )


def _is_of_files(source: SourceSettings, root: Path) -> bool:
    is_read = source_type(source, root) in _AS_FILES and "://" not in source.location
    return is_read and not outside(root, source.location)


def _wanted(files: Iterable[CommittedFile]) -> list[CommittedFile]:
    """Those that definitions can be read from. Raises UserError when they are too many."""
    found = [one for one in files if _is_safe(one.path) and one.path.endswith(_READ)]
    size = sum(one.size for one in found)
    if len(found) > _MOST_FILES or size > _MOST_BYTES:
        raise UserError(
            f"The commit has {len(found):,} scripts and lists of {size / 1e6:,.0f} MB, more than "
            "are read.",
            "Start in the folder of the package that has the tools (--root).",
        )
    return found


def _is_safe(name: str) -> bool:
    """Whether it is a name below the folder, whatever a repository was made to hold."""
    path = PurePosixPath(name)
    is_below = not path.is_absolute() and ".." not in path.parts and "\\" not in name
    return is_below and ":" not in name and not SKIPPED.intersection(path.parts[:-1])


def _write(root: Path, folder: Path, files: Sequence[CommittedFile]) -> None:
    for file, content in zip(files, contents(root, [one.blob for one in files]), strict=True):
        place = folder / file.path
        if content is None:  # an object that is not here is not fetched
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("xb") as made:
            made.write(content)


def _refuse_unread(reference: str, problems: Sequence[Problem]) -> None:
    """What cannot be read would be compared as if it had not been there."""
    errors = [one for one in problems if one.severity is Severity.ERROR]
    if errors:
        named = [replace(one, file=f"{reference}:{one.file}") for one in errors]
        hint = "Compare with another commit."
        raise UserError(f"Not all tools of `{reference}` can be read.", hint, named)


def _merged(
    project: Project,
    then: ToolRegistry,
    read: Sequence[SourceSettings],
    as_now: Sequence[SourceSettings],
) -> ToolRegistry:
    """In the order of the sources, so that an agent sees no other order for no reason."""
    if not as_now:
        return then
    found: list[ToolDefinition] = []
    for source in project.config.registries:
        side = then if source in read else project.registry
        found += [tool for tool in side if tool.source == source.location]
    return ToolRegistry(merge(found)[0], then.files)
