"""Where a key stands in a TOML file."""

from evaltui.core.key_path import KeyPath

_MOST_LINES = 2_000


def locate_toml(text: str, path: KeyPath) -> tuple[int, int]:
    """1-based line and column of the statement that sets the key, or its nearest outer one.

    Found by reading the file with more and more of its lines until the key is there: slow and
    sure, whatever way the key is written (dotted, in a table, inline). Only for complaints.
    """
    lines = text.split("\n")
    if len(lines) > _MOST_LINES:
        return 1, 1
    for depth in range(len(path), 0, -1):
        place = _first_with(lines, path[:depth])
        if place is not None:
            return place
    return 1, 1


def _first_with(lines: list[str], path: KeyPath) -> tuple[int, int] | None:
    import tomli

    start = 0
    for end in range(1, len(lines) + 1):
        try:
            table = tomli.loads("\n".join(lines[:end]))
        except (tomli.TOMLDecodeError, RecursionError, ValueError):
            continue  # inside a value of several lines
        if _has(table, path):
            row = next((i for i in range(start, end) if _is_statement(lines[i])), start)
            return row + 1, _column(lines[row], path)
        start = end
    return None


def _has(value: object, path: KeyPath) -> bool:
    for part in path:
        if isinstance(part, int):
            if not isinstance(value, list) or part >= len(value):
                return False
            value = value[part]
        elif isinstance(value, dict) and part in value:
            value = value[part]
        else:
            return False
    return True


def _is_statement(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _column(line: str, path: KeyPath) -> int:
    name = next((part for part in reversed(path) if isinstance(part, str)), "")
    found = line.find(name) if name else -1
    return 1 + (found if found >= 0 else len(line) - len(line.lstrip()))
