"""What the header says of a file that cannot be read, or of an agent that is down."""

from collections.abc import Collection, Iterable

from evaltui.core.errors import UNREADABLE, Problem
from evaltui.core.permit import NOT_TRUSTED
from evaltui.store.faults import DOWN
from evaltui.tui.render.clip import clip

LONGEST = 34
"""Cells of what is wrong; all of it stands in the problems pane."""


def unread_files(problems: Iterable[Problem]) -> frozenset[str]:
    """Those that cannot be read as they are."""
    return frozenset(one.file for one in problems if one.file and one.code in UNREADABLE)


def urgent_problem(problems: Iterable[Problem], saved: Collection[str] = ()) -> Problem | None:
    """What was not agreed to, else a file that cannot be read, one of those just `saved` before
    others, else an agent that is down."""
    unread: Problem | None = None
    down: Problem | None = None
    for problem in problems:
        if problem.code == NOT_TRUSTED:
            return problem
        if problem.file and problem.code in UNREADABLE:
            is_nearer = unread is None or (problem.file in saved and unread.file not in saved)
            unread = problem if is_nearer else unread
        elif problem.code == DOWN:
            down = down or problem
    return unread or down


def headline(
    problem: Problem, files_in_force: Collection[str], cut: str, unread: int = 1
) -> tuple[str, str]:
    """Long and short: `a.golden.json:4:83 not closed, last good version in force`, its place.

    `unread`: how many files cannot be read, this one among them.
    """
    if problem.code == NOT_TRUSTED:
        return "not trusted: ctrl+t shows what is not run", "not trusted: ctrl+t"
    what = clip(problem.what, LONGEST, cut)
    if problem.code == DOWN:
        return f"agent down: {_fault(problem)}", "agent down"
    name = problem.place.rsplit("/", 1)[-1]
    kept = ", last good version in force" if problem.file in files_in_force else ""
    if unread > 1:
        return f"{name} {what}{kept}, {unread:,} files unreadable", f"{name} +{unread - 1:,}"
    return f"{name} {what}{kept}", name


def _fault(problem: Problem) -> str:
    """Without the agent's name, which may be long and stands beside it when there are several."""
    return problem.what.partition("`: ")[2].replace("`", "")
