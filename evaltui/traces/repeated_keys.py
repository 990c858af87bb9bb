"""Keys that stand twice in an object of a JSON text: only one of their values would count."""

import json
import re
from collections.abc import Iterable, Sequence

import msgspec

from evaltui.core.key_path import KeyPath, format_key
from evaltui.disk.codec import decode_exactly
from evaltui.json_text.entries import has_repeated_keys
from evaltui.traces.mistakes import SuiteMistake

_BETWEEN = re.compile(rb"[\s,]*")
_KEY = re.compile(rb'("(?:[^"\\]|\\.)*")\s*:\s*', re.DOTALL)
_CHUNK = 1 << 20
"""So much of a text is compared at once, in bytes."""


def refuse_repeated_keys(data: bytes, file: str) -> None:
    """For the text of a JSON value. Raises SuiteMistake with line, column and path of the first."""
    try:
        is_repeated = has_repeated_keys(data.decode())
    except RecursionError:
        raise SuiteMistake(file, "", "is nested too deeply", "Flatten it.") from None
    except (ValueError, IndexError):
        return  # whoever reads the value says what is wrong
    if not is_repeated:
        return
    from evaltui.json_text.tree import JsonTree

    path, line, column = next(JsonTree(data).duplicate_keys())
    what = f"`{path[-1]}` is written twice"
    place = f"{file}:{line}:{column}" if file else f"line {line}"
    raise SuiteMistake(place, format_key(path), what, "Keep the one that is meant.")


def repeated_keys(data: bytes) -> Sequence[tuple[KeyPath, int, int]]:
    """Path, line and column of each key of a JSON value that repeats one before it; none where it
    is no JSON."""
    try:
        is_repeated = has_repeated_keys(data.decode())
    except (ValueError, IndexError, RecursionError):
        return ()
    if not is_repeated:
        return ()
    from evaltui.json_text.tree import JsonTree

    return [*JsonTree(data).duplicate_keys()]


def refuse_repeated_in_cases(data: bytes, cases: Iterable[msgspec.Raw], file: str) -> None:
    """For the text of an object with `cases`, of which one at a time is looked at: all of them at
    once would take several times as much memory as the text. Raises as `refuse_repeated_keys`."""
    members = decode_exactly(dict[str, msgspec.Raw], data)
    others = (value for key, value in members.items() if key != "cases")
    is_sure = _is_each_once(data, members) and not any(map(_may_repeat, (*others, *cases)))
    if not is_sure:
        refuse_repeated_keys(data, file)


def _may_repeat(text: msgspec.Raw) -> bool:
    try:
        return has_repeated_keys(bytes(text).decode())
    except (ValueError, IndexError, RecursionError):
        return True


def _is_each_once(data: bytes, members: dict[str, msgspec.Raw]) -> bool:
    """Whether the object says nothing but these members, each once.

    Of equal keys the last one is a member: the value behind the first is another one, or is
    followed by a key that was there already.
    """
    left = dict(members)
    view = memoryview(data)
    at = data.index(b"{") + 1
    while (found := _KEY.match(data, _end_of(_BETWEEN, data, at))) is not None:
        value = left.pop(json.loads(found[1]), None)
        if value is None:
            return False
        text = memoryview(value)
        for start in range(0, len(text), _CHUNK):
            piece = bytes(text[start : start + _CHUNK])
            if view[found.end() + start :][: len(piece)].tobytes() != piece:
                return False
        at = found.end() + len(text)
    return not left and data[_end_of(_BETWEEN, data, at) :].strip() == b"}"


def _end_of(pattern: re.Pattern[bytes], data: bytes, at: int) -> int:
    found = pattern.match(data, at)
    return found.end() if found else at
