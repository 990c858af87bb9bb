"""Keys that appear twice in one object: programs differ on which one counts, and people read the
first."""

from evaltui.core.key_path import format_key
from evaltui.json_text.entries import find_entries
from evaltui.traces.mistakes import SuiteMistake


def refuse_repeated_keys(data: bytes, file: str) -> None:
    """For the text of a JSON value. Raises SuiteMistake with line, column and path of the first."""
    try:
        found = find_entries(data.decode(), ())
    except RecursionError:
        raise SuiteMistake(file, "", "is nested too deeply", "Flatten it.") from None
    except (ValueError, IndexError):
        return  # whoever reads the value says what is wrong
    if not found.has_duplicate_keys:
        return
    from evaltui.json_text.tree import JsonTree

    path, line, column = next(JsonTree(data).duplicate_keys())
    what = f"`{path[-1]}` is written twice"
    place = f"{file}:{line}:{column}" if file else f"line {line}"
    raise SuiteMistake(place, format_key(path), what, "Keep the one that is meant.")
