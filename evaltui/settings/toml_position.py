"""Where a key stands in a TOML file."""

from collections.abc import Iterator
from typing import Any

from evaltui.core.key_path import KeyPath


class TomlPlaces:
    """The place of every key of one valid text, from one statement after the other.

    Keys may be dotted, in tables, in arrays of tables or inline.
    """

    def __init__(self, text: str) -> None:
        self._places: dict[KeyPath, tuple[int, int]] = {}
        lengths: dict[KeyPath, int] = {}  # of the arrays of tables so far
        table: KeyPath = ()
        for row, lines, value in _statements(text.replace("\r\n", "\n").split("\n")):
            items: list[int] = []
            if lines[0].lstrip().startswith("["):
                table = _open(value, lengths)
                found: Iterator[KeyPath] = (table[:depth] for depth in range(1, len(table) + 1))
            else:
                found = _paths(value, table)
                items = _item_rows(lines) if len(lines) > 1 else []
            for path in found:
                index = next((part for part in path[len(table) :] if isinstance(part, int)), None)
                below = items[index] if index is not None and index < len(items) else 0
                self._places.setdefault(path, (row + below + 1, _column(lines[below], path)))

    def locate(self, path: KeyPath) -> tuple[int, int]:
        """1-based line and column of the statement that sets the key, or its nearest outer one.

        Of an item of an array that goes over several lines it is the line of the item.
        """
        found = (self._places.get(path[:depth]) for depth in range(len(path), 0, -1))
        return next((place for place in found if place is not None), (1, 1))


def _statements(lines: list[str]) -> Iterator[tuple[int, list[str], dict[str, Any]]]:
    """0-based row, lines and value of each; a statement may have several lines."""
    start = 0
    for end in range(1, len(lines) + 1):
        value = _read(lines[start:end])
        if value is None:
            continue  # inside a value of several lines
        if value:
            yield start, lines[start:end], value
        start = end


def _read(lines: list[str]) -> dict[str, Any] | None:
    import tomli

    try:
        return tomli.loads("\n".join(lines))
    except (tomli.TOMLDecodeError, RecursionError, ValueError):
        return None


def _item_rows(lines: list[str]) -> list[int]:
    """0-based rows within the statement at which the items of its array begin; empty for none."""
    rows: list[int] = []
    begin = 0
    for end in range(1, len(lines) + 1):
        value: Any = _read([*lines[:end], "]"] if end < len(lines) else lines)
        if value is None:
            continue  # inside an item of several lines
        while isinstance(value, dict) and len(value) == 1:
            (value,) = value.values()
        if not isinstance(value, list):
            return []
        rows += [begin] * (len(value) - len(rows))
        begin = end
    return rows


def _open(header: dict[str, Any], lengths: dict[KeyPath, int]) -> KeyPath:
    """The path of the table that `[a.b]` or `[[a.b]]` opens, with indices of arrays of tables."""
    path: KeyPath = ()
    value: Any = header
    while isinstance(value, dict) and value:
        ((key, value),) = value.items()
        path = (*path, key)
        if isinstance(value, list):
            lengths[path] = lengths.get(path, 0) + 1
        if path in lengths:
            path = (*path, lengths[path] - 1)
    return path


def _paths(value: Any, path: KeyPath) -> Iterator[KeyPath]:
    inner: Any = ()
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)
    for key, item in inner:
        yield (*path, key)
        yield from _paths(item, (*path, key))


def _column(line: str, path: KeyPath) -> int:
    name = next((part for part in reversed(path) if isinstance(part, str)), "")
    found = line.find(name) if name else -1
    return 1 + (found if found >= 0 else len(line) - len(line.lstrip()))
