"""Runs that EvalStudio itself kept in `data/runs.json`, without those that are invalid."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, get_args

from msgspec import Meta, Struct, ValidationError
from msgspec.structs import fields

from evaltui.core.errors import Problem, Severity
from evaltui.core.json_value import Json
from evaltui.core.workspace_files import RUNS
from evaltui.disk.codec import convert
from evaltui.files import leads_out, read_file
from evaltui.json_text.document import JsonDocument, read_json

Text = str | None
Object = dict[str, Any] | None


class _Run(Struct, rename="camel"):
    """What is read of one; other keys are kept as they stand."""

    scenario_id: Text
    persona_id: Text
    connector_id: Text
    eval_id: Text
    execution_id: int | str | None
    thread_id: Text
    status: Text
    created_at: Text
    started_at: Text
    completed_at: Text
    updated_at: Text
    latency_ms: Annotated[float, Meta(ge=0, le=1e15)] | None
    messages: list[dict[str, Any]] | None
    result: Object
    output: Object
    error: Text


_WORDS = {str: "text", int: "a whole number", float: "a number from 0", list: "a list of objects"}


def workspace_runs(folders: Iterable[Path]) -> Iterator[dict[str, Json] | Problem]:
    """Those of these folders of data; what cannot be read, and what is left out, is a problem."""
    for folder in folders:
        path = folder / RUNS
        try:
            content = b"[]" if leads_out(path, folder) else read_file(path)
        except FileNotFoundError:
            continue
        except OSError as error:
            what = f"The file cannot be read: {error.strerror or type(error).__name__}"
            yield Problem(str(path), what, "Check its permissions.", code="unreadable")
            continue
        document = read_json(str(path), content)
        if isinstance(document, Problem):
            yield document
        elif isinstance(document.value, list):
            for at, one in enumerate(document.value):
                yield from _read(document, at, one)
        else:
            what, hint = "The file is not a list of runs", "EvalStudio writes one: put it back."
            yield document.problem((), what, hint, code="type")


def _read(document: JsonDocument, at: int, one: Json) -> Iterator[dict[str, Json] | Problem]:
    """A run without what is of a wrong type, after a problem for each of those."""
    if not isinstance(one, dict) or not isinstance(one.get("id"), str):
        what = "This is not a run: it is not an object with a text `id`"
        yield _left_out(document, (at,), what)
        return
    run = dict(one)
    for field in fields(_Run):
        if (name := field.encode_name) in run:
            try:
                convert(run[name], field.type)
            except (ValidationError, RecursionError):
                del run[name]
                yield _left_out(document, (at, name), f"`{name}` is not {_wanted(field.type)}")
    yield run


def _left_out(document: JsonDocument, path: tuple[int | str, ...], what: str) -> Problem:
    hint = "It is left out; correct it, or remove it."
    return document.problem(path, what, hint, severity=Severity.WARNING, code="type")


def _wanted(kind: Any) -> str:
    names = [getattr(one, "__origin__", one) for one in get_args(kind)]
    return " or ".join(_WORDS.get(one, "an object") for one in names if one is not type(None))
