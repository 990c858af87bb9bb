"""Why a request is refused: an HTTP status, a short name, what is wrong and what to do."""

from collections.abc import Sequence

from evaltui.core.errors import Problem, UserError
from evaltui.core.json_value import Json
from evaltui.core.permit import Grant
from evaltui.project import refusal
from evaltui.reporters.problem_json import problem_json


class Fault(UserError):
    """One that says how it is told over HTTP; a plain UserError is told as this one."""

    status, code = 400, "wrong-request"


class NotAllowed(Fault):
    """Whoever asks may not."""

    status, code = 403, "not-allowed"


class NotTrusted(Fault):
    """Nobody agreed to what would be run."""

    status, code = 403, "not-trusted"

    @classmethod
    def of(cls, missing: Sequence[Grant]) -> "NotTrusted":
        refused = refusal(missing)
        return cls(refused.what, refused.hint, refused.problems)


class NoToken(Fault):
    status, code = 401, "no-token"


class NotFound(Fault):
    status, code = 404, "not-found"


class Conflict(Fault):
    """The request is right, but not as things are now."""

    status, code = 409, "conflict"

    @classmethod
    def of(cls, error: UserError) -> "Conflict":
        return cls(error.what, error.hint, error.problems)


class TooLarge(Fault):
    status, code = 413, "too-large"


class NotJson(Fault):
    status, code = 415, "not-json"


class Misdirected(Fault):
    """Asked under a name that is not ours."""

    status, code = 421, "unknown-host"


def fault_json(error: UserError) -> dict[str, Json]:
    """The body of the answer, in the shape in which commands tell errors with `--json`."""
    body: dict[str, Json] = {"code": code_of(error), "message": error.what, "hint": error.hint}
    if error.problems:
        body["problems"] = [_as_json(one) for one in error.problems]
    return {"error": body}


def status_of(error: UserError) -> int:
    return error.status if isinstance(error, Fault) else Fault.status


def code_of(error: UserError) -> str:
    return error.code if isinstance(error, Fault) else Fault.code


def _as_json(problem: Problem) -> dict[str, Json]:
    return {key: value for key, value in problem_json(problem).items() if value not in ("", 0)}
