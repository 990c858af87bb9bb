"""Regression cases that differ from their committed version: they are never to be edited."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

from evaltui.core.case import Tier
from evaltui.core.errors import Problem, Severity
from evaltui.core.fingerprint import case_fingerprint
from evaltui.core.suite import Suite
from evaltui.disk.git_objects import blobs, contents
from evaltui.disk.git_process import (
    GIT,
    PATIENCE_S,
    Git,
    GitError,
    GitRuns,
    GitSilentError,
    GitUnaskedError,
)
from evaltui.disk.git_repository import HOW_TO_ASK, top_of
from evaltui.formats import read_suite
from evaltui.json_text.document import MAX_BYTES
from evaltui.project.project import Project
from evaltui.project.suite_file import SuiteFile
from evaltui.project.trust import is_agreed


def edited_regressions(project: Project, runs: GitRuns = GIT) -> Iterator[Problem]:
    """A warning for each regression case that was edited since the last commit (contract B6).

    Asks git with a few short commands; of what is too large to be read as an eval file, that is
    said. Silent where there is no git or no commit.
    """
    if top_of(project.root) is None:
        return
    files = [file for file in project.files.values() if file.is_current and _is_guarded(file)]
    if not files:
        return
    try:
        yield from _compared(project, files, Git(runs, is_agreed(project.config)))
    except GitUnaskedError as error:
        yield _unknown(str(error), HOW_TO_ASK)
        return
    except GitSilentError:
        what = f"git did not answer within {PATIENCE_S:g} seconds"
        hint = "Look what holds up `git status` here: a pipe in `.git`, or a disk that is away."
        yield _unknown(what, hint)
        return
    except GitError:
        return


def _compared(project: Project, files: Sequence[SuiteFile], git: Git) -> Iterator[Problem]:
    """Raises GitError."""
    found = blobs(project.root, [f"HEAD:./{file.id}" for file in files], git)
    batch: dict[str, list[SuiteFile]] = {}
    size = 0
    for file, blob in zip(files, found, strict=True):
        if blob is None:
            continue
        if blob.size > MAX_BYTES:
            what = f"the committed version is larger than {MAX_BYTES / 1e6:,.0f} MB"
            yield _unknown(what, "Commit a smaller one.", file.id)
            continue
        if size + blob.size > MAX_BYTES:
            yield from _edited_among(project, batch, git)
            batch, size = {}, 0
        size += blob.size
        batch.setdefault(blob.object, []).append(file)
    yield from _edited_among(project, batch, git)


def _edited_among(
    project: Project, batch: Mapping[str, Sequence[SuiteFile]], git: Git
) -> Iterator[Problem]:
    """By the name of what is committed of them, which fits into memory. Raises GitError."""
    for content, files in zip(contents(project.root, [*batch], git), batch.values(), strict=True):
        for file in files:
            if content is None or sha256(content).digest() == file.digest or file.suite is None:
                continue
            then = read_suite(file.path, project.root, content).suite
            yield from _edited(file.suite, then) if then is not None else ()


def _unknown(why: str, hint: str, file: str = "") -> Problem:
    what = f"Whether regression cases were edited is not known: {why}"
    return Problem(file, what, hint, severity=Severity.WARNING, code="git-unasked")


def _is_guarded(file: SuiteFile) -> bool:
    """Whether it holds regression cases; what lies outside the project is not this commit's."""
    if file.suite is None or file.id.startswith("../") or "\n" in file.id:
        return False
    return any(case.tier is Tier.REGRESSION for case in file.suite.cases)


def _edited(suite: Suite, then: Suite) -> Iterator[Problem]:
    now = {case.id: case for case in suite.cases if case.tier is Tier.REGRESSION}
    for committed in then.cases:
        case = now.get(committed.id)
        if case is None or case_fingerprint(case) == case_fingerprint(committed):
            continue
        what = f"The regression case `{case.id}` differs from its committed version"
        hint = "Revert the edit; archive a case that no longer applies."
        yield Problem(
            suite.id, what, hint, case.line, severity=Severity.WARNING,
            code="edited-regression", case=case.id,
        )  # fmt: skip
