"""What can be wrong with a run as a whole, and what to do about it."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from evaltui.core.case import CaseKey
from evaltui.core.did_you_mean import few
from evaltui.core.errors import BUDGET_SPENT, NoMoreError, Problem, Severity
from evaltui.core.measured_number import dollars
from evaltui.runner.dispatch import Left

_NAMED = 5
"""Files or cases that a problem names before it only counts them."""


def pausing(agent: str, seconds: float) -> Problem:
    return Problem(
        file="",
        what=f"`{agent}` wants fewer requests: the next one is sent in {seconds:.0f} s",
        hint="Lower `concurrency`, or set `max_requests_per_minute`.",
        severity=Severity.WARNING,
        code="pause",
    )


def not_written(folder: str, error: Exception) -> Problem:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return Problem(
        file=folder,
        what=f"the results could not be written: {reason}",
        hint="Make room there, or choose another folder with `outputDir`, and run again.",
        code="results-not-written",
    )


def unseen_files(agent: str, files: Collection[Path], root: Path) -> Problem:
    real = root.resolve()
    names = sorted(
        path.relative_to(real).as_posix() if path.is_relative_to(real) else path.as_posix()
        for path in files
    )
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    globs = ", ".join(f'"{name}"' for name in names[:_NAMED])
    return Problem(
        file=names[0],
        what=f"`{agent}` loads files that its imports do not show: "
        f"{', '.join(names[:_NAMED])}{more}. Saving one reruns nothing",
        hint=f"Name them in its profile: `files = [{globs}]`, or a glob.",
        severity=Severity.WARNING,
        code="agent-files",
    )


def not_recorded(error: Exception) -> Problem:
    return Problem(
        file="",
        what=f"the run was not added to the history: {error}",
        hint="It is tried again at the next start.",
        severity=Severity.WARNING,
        code="history",
    )


def not_numbered(error: Exception) -> Problem:
    return Problem(
        file="",
        what=f"the run has a number that may be given again: {error}",
        hint="Its result files are complete.",
        severity=Severity.WARNING,
        code="history",
    )


def not_loaded(agent: str, error: Exception) -> Problem:
    return Problem(
        file="",
        what=f"the last results of `{agent}` cannot be read: {error}",
        hint="They are read again with the next save.",
        severity=Severity.WARNING,
        code="history",
    )


def not_known(cases: int, error: Exception) -> Problem:
    those = "a case" if cases == 1 else f"{cases:,} cases"
    return Problem(
        file="",
        what=f"the last results of {those} that appeared cannot be read: {error}",
        hint="They count as never run until evaltui is started again.",
        severity=Severity.WARNING,
        code="history",
    )


def held_back(most_usd: float, left: int) -> Problem:
    return Problem(
        file="",
        what=f"a save runs no more by itself than is known to fit into `confirm_above` of "
        f"{dollars(most_usd)}: {cases_left(left)}",
        hint="Press R to run the rest, or raise `confirm_above`.",
        severity=Severity.WARNING,
        code="save-spent",
    )


def cases_left(left: int) -> str:
    """`1 case was not run`, of jobs that make the first results of their cases."""
    return f"{left:,} {'case was' if left == 1 else 'cases were'} not run"


def trials_left(_left: int) -> str:
    """The same where trials are asked one by one, by somebody who counts them."""
    return "no further trial was begun"


def further_left(_left: int) -> str:
    """The same of further trials, whose cases did run."""
    return "what is undecided was not tried to the end"


def not_answered(keys: Sequence[CaseKey]) -> Problem:
    """Of undecided cases."""
    names = few([key.case for key in keys], _NAMED)
    stay = "1 case stays" if len(keys) == 1 else f"{len(keys):,} cases stay"
    return Problem(
        file="",
        what=f"{stay} undecided, since the agent gave no answer when tried again: {names}",
        hint="Run them again when it answers.",
        severity=Severity.WARNING,
        code="not-answered",
    )


def not_judged(why: str, words: Callable[[int], str], left: Left) -> Problem:
    return Problem(
        file="",
        what=f"the judge may be asked no more: {words(sum(left))}, or not judged",
        hint=why,
        code=BUDGET_SPENT,
    )


def not_sent(refusal: NoMoreError, words: Callable[[int], str], left: Left) -> Problem:
    return Problem(
        file="",
        what=f"{refusal.what}: {words(left.not_run)}",
        hint=refusal.hint,
        code=refusal.code,
    )
