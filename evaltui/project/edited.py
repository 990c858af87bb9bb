"""Regression cases that differ from their committed version: they are never to be edited."""

import subprocess
from collections.abc import Iterator

from evaltui.core.case import Tier
from evaltui.core.errors import Problem, Severity
from evaltui.core.fingerprint import case_fingerprint
from evaltui.core.suite import Suite
from evaltui.formats import read_suite
from evaltui.project.project import Project

_PATIENCE_S = 5


def edited_regressions(project: Project) -> Iterator[Problem]:
    """A warning for each regression case that was edited since the last commit (contract B6).

    Asks git, one short command a file; silent where there is no git or no commit.
    """
    if not any((folder / ".git").exists() for folder in (project.root, *project.root.parents)):
        return
    for suite in project.suites:
        now = {case.id: case for case in suite.cases if case.tier is Tier.REGRESSION}
        committed = _committed(project, suite) if now else None
        for then in committed.cases if committed is not None else ():
            case = now.get(then.id)
            if case is None or case_fingerprint(case) == case_fingerprint(then):
                continue
            what = f"The regression case `{case.id}` differs from its committed version"
            hint = "Take the edit back; archive a case that no longer applies."
            yield Problem(
                suite.id, what, hint, case.line, severity=Severity.WARNING,
                code="edited-regression", case=case.id,
            )  # fmt: skip


def _committed(project: Project, suite: Suite) -> Suite | None:
    if suite.id.startswith("../"):
        return None
    command = ["git", "-C", str(project.root), "cat-file", "blob", f"HEAD:./{suite.id}"]
    try:
        answer = subprocess.run(command, capture_output=True, timeout=_PATIENCE_S, check=False)
    except (OSError, subprocess.SubprocessError):
        return None
    if answer.returncode != 0:
        return None
    return read_suite(project.root / suite.id, project.root, answer.stdout).suite
