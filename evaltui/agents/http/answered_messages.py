"""An answer that is the whole conversation: what of it the agent added, with its calls."""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

from msgspec import Struct

from evaltui.agents.http.answer_mapping import (
    CONTRACT_MAPPING,
    AnswerMapping,
    read_call,
    read_calls,
)
from evaltui.agents.http.json_path import MISSING, Path, first_at, values_at
from evaltui.agents.told_calls import (
    CallPairs,
    call_entries,
    content_text,
    holds_results_only,
    told_call,
    with_results_apart,
)
from evaltui.core.errors import AgentError
from evaltui.core.json_value import Json
from evaltui.core.made_messages import made_messages
from evaltui.core.response import AgentResponse, Message, ToolCall

_CALLS = ("tool_calls", "function_call")
_OWN = frozenset({"role", "tool_call_id", "name", *_CALLS})
Entry: TypeAlias = Mapping[str, Json]


class Answered(Struct, frozen=True):
    text: str
    """What the agent said last; empty when it said nothing."""
    calls: tuple[ToolCall, ...]
    messages: tuple[Message, ...] = ()
    """Its own alone."""
    notes: tuple[str, ...] = ()


def answered_messages(
    value: Json, mapping: AnswerMapping, sent: Sequence[Message]
) -> Answered | None:
    """What the agent added to the messages that were sent to it; `None` where the mapping names no
    such list, it is not there, or a text stands beside it.

    Raises AgentError where nobody can tell what the agent added, or it added none of its own, or a
    call cannot be read.
    """
    path = mapping.messages
    if path is None or not isinstance(value, dict) or _has_text(value, mapping):
        return None
    if not isinstance(found := first_at(value, path), list):
        return None
    inside = _inside(mapping.tool_calls, path)
    added = _read(_added(found, sent, path), _reader(mapping, inside))
    if not any(one.role == "assistant" for one in added.messages):
        raise AgentError(
            f"No response messages from connector: `{path}` has none of the agent's behind the "
            f"{len(sent)} that were sent. {_ANSWER_WITH}",
            category="contract_violation",
        )
    is_beside = inside is None and mapping.tool_calls != CONTRACT_MAPPING.tool_calls
    if added.calls or not is_beside:
        return added
    calls = read_calls(value, mapping)
    made = made_messages(AgentResponse("", calls)) if calls else ()
    return Answered(added.text, calls, (*made, *added.messages), added.notes)


_ANSWER_WITH = "Answer with the whole conversation, or with the new messages alone."


def _added(found: Sequence[Json], sent: Sequence[Message], path: Path) -> Sequence[Json]:
    """What follows the messages that were sent; all, where none of them is of a user.

    A list that begins with others, such as a system message, counts from the last message that was
    sent, if that is in it once. Raises AgentError.
    """
    roles = [_role(one) if isinstance(one, Mapping) else "" for one in found]
    if roles[: len(sent)] == [one.role for one in sent]:
        return found[len(sent) :]
    if "user" not in roles:
        return found
    last = sent[-1]
    places = [
        at
        for at, one in enumerate(found)
        if roles[at] == last.role
        and isinstance(one, Mapping)
        and content_text(one.get("content"), "\n").strip() == last.content.strip()
    ]
    if len(places) != 1:
        raise AgentError(
            f"`{path}` does not begin with the {len(sent)} messages that were sent, so which are "
            f"new cannot be told. {_ANSWER_WITH}",
            category="contract_violation",
        )
    return found[places[0] + 1 :]


def _role(entry: Entry) -> str:
    """Who says it; results of calls are a tool's, whoever hands them on."""
    return "tool" if holds_results_only(entry) else _text(entry, "role")


def _has_text(value: Json, mapping: AnswerMapping) -> bool:
    paths = (mapping.text, *mapping.text_instead)
    return any(first_at(value, one) not in (MISSING, None, "") for one in paths)


def _inside(calls: Path | None, messages: Path) -> Path | None:
    """The way to the calls from the list of messages on; `None` where they stand elsewhere."""
    at = len(messages.steps)
    if calls is None or calls.steps[:at] != messages.steps:
        return None
    return Path(calls.steps[at:], calls.text)


def _reader(mapping: AnswerMapping, inside: Path | None) -> Callable[[Entry], list[ToolCall]]:
    """Reads the calls of a message: where the mapping says, else as usual chat APIs have them."""
    if inside is None:
        return lambda entry: [*map(told_call, call_entries(entry))]

    def read(entry: Entry) -> list[ToolCall]:
        found = values_at([dict(entry)], inside)
        calls = found if isinstance(found, list) else []
        return [read_call(one, mapping, f"{inside} #{at}") for at, one in enumerate(calls, 1)]

    return read


def _read(found: Sequence[Json], calls_of: Callable[[Entry], list[ToolCall]]) -> Answered:
    pairs, messages, text = CallPairs(), [], ""
    entries = [one for one in found if isinstance(one, Mapping) and one.get("role")]
    if left := len(found) - len(entries):
        pairs.notes.append(f"{left} of the agent's messages have no `role` and are left out")
    for entry in chain.from_iterable(map(with_results_apart, entries)):
        calls = calls_of(entry)
        if not calls and "content" not in entry:
            continue
        said = content_text(entry.get("content"), "\n")
        role, name, id_ = (_text(entry, key) for key in ("role", "name", "tool_call_id"))
        role = "tool" if role == "function" else role
        pairs.add(calls)
        if role == "assistant":
            text = said or text
        elif role == "tool" and (id_ or name):
            pairs.answer(id_, name, entry, said)
        messages.append(Message(role, said, tuple(calls), id_, name, _extra(entry, calls)))
    return Answered(text, tuple(pairs.calls), tuple(messages), tuple(pairs.notes))


def _extra(entry: Entry, calls: Sequence[ToolCall]) -> dict[str, Json] | None:
    """What a message has besides; its blocks, and calls that cannot be read, as they are."""
    extra = {key: value for key, value in entry.items() if key not in _OWN and key != "content"}
    if not isinstance(content := entry.get("content"), str | None):
        extra["content"] = content
    if any(call.error for call in calls):
        extra |= {key: entry[key] for key in _CALLS if entry.get(key)}
    return extra or None


def _text(entry: Entry, key: str) -> str:
    return str(entry.get(key) or "")
