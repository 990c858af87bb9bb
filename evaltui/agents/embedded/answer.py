"""The answer in words: what was called with what, and what came back; nothing is made up."""

from collections.abc import Iterator, Mapping, Sequence

from evaltui.agents.embedded.text import words
from evaltui.core.json_or_text import json_or_text
from evaltui.core.json_value import Json
from evaltui.core.response import ToolCall

NO_TOOL = "No tool in the registry fits this request."
LONGEST = 20_000
"""Characters of an answer; stubs can be huge."""
MAX_DEPTH = 12
_JSON_ENDS = frozenset({"{}", "[]", '""'})


def answer(calls: Sequence[ToolCall]) -> str:
    """One line per call: the tool's name in words, its params, the fields of its result."""
    if not calls:
        return NO_TOOL
    return "\n".join(_line(call) for call in calls)[:LONGEST]


def _line(call: ToolCall) -> str:
    parts: dict[str, None] = {}
    for source in (call.params, call.result):
        for part in _flat(source, "", 0):
            parts.setdefault(part)
    title = " ".join(words(call.name)).capitalize() or call.name
    return f"{title}: {'; '.join(parts)}" if parts else f"{title}."


def _flat(value: Json, label: str, depth: int) -> Iterator[str]:
    """`label value` for every leaf; members of a list share their label; null is left out."""
    if isinstance(value, str):
        value = _unpacked(value)
    if isinstance(value, Mapping):
        if depth < MAX_DEPTH:
            for key, inner in value.items():
                yield from _flat(inner, f"{label} {' '.join(words(key)) or key}".strip(), depth + 1)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        plain = [_plain(v) for v in value if v is not None and not _is_nested(v)]
        if plain:
            yield f"{label} {', '.join(plain)}".strip()
        if depth < MAX_DEPTH:
            for inner in value:
                if _is_nested(inner):
                    yield from _flat(inner, label, depth + 1)
    elif value is not None:
        yield f"{label} {_plain(value)}".strip()


def _is_nested(value: Json) -> bool:
    if isinstance(value, str):
        value = _unpacked(value)
    return isinstance(value, Mapping | list | tuple)


def _unpacked(text: str) -> Json:
    """JSON that a stub holds as text is taken apart too: raw JSON must never be an answer."""
    return json_or_text(text) if text[:1] + text[-1:] in _JSON_ENDS else text


def _plain(value: Json) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)
