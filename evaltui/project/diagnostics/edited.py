"""Regression cases that differ from their committed version: they are never to be edited."""

from collections.abc import Iterator
from hashlib import sha256

from evaltui.core.case import Tier
from evaltui.core.errors import Problem, Severity
from evaltui.core.fingerprint import case_fingerprint
from evaltui.core.suite import Suite
from evaltui.disk.git_objects import contents, has_repository
from evaltui.disk.git_process import PATIENCE_S, GitError, GitSilentError, reads_other_files
from evaltui.formats import read_suite
from evaltui.project.project import Project
from evaltui.project.suite_file import SuiteFile
from evaltui.project.trust import is_agreed


def edited_regressions(project: Project) -> Iterator[Problem]:
    """A warning for each regression case that was edited since the last commit (contract B6).

    Asks git with one short command; silent where there is no git or no commit.
    """
    if not has_repository(project.root):
        return
    files = [file for file in project.files.values() if file.is_current and _is_guarded(file)]
    if not files:
        return
    if reads_other_files(project.root) and not is_agreed(project.config):
        what = "git was not asked, as its settings here include other files, or cannot be read"
        yield _unknown(what, "Look at `.git/config`; once the project is trusted, git is asked.")
        return
    try:
        committed = contents(project.root, [f"HEAD:./{file.id}" for file in files])
    except GitSilentError:
        what = f"git did not answer within {PATIENCE_S:g} seconds"
        hint = "Look what holds up `git status` here: a pipe in `.git`, or a disk that is away."
        yield _unknown(what, hint)
        return
    except GitError:
        return
    for file, content in zip(files, committed, strict=True):
        if content is None or sha256(content).digest() == file.digest or file.suite is None:
            continue
        then = read_suite(file.path, project.root, content).suite
        yield from _edited(file.suite, then) if then is not None else ()


def _unknown(why: str, hint: str) -> Problem:
    what = f"Whether regression cases were edited is not known: {why}"
    return Problem("", what, hint, severity=Severity.WARNING, code="git-unasked")


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
