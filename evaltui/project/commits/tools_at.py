"""A project with the tool definitions of a commit in place of its own; the working tree stays as it
is, and nothing of the commit is run."""

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.config import RegistrySource
from evaltui.core.errors import Problem, Severity, UserError
from evaltui.core.tool import ToolDefinition, ToolRegistry
from evaltui.disk.git_objects import commit_of
from evaltui.disk.git_process import GIT, Git, GitError, GitRuns, GitUnaskedError
from evaltui.disk.git_repository import HOW_TO_ASK, top_of
from evaltui.files import is_there, outside
from evaltui.project.commits.commit_copy import CommitCopy, copy_commit
from evaltui.project.project import Project
from evaltui.project.tool_prints import ToolPrints
from evaltui.project.trust import is_agreed
from evaltui.registries import ReadRegistry, RegistryReader
from evaltui.registries.discovery import FOLDER, HOW_TO_NAME, NONE_FOUND, is_glob, source_type
from evaltui.registries.merging import DUPLICATE, merge
from evaltui.registries.source import shown_path
from evaltui.registries.text_file import IMPORT_MISSING

_AS_FILES = frozenset({FOLDER, "typescript", "json", "openapi"})
"""Types of sources that are read without running or asking anything."""
_UNREAD = "The tools of `{}` cannot be read: {}."


class ToolsAt(Struct, frozen=True):
    """What was read of a commit."""

    project: Project
    """With the tools of then; all else is as now."""
    commit: str
    as_now: tuple[str, ...] = ()
    """Sources and files that are taken as they are now, since no commit holds them."""


def unread_now(project: Project) -> tuple[Problem, ...]:
    """Why tools of the settings are missing on the side of now, or are not as their files are."""
    return tuple(one for one in project.registry_problems if _is_unread(one))


def refuse_none_read(project: Project) -> None:
    """Two sides without any tool would be alike. Raises UserError where none can be read."""
    if not len(project.registry) and (why := unread_now(project)):
        what = "No tool can be read now, so nothing can be compared."
        raise UserError(what, "The problems say why; fix that, and compare again.", why)


def tools_at(project: Project, reference: str, runs: GitRuns = GIT) -> ToolsAt:
    """Read the tool definitions of a commit. Raises UserError when there is no such commit, or
    a source of it cannot be read."""
    root, named = project.root, project.config.registries
    git = Git(runs, is_agreed(project.config))
    read = [source for source in named if _is_of_files(source, root)]
    as_now = [source for source in named if source not in read]
    problems: tuple[Problem, ...] = ()
    registry, beside = ToolRegistry(), tuple[str, ...]()
    try:
        if (top := top_of(root)) is None:
            raise UserError(
                f"There is no git repository here, so `{reference}` is not a commit of one.",
                "Start in one (--root), or name one of the agents in force.",
            )
        if (commit := commit_of(root, reference, git)) is None:
            raise UserError(
                f"git knows no commit `{reference}` here.",
                "Name a branch, a tag, a hash or HEAD~1, or one of the agents in force.",
            )
        # Of nothing but sources that are not files there is nothing to be found, either.
        if read or not named:
            with tempfile.TemporaryDirectory(prefix="evaltui-", ignore_cleanup_errors=True) as made:
                copied = copy_commit(project, top, commit, Path(os.path.realpath(made)), git)
                then = [_below(source, root) for source in read]
                _refuse_absent(reference, copied.root, then)
                found = _read(copied, then)
            registry, problems, beside = found.registry, found.problems, copied.as_now
    except GitUnaskedError as error:
        raise UserError(
            f"The tools of `{reference}` cannot be read: {error}.", HOW_TO_ASK
        ) from None
    except (GitError, OSError) as error:
        raise UserError(f"The tools of `{reference}` cannot be read: {error}.") from None
    _refuse_unread(reference, problems, project)
    if not len(registry) and not as_now:
        _refuse_nothing(reference, project)
    merged = _merged(project, registry, read, as_now)
    return ToolsAt(
        replace(project, registry=merged, tool_prints=ToolPrints(merged)),
        commit,
        tuple(dict.fromkeys((*_in_force(project, as_now), *beside))),
    )


