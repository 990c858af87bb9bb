"""Which recording is nearest to a request that has none, and how the two differ, in words."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from evaltui.agents.recordings.recorded_request import RecordedRequest
from evaltui.core.json_value import JsonObject, object_of

_MOST_SHOWN = 4


def nearest(request: RecordedRequest, entries: Sequence[JsonObject]) -> str:
    """A sentence about the entry with the fewest differences."""
    best: tuple[int, str, list[str]] | None = None
    for entry in entries:
        recorded = entry.get("request")
        if not isinstance(recorded, Mapping):
            continue
        found = differences(request, recorded)
        if best is None or len(found) < best[0]:
            best = (len(found), str(entry.get("key")), found)
    if best is None:
        return "it holds no recording."
    _, key, found = best
    more = len(found) - _MOST_SHOWN
    shown = "; ".join(found[:_MOST_SHOWN]) or "only what is masked in it differs"
    return f"the nearest is `{key}`: {shown}{f'; and {more} more' if more > 0 else ''}."


def differences(request: RecordedRequest, recorded: JsonObject) -> list[str]:
    """Each difference in words; `recorded` is an entry's `request`."""
    found = _of_parameters(request.parameters, object_of(recorded.get("parameters")))
    found += _of_parameters(request.case, object_of(recorded.get("case")))
    found += _of_messages(request.messages, recorded.get("messages"))
    found += _of_tools(request.tools, object_of(recorded.get("tools")))
    was_filled = recorded.get("variables")
    if was_filled and was_filled != request.variables:
        what = "stand for something else" if request.variables else "are not set here"
        found.append(f"variables in its settings {what}")
    for name, now in (("trial", request.trial), ("turn", request.turn)):
        was = recorded.get(name)
        if was != now:
            found.append(f"it is {name} {was}, this is {name} {now}")
    return found


def _of_parameters(now: JsonObject, was: JsonObject) -> list[str]:
    found: list[str] = []
    for key in (*now, *(key for key in was if key not in now)):
        if key not in was:
            found.append(f"`{key}` was not set, is {_short(now[key])}")
        elif key not in now:
            found.append(f"`{key}` was {_short(was[key])}, is not set")
        elif not _same(now[key], was[key]):
            found.append(f"`{key}` was {_short(was[key])}, is {_short(now[key])}")
    return found


def _of_messages(now: Sequence[JsonObject], recorded: Any) -> list[str]:
    was = recorded if isinstance(recorded, list | tuple) else []
    found: list[str] = []
    for index, (new, old) in enumerate(zip(now, was, strict=False)):
        if not _same(new, old):
            found.append(_of_message(index, new, object_of(old), only=len(now) == 1))
    if len(now) != len(was):
        found.append(f"it has {len(was)} messages, this has {len(now)}")
    return found


def _of_message(index: int, now: JsonObject, was: JsonObject, *, only: bool) -> str:
    which = "message" if only else f"message {index + 1} ({now.get('role')})"
    if now.get("role") != was.get("role"):
        return f"{which} was of the {was.get('role')}"
    if now.get("content") != was.get("content"):
        return f"{which} differs: was {_short(was.get('content'))}, is {_short(now.get('content'))}"
    return f"the calls of {which} differ"


def _of_tools(now: Mapping[str, str], was: JsonObject) -> list[str]:
    if now and not was:  # or of an agent whose recordings told none: which it had nobody knows
        return [f"it has no tools, this has {len(now)}"]
    found = [f"tool {name} is new" for name in now if name not in was]
    found += [f"tool {name} is gone" for name in was if name not in now]
    for name, prints in now.items():
        if name not in was or was[name] == prints:
            continue
        new, old = prints.split(), str(was[name]).split()
        parts = ("description", "parameters", "version", "status")[: len(new)]
        changed = [
            part for part, left, right in zip(parts, new, old, strict=False) if left != right
        ]
        found += [
            f"tool {name}.{part} {'differ' if part == 'parameters' else 'differs'}"
            for part in changed or parts
        ]
    if not found and list(now) != list(was):
        found.append("the tools are in another order")
    return found


def _same(left: Any, right: Any) -> bool:
    return _text(left) == _text(right)


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else list(value)


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else _text(value)
    return f"`{text}`" if len(text) <= 60 else f"`{text[:60]}…`"
