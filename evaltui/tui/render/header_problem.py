"""The header's words about problems: the most urgent one, and how many there are."""

import re
from collections.abc import Collection, Iterable, Mapping

from evaltui.core.errors import (
    EVALUATOR_KEPT,
    NOT_TRUSTED,
    UNREADABLE,
    UNRELIABLE,
    Problem,
    Severity,
)
from evaltui.store.faults import DOWN
from evaltui.tui.render.clip import clip
from evaltui.tui.render.words import count

_NAMED = re.compile(r'^(Evaluator plugin "[^"]*" |Case `[^`]*`: )')

LONGEST = 34
"""Cells of what is wrong; all of it stands in the problems pane."""


def urgent_problem(
    problems: Iterable[Problem], saved: Collection[str] = (), agent: str = ""
) -> Problem | None:
    """What was not agreed to, or is no evidence any more, else a file that cannot be read, else an
    agent that is down, else what is wrong in a file that can be read, else what may mislead; of
    several the one in a file just `saved`, or the agent that is shown, else the first."""
    ranked = ((_rank(problem, saved, agent), problem) for problem in problems)
    urgent = ((rank, problem) for rank, problem in ranked if rank is not None)
    return min(urgent, key=lambda each: each[0], default=(None, None))[1]


def _rank(problem: Problem, saved: Collection[str], agent: str) -> tuple[int, bool] | None:
    """The lowest is the most urgent; `None` for what stands in the problems pane alone."""
    if problem.code in (NOT_TRUSTED, UNRELIABLE):
        return 0, False
    if problem.file and problem.code in UNREADABLE:
        return 1, problem.file not in saved
    if problem.code == DOWN:
        return 2, _agent(problem) != agent
    if problem.severity is Severity.ERROR:
        return 3, problem.file not in saved
    if problem.severity is Severity.WARNING:
        return 4, problem.file not in saved
    return None


def headline(
    problem: Problem, files_in_force: Collection[str], cut: str, problems: int = 1, other: str = ""
) -> tuple[str, str, str]:
    """Long, short, shortest: `a.golden.json:4:83 not closed, last good version in force +1`, its
    place and how many others there are, `2 problems`.

    `problems`: how many there are, this one among them. `other`: the agent that is down, where that
    is not the one that is shown.
    """
    if problem.code == NOT_TRUSTED:
        return "not trusted: ctrl+t shows what is not run", "not trusted: ctrl+t", "not trusted"
    if problem.code == UNRELIABLE:
        return "changed since it was written: 4 shows which files", "changed", "changed"
    what = clip(_without_name(problem.what), LONGEST, cut)
    name = problem.place.rsplit("/", 1)[-1]
    said = f"{name} {what}".lstrip()
    if problem.code == DOWN:
        name = f"@{other} down" if other else "agent down"
        said = f"{name}: {_fault(problem)}"
    elif problem.code == EVALUATOR_KEPT or (
        problem.code in UNREADABLE and problem.file in files_in_force
    ):
        said += ", last good version in force"
    others = f" +{problems - 1:,}" if problems > 1 else ""
    return f"{said}{others}", f"{name or what}{others}", count(problems, "problem")


def other_agent(problem: Problem, names: Mapping[str, str], agent: str) -> str:
    """What the agent that is down is called where it is not `agent`, which is shown."""
    down = _agent(problem) if problem.code == DOWN else agent
    return "" if down == agent else names.get(down, down)


def _without_name(what: str) -> str:
    """What is said of evaluators or a case, of which the place is said beside it."""
    said = _NAMED.sub("", what)
    return said.removeprefix("could not be loaded: ").replace("`", "")


def _agent(problem: Problem) -> str:
    return problem.what.removeprefix("`").partition("`: ")[0]


def _fault(problem: Problem) -> str:
    """Without the agent's name, which may be long and stands beside it when there are several."""
    return problem.what.partition("`: ")[2].replace("`", "")
