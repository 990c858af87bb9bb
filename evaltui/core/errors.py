"""What can go wrong, and who has to deal with it."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from enum import StrEnum
from operator import attrgetter

from msgspec import Struct

NO_RECORDED_RUN = "recorded-run"
"""Code of the problem of a file that was to be played and cannot be."""

NOT_TRUSTED = "not-trusted"
"""Code of the problem of what is left out because nobody agreed to it."""

BUDGET_SPENT = "budget-spent"
"""Code of the problem of a run that a limit of money ended."""


SERVER_DOWN = "mcp-down"
"""Code of the problem of a tools' server that cannot be reached: an error when nothing is known of
its tools, a warning while the last ones that it listed stay in force."""


UNRELIABLE = "pack"
"""Code of a file of an evidence pack that is broken, or not as it was written."""


UNKNOWN_KEY = "unknown-key"
"""Code of a problem: a key that nobody reads."""


class Severity(StrEnum):
    ERROR = "error"
    """The file or part of it could not be used."""
    WARNING = "warning"
    """Used, but results may mislead."""
    LINT = "lint"
    """Works, reads wrong."""


EVALUATOR_NOT_LOADED, EVALUATOR_KEPT = "evaluator-load", "evaluator-kept"
"""Codes of a file of evaluators that cannot be loaded: nothing of it is in force, or its last good
version."""

UNREADABLE = frozenset({
    EVALUATOR_NOT_LOADED, EVALUATOR_KEPT,
    "json-syntax", "json-depth", "script-syntax", "toml-syntax",
    "encoding", "binary", "empty-file", "too-large", "unreadable",
})  # fmt: skip
"""Codes of files of which nothing could be read: their last good version stays in force."""


class Problem(Struct, frozen=True, gc=False):
    """A mistake in a file that a user edits; ends with what to do about it."""

    file: str
    """Path below the project root, with `/`; empty when it is about no file."""
    what: str
    hint: str = ""
    line: int = 0
    """1-based; 0 when unknown."""
    column: int = 0
    """1-based, in characters; 0 when unknown."""
    key: str = ""
    """Key path, e.g. `cases[3].expect.toolsCalled`."""
    severity: Severity = Severity.ERROR
    code: str = ""
    """Stable short name, e.g. `json-syntax`, `prompt-echo`."""
    case: str = ""
    """Id of the case it is about, if any."""

    @property
    def place(self) -> str:
        """`file:line:column`, as far as they are known; editors make it a link."""
        return ":".join(str(part) for part in (self.file, self.line, self.column) if part)

    def __str__(self) -> str:
        """Place, key, what and what to do: `a.toml:3: `evals`: there is no file. Give one.`"""
        key = f"`{self.key}`" if self.key else ""
        what = self.what if self.what.endswith(("?", "!", "…")) else f"{self.what.rstrip('.')}."
        said = ": ".join(part for part in (self.place, key, what) if part)
        return f"{said} {self.hint}".rstrip()


def unread_files(problems: Iterable[Problem]) -> frozenset[str]:
    """Those that cannot be read as they are."""
    return frozenset(one.file for one in problems if one.file and one.code in UNREADABLE)


def without_lint(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """Of those in order, errors first: without what lint finds in files that can be read."""
    first = bisect_left(problems, True, key=lambda one: one.severity is Severity.LINT)
    lint = problems[first:]
    # Mostly there is none among many thousands, which takes a fifth of the time to find out.
    if UNREADABLE.isdisjoint(map(attrgetter("code"), lint)):
        return problems[:first]
    return (*problems[:first], *(one for one in lint if one.code in UNREADABLE))


class EvaltuiError(Exception):
    """Base of every error that evaltui raises on purpose."""


class UserError(EvaltuiError):
    """A mistake in the user's files or flags: exit code 2."""

    def __init__(self, what: str, hint: str = "", problems: Sequence[Problem] = ()) -> None:
        super().__init__(f"{what} {hint}".rstrip())
        self.what = what
        self.hint = hint
        self.problems = tuple(problems)


class ChangedSinceError(UserError):
    """What was to be written over is another by now: it is somebody else's, and left alone."""


class MissingSecretError(UserError):
    """A variable or keyring entry that the settings name is not set on this machine."""


class AgentError(EvaltuiError):
    """The agent could not be reached or broke its protocol: status error, never a failure."""

    def __init__(
        self,
        what: str,
        category: str = "agent_error",
        retries: int = 0,
        *,
        retryable: bool = False,
        throttled: bool = False,
        retry_after_s: float | None = None,
        max_retries: int | None = None,
        is_unpaid: bool = False,
    ) -> None:
        """`retryable`: the same request may be sent again (429, 5xx, connection errors only).

        `throttled`: the agent asked for fewer requests; `retry_after_s`: how long it said to wait;
        `max_retries`: the agent's own limit, `None` for the runner's; `is_unpaid`: it was refused,
        or never reached anyone, so that nothing is to be paid for it.
        """
        super().__init__(what)
        self.what = what
        self.who = "agent"
        """Who it was, as the error begins: a model that plays the user may fail too."""
        self.category = category
        self.retries = retries
        self.retryable = retryable
        self.throttled = throttled
        self.retry_after_s = retry_after_s
        self.max_retries = max_retries
        self.is_unpaid = is_unpaid


class NoMoreError(AgentError):
    """Nothing more may be sent in this run. It is no fault of the agent: the case was not asked to
    its end."""

    def __init__(
        self,
        what: str,
        hint: str,
        code: str,
        *,
        category: str = "agent_error",
        is_unpaid: bool = False,
    ) -> None:
        super().__init__(what, category=category, is_unpaid=is_unpaid)
        self.hint = hint
        self.code = code