def _is_of_files(source: RegistrySource, root: Path) -> bool:
    is_read = source_type(source, root) in _AS_FILES and "://" not in source.location
    is_below = (root / source.location).is_relative_to(root)
    return is_read and is_below and not outside(root, source.location)


def _in_force(project: Project, sources: Iterable[RegistrySource]) -> Iterator[str]:
    """What cannot be read is on neither side, which is not the same on both."""
    known, is_whole = {tool.source for tool in project.registry}, not unread_now(project)
    for source in sources:
        if is_whole or source.location in known:
            yield source.location


def _below(source: RegistrySource, root: Path) -> RegistrySource:
    """With a path that leads into any copy of the project, where it names the whole way."""
    if not Path(source.location).is_absolute():
        return source
    return replace(source, location=shown_path(Path(source.location), root))


def _read(copied: CommitCopy, sources: Sequence[RegistrySource]) -> ReadRegistry:
    reader = RegistryReader()
    reader.outside = copied.outside
    try:
        return reader.read(copied.root, sources)
    finally:
        reader.close()


def _refuse_absent(reference: str, root: Path, sources: Sequence[RegistrySource]) -> None:
    """What the settings name and the commit has not would be taken for a mistake of the settings.

    `root`: the project's folder of then.
    """
    absent = [
        Problem(reference, f"has no `{source.location}`: it was added or renamed later")
        for source in sources
        if not _is_in(root, source.location)
    ]
    if absent:
        hint = "Compare with a commit that has it."
        raise UserError(f"Not all tools of `{reference}` can be read.", hint, absent)


def _is_in(root: Path, location: str) -> bool:
    if not is_glob(location):
        return is_there(root / location)
    try:
        return next(root.glob(location), None) is not None
    except ValueError:  # no such pattern; reading it says so
        return True


def _refuse_nothing(reference: str, project: Project) -> None:
    """No tool at all is more likely one that is not found than one that was not there yet."""
    if len(project.registry):
        raise UserError(
            f"No tool definition is found in `{reference}`.",
            "Compare with a commit that has some where they are read now.",
        )
    why = [one for one in project.registry_problems if one.severity is not Severity.LINT]
    raise UserError(f"{NONE_FOUND}, neither now nor in `{reference}`.", HOW_TO_NAME, why)


def _refuse_unread(reference: str, problems: Iterable[Problem], project: Project) -> None:
    """What cannot be read would be compared as if it had not been there."""
    known = {(one.file, one.what) for one in project.registry_problems}
    unread = [one for one in problems if _hides_tools(one) and (one.file, one.what) not in known]
    if unread:
        named = [replace(one, file=f"{reference}:{one.file}".rstrip(":")) for one in unread]
        hint = "Compare with another commit."
        raise UserError(f"Not all tools of `{reference}` can be read.", hint, named)


def _hides_tools(problem: Problem) -> bool:
    return _is_unread(problem) or problem.code == IMPORT_MISSING


def _is_unread(problem: Problem) -> bool:
    """Of two of one name the first counts, on either side."""
    return problem.severity is Severity.ERROR and problem.code != DUPLICATE


def _merged(
    project: Project,
    then: ToolRegistry,
    read: Sequence[RegistrySource],
    as_now: Sequence[RegistrySource],
) -> ToolRegistry:
    """In the order of the sources, so that an agent sees no other order for no reason."""
    if not as_now:
        return then
    found: list[ToolDefinition] = []
    for source in project.config.registries:
        side, as_read = project.registry, source
        if source in read:
            side, as_read = then, _below(source, project.root)
        found += [tool for tool in side if tool.source == as_read.location]
    return ToolRegistry(merge(found)[0], then.files)
