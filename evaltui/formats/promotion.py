"""From a trace to a case: the message, the tools called with their arguments, and their results."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from evaltui.core.case import Case, TraceCase
from evaltui.core.errors import UserError
from evaltui.core.file_edit import FileEdit, file_edit
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.response import ToolCall
from evaltui.expectations.javascript import to_string
from evaltui.expectations.param_diff import same_json
from evaltui.expectations.tokens import find_tokens
from evaltui.formats.editing import ids_in
from evaltui.formats.naming import SCENARIO_ENDING, TRACE_ENDING
from evaltui.json_text.edit import append_case, read_value
from evaltui.json_text.style import style_of
from evaltui.traces.pairing import results_of_calls
from evaltui.traces.recorded_response import as_text, recorded_call
from evaltui.traces.user_messages import messages_of, said_by

LONGEST_ID = 60
LONGEST_SHOWN = 60
"""Letters of a result that is told of."""


def promotable(case: Case) -> TraceCase:
    """The trace of a case. Raises UserError where there is nothing to make a case of."""
    body = case.body
    if not isinstance(body, TraceCase):
        raise UserError(f"`{case.id}` is not a trace.", "Choose a case of a suite of traces.")
    if case.invalid:
        raise UserError(f"`{case.id}` cannot be read: {case.invalid}.", "Correct it first.")
    if not messages_of(body):
        raise UserError(f"In `{case.id}` no user says anything.", "Choose another trace.")
    return body


def promote(
    file: Path, content: bytes | None, case: Case, event: int | None = None, case_id: str = ""
) -> FileEdit:
    """The edit that adds what was asked at an event to a file of cases.

    `content` is `None` when there is no file yet; `event` is a 0-based place, by default that of
    the first message; of another event the message before it counts. Raises UserError, also where
    the file has the very same case and no other id is asked for.
    """
    body = promotable(case)
    at = _message_at(case, body, event)
    file_name = file.name.lower()
    if not file_name.endswith(".json") or file_name.endswith((TRACE_ENDING, SCENARIO_ENDING)):
        what = f"`{file.name}` is not a file for cases of one message."
        raise UserError(what, "Name one that ends in `.json`, e.g. `evals/support.labeled.json`.")
    has_content = content is not None and bool(content.strip())
    cases = _cases(file, content) if content is not None and has_content else []
    taken = ids_in(content)
    first = messages_of(body)[0]
    wanted = case_id or _free_id(case.id if at == first else f"{case.id}-{at}", taken)
    if wanted in taken:
        raise UserError(f"`{wanted}` is in `{file.name}` already.", "Choose another id.")
    calls = list(_calls(body, at))
    entry = _entry(case, said_by(body.trace[at]), calls, wanted)
    if not case_id and (there := _same_case(entry, cases)):
        what = f"`{file.name}` has this case already, as `{there}`."
        raise UserError(what, "Nothing needs to be written.")
    unasked = _unasked(body) if event is None else ()
    left_out = (*unasked, *_left_out(calls))
    title = f"Make `{wanted}` of the trace `{case.id}`"
    if content is not None and has_content:
        made = file_edit(file, content, append_case(content, entry), title)
        return replace(made, left_out=left_out)
    style = style_of(b'{\n  "toolsCalled": ["a"]\n}')
    envelope: Json = {**_about(calls), "cases": [entry]}
    made = file_edit(file, content, (style.block(envelope, "") + "\n").encode(), title)
    return replace(made, left_out=left_out)


def _about(calls: Sequence[ToolCall]) -> dict[str, Json]:
    """The metadata of a new file: it is about the tool that was called first, and where none was
    about none; unsaid, it would be about the one that it is called after."""
    return {"metadata": {"toolName": calls[0].name if calls else ""}}


def _entry(case: Case, message: str, calls: Sequence[ToolCall], id_: str) -> dict[str, Json]:
    """The case as it is written: the calls that followed the message until a user spoke again."""
    expect: dict[str, Json] = {"toolsCalled": [call.name for call in calls]}
    if params := list(_params(calls)):
        expect["toolParams"] = params
    stubs = _stubs(calls)
    if calls and all(call.name in stubs for call in calls):
        expect["noToolErrors"] = True
    entry: dict[str, Json] = {
        "id": id_,
        "description": f"from the trace {case.id}",
        "input": {"message": message},
    }
    if stubs:
        entry["stubs"] = stubs
    entry["expect"] = expect
    if more := list(_arguments(calls)):
        entry["evaluators"] = more
    return entry


def _stubs(calls: Sequence[ToolCall]) -> dict[str, Json]:
    """By tool the first result: a case holds one for all calls of it."""
    stubs: dict[str, Json] = {}
    for call in calls:
        if call.success and call.result is not None:
            stubs.setdefault(call.name, call.result)
    return stubs


def _unasked(body: TraceCase) -> Iterator[str]:
    """Other messages, where nobody chose the one that is taken."""
    places = messages_of(body)
    if len(places) > 1:
        events = ", ".join(map(str, places))
        yield (
            f"Left out: all but the first of {len(places)} messages of a user (events {events}). "
            "`--event` takes another."
        )


def _left_out(calls: Sequence[ToolCall]) -> Iterator[str]:
    """Results that a stub of the case takes the place of."""
    stubs = _stubs(calls)
    made: Counter[str] = Counter()
    for call in calls:
        made[call.name] += 1
        if call.name in stubs and call.success is not False and call.result is not None:
            stub = stubs[call.name]
            if not same_json(call.result, stub):
                number, text = made[call.name], _short(call.result)
                yield (
                    f"Left out: the result of call {number} of `{call.name}`, {text}. "
                    f"A tool has one stub, here {_short(stub)}."
                )


def _short(value: Json) -> str:
    text = as_text(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"


def _message_at(case: Case, body: TraceCase, event: int | None) -> int:
    places = messages_of(body)
    if event is None:
        return places[0]
    if not 0 <= event < len(body.trace):
        what = f"`{case.id}` has no event {event}: it has {len(body.trace)}, counted from 0."
        raise UserError(what, f"Messages of a user are {', '.join(map(str, places))}.")
    before = [place for place in places if place <= event]
    if not before:
        what = f"Before event {event} of `{case.id}` no user says anything."
        raise UserError(what, f"Messages of a user are {', '.join(map(str, places))}.")
    return before[-1]


def _calls(body: TraceCase, at: int) -> Iterator[ToolCall]:
    """Those that followed, without one that failed and was made again."""
    trace = body.trace
    end = next((place for place in messages_of(body) if place > at), len(trace))
    calls = [
        recorded_call(trace[place], None if result is None else trace[result])
        for place, result in results_of_calls(trace).items()
        if at < place < end
    ]
    for number, call in enumerate(calls):
        again = any(
            (one.name, one.params) == (call.name, call.params) for one in calls[number + 1 :]
        )
        if call.name and (call.success is not False or not again):
            yield call


def _params(calls: Sequence[ToolCall]) -> Iterator[Json]:
    """Of the first call of each tool; values that cannot be compared as text have to be there."""
    seen: set[str] = set()
    for call in calls:
        if call.name in seen:
            continue
        seen.add(call.name)
        for name, value in (call.params or {}).items():
            entry: dict[str, Json] = {"tool": call.name, "paramName": name}
            text = to_string(value) if isinstance(value, str | int | float) else None
            if text is not None and not find_tokens(text):
                yield {**entry, "assertion": "equals", "value": text}
            else:
                yield {**entry, "assertion": "exists"}


def _arguments(calls: Sequence[ToolCall]) -> Iterator[Json]:
    """An evaluator for each further call of a tool that was given something else: `toolParams`
    looks at the first one alone."""
    seen: list[tuple[str, Json]] = []
    for call in calls:
        given = dict(call.params or {})
        is_first = all(name != call.name for name, _ in seen)
        is_new = not any(name == call.name and same_json(one, given) for name, one in seen)
        seen.append((call.name, given))
        if not is_first and is_new and given:
            # What is no plain value could look like a rule of the evaluator.
            wanted: dict[str, Json] = {
                name: {"$equals": value} if isinstance(value, dict | list) else value
                for name, value in given.items()
            }
            yield {
                "type": "tool-arguments",
                "config": {"tool": call.name, "arguments": wanted},
            }


def _cases(file: Path, content: bytes) -> list[Json]:
    value = read_value(content)
    cases = value.get("cases") if isinstance(value, dict) else value
    is_of_traces = isinstance(value, dict) and "dataset_id" in value
    if not isinstance(cases, list) or is_of_traces:
        what = f"`{file.name}` holds no list of cases of one message."
        raise UserError(what, "Name another file, or one that is not there yet.")
    return cases


def _same_case(entry: JsonObject, cases: Sequence[Json]) -> str:
    """The id of one that says the same but for it; empty where none does."""
    for case in cases:
        if isinstance(case, dict) and same_json({**case, "id": entry["id"]}, entry):
            return str(case.get("id", ""))
    return ""


def _free_id(name: str, taken: set[str]) -> str:
    """The name without signs that an id should not have, and a number where it is taken."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:LONGEST_ID] or "trace"
    number = 1
    while (found := plain if number == 1 else f"{plain}-{number}") in taken:
        number += 1
    return found
