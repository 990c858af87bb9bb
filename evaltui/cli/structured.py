"""Commands whose answer and errors programs read: one line of JSON, sentences on a terminal."""

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any

from evaltui.cli.complaint import complain
from evaltui.cli.exit_code import ExitCode
from evaltui.core.errors import EvaltuiError, UserError
from evaltui.process import tidying_at_signals
from evaltui.reporters.ansi import plain, plain_lines
from evaltui.traces.mistakes import JsonMistake, SuiteMistake
from evaltui.traces.wire import line


class FlagError(UserError):
    """A mistake in the flags, which the parser cannot find: exit code 2 here too."""


@contextmanager
def reading_flags() -> Iterator[None]:
    """What is wrong in here is a mistake in the flags. Raises FlagError."""
    try:
        yield
    except UserError as error:
        raise FlagError(error.what, error.hint) from None


def structured(command: Callable[[Namespace], int]) -> Callable[[Namespace], int]:
    """The command, whose failures are told as `{"error": {code, message, details}}`, exit code 1;
    2 for a FlagError.

    Being interrupted stays what it is elsewhere. Told to end, it tidies up first.
    """

    @wraps(command)
    def run(flags: Namespace) -> int:
        try:
            with tidying_at_signals():
                return command(flags)
        except Exception as error:
            _tell(error, is_json=flags.json)
            return ExitCode.USAGE if isinstance(error, FlagError) else ExitCode.FAILED

    return run


def answer(
    document: Mapping[str, Any], flags: Namespace, text: str, warnings: Sequence[str] = ()
) -> None:
    """One line of JSON, or on a terminal `text`; warnings stand in it, and on standard error for
    people."""
    if warnings and not flags.json:
        sys.stderr.writelines(f"warning: {plain(one)}\n" for one in warnings)
    if flags.json or not sys.stdout.isatty():
        told = {"warnings": [*warnings]} if warnings else {}
        sys.stdout.write(line({**document, **told}).decode())
    else:
        sys.stdout.write("\n".join(plain_lines(text)) + "\n")


def message_of(error: BaseException) -> str:
    """What went wrong, and what to do where a file is what it went wrong with."""
    if isinstance(error, OSError) and error.filename:
        # What is put in place of another file is called after that one: the first is temporary.
        named = error.filename2 or error.filename
        return f"`{named}`: {error.strerror or type(error).__name__}. {_to_do(error)}"
    return str(error) or type(error).__name__


def _to_do(error: OSError) -> str:
    match error:
        case FileNotFoundError():
            return "Check the path."
        case PermissionError():
            return "Check its permissions."
        case IsADirectoryError():
            return "Name a file."
    return "Correct that and try again."


def _tell(error: Exception, *, is_json: bool) -> None:
    code, details = _code(error)
    if sys.stderr.isatty() and not is_json and code != "internal_error":
        complain(
            error if isinstance(error, UserError) else UserError(message_of(error)), is_json=False
        )
        return
    body = {"code": code, "message": message_of(error), "details": details}
    sys.stderr.write(line({"error": body}).decode())


def _code(error: Exception) -> tuple[str, dict[str, Any]]:
    details: dict[str, Any] = {"exception_type": type(error).__name__}
    match error:
        case FileNotFoundError():
            return "file_not_found", details | {"path": str(error.filename or "")}
        case JsonMistake():
            place = {"line": error.line, "column": error.column, "position": error.position}
            return "invalid_json", details | place | {"exception_type": "JSONDecodeError"}
        case SuiteMistake():
            known = {"file": error.file, "key": error.key, "case_id": error.case_id}
            return "validation_error", details | {k: v for k, v in known.items() if v}
        case UserError(problems=[_, *_] as problems):
            return "validation_error", details | {"problems": [str(one) for one in problems]}
        case EvaltuiError() | ValueError() | OSError():
            return "validation_error", details
    return "internal_error", details
