"""What the header says of a file that cannot be read, or of an agent that is down."""

import re
from collections.abc import Collection, Iterable, Mapping

from evaltui.core.errors import EVALUATOR_KEPT, NOT_TRUSTED, UNREADABLE, UNRELIABLE, Problem
from evaltui.store.faults import DOWN
from evaltui.tui.render.clip import clip

_NAMED = re.compile(r'^Evaluator plugin "[^"]*" ')

LONGEST = 34
"""Cells of what is wrong; all of it stands in the problems pane."""


def unread_files(problems: Iterable[Problem]) -> frozenset[str]:
    """Those that cannot be read as they are."""
    return frozenset(one.file for one in problems if one.file and one.code in UNREADABLE)


def urgent_problem(
    problems: Iterable[Problem], saved: Collection[str] = (), agent: str = ""
) -> Problem | None:
    """What was not agreed to, or is no evidence any more, else a file that cannot be read, one of
    those just `saved` before others, else an agent that is down, the one that is shown first."""
    unread: Problem | None = None
    down: Problem | None = None
    for problem in problems:
        if problem.code in (NOT_TRUSTED, UNRELIABLE):
            return problem
        if problem.file and problem.code in UNREADABLE:
            is_nearer = unread is None or (problem.file in saved and unread.file not in saved)
            unread = problem if is_nearer else unread
        elif problem.code == DOWN:
            is_nearer = down is None or (_agent(problem) == agent != _agent(down))
            down = problem if is_nearer else down
    return unread or down


def headline(
    problem: Problem, files_in_force: Collection[str], cut: str, unread: int = 1, other: str = ""
) -> tuple[str, str]:
    """Long and short: `a.golden.json:4:83 not closed, last good version in force`, its place.

    `unread`: how many files cannot be read, this one among them. `other`: the agent that is down,
    where that is not the one that is shown.
    """
    if problem.code == NOT_TRUSTED:
        return "not trusted: ctrl+t shows what is not run", "not trusted: ctrl+t"
    if problem.code == UNRELIABLE:
        return "changed since it was written: 4 shows which files", "changed"
    what = clip(_without_name(problem.what), LONGEST, cut)
    if problem.code == DOWN:
        who = f"@{other}" if other else "agent"
        return f"{who} down: {_fault(problem)}", f"{who} down"
    name = problem.place.rsplit("/", 1)[-1]
    is_kept = problem.file in files_in_force or problem.code == EVALUATOR_KEPT
    kept = ", last good version in force" if is_kept else ""
    if unread > 1:
        return f"{name} {what}{kept}, {unread:,} files unreadable", f"{name} +{unread - 1:,}"
    return f"{name} {what}{kept}", name


def other_agent(problem: Problem, names: Mapping[str, str], agent: str) -> str:
    """What the agent that is down is called where it is not `agent`, which is shown."""
    down = _agent(problem) if problem.code == DOWN else agent
    return "" if down == agent else names.get(down, down)


def _without_name(what: str) -> str:
    """What is said of a file of evaluators, of which the place is said beside it."""
    said = _NAMED.sub("", what)
    return said.removeprefix("could not be loaded: ")


def _agent(problem: Problem) -> str:
    return problem.what.removeprefix("`").partition("`: ")[0]


def _fault(problem: Problem) -> str:
    """Without the agent's name, which may be long and stands beside it when there are several."""
    return problem.what.partition("`: ")[2].replace("`", "")
