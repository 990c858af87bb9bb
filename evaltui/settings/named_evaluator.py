"""Adds an entry to `evaluators` in settings, which otherwise stay as they are."""

import json
import re
from collections.abc import Iterator
from typing import Any

from evaltui.core.errors import UserError

_LIST = re.compile(r"^[ \t]*evaluators[ \t]*=", re.MULTILINE)
_TABLES = re.compile(r"^[ \t]*\[\[[ \t]*(tool\.evaltui\.)?evaluators[ \t]*\]\]", re.MULTILINE)
_TABLE = re.compile(r"^[ \t]*(\[|#[ \t]*\[[\w.\"-]+\][ \t]*$)", re.MULTILINE)
"""One in a comment too: whoever takes the `#` away does not want what stands behind it in there."""


def with_evaluator_in_json(content: bytes, entry: str) -> bytes | None:
    """As `with_evaluator`, of settings in JSON."""
    from evaltui.json_text.edit import read_value, replace_value

    try:
        before = read_value(content)
        listed = before.get("evaluators", []) if isinstance(before, dict) else None
        if not isinstance(listed, list):
            return None
        if entry in listed or {"path": entry} in listed:
            return content
        return replace_value(content, ("evaluators",), [*listed, entry])
    except UserError:
        return None


def with_evaluator(text: str, entry: str) -> str | None:
    """The settings in TOML that name it too; `None` where only a person can write that: the text
    has a mistake, or its list has commands in it."""
    before = _read(text)
    listed = [] if before is None else before.get("evaluators", [])
    if before is None or not isinstance(listed, list):
        return None
    if entry in listed or {"path": entry} in listed:
        return text
    if has_tables(text):
        new_text = f"{text.rstrip()}\n\n{as_table(entry)}\n"
        return (
            new_text
            if _read(new_text) == {**before, "evaluators": [*listed, {"path": entry}]}
            else None
        )
    wanted = {**before, "evaluators": [*listed, entry]}
    places = _appended if "evaluators" in before else _added
    return next((one for one in places(text, json.dumps(entry)) if _read(one) == wanted), None)


def has_tables(text: str) -> bool:
    """Whether its entries are tables: TOML allows no list beside them."""
    return _TABLES.search(text) is not None


def as_table(entry: str, within: str = "") -> str:
    """As it is written beside other tables; `within`: e.g. `tool.evaltui.`."""
    return f"[[{within}evaluators]]\npath = {json.dumps(entry)}"


def _added(text: str, quoted: str) -> Iterator[str]:
    """Behind the keys before the first table, else at the top."""
    line = f"evaluators = [{quoted}]\n"
    table = _TABLE.search(text)
    if table is None:
        yield f"{text}{'' if not text or text.endswith(chr(10)) else chr(10)}{line}"
    else:
        yield f"{text[: table.start()]}{line}\n{text[table.start() :]}"
    yield f"{line}{text}"


def _appended(text: str, quoted: str) -> Iterator[str]:
    """Before each `]`: only one of them ends the list."""
    start = _LIST.search(text)
    for end in re.finditer(r"\]", text) if start is not None else ():
        head = text[: end.start()].rstrip()
        space = text[len(head) : end.start()]
        comma = "" if head.endswith(("[", ",")) else ","
        if "\n" not in space:
            gap = "" if head.endswith("[") else " "
            yield f"{head}{comma}{gap}{quoted}{space}{text[end.start() :]}"
            continue
        last = head[head.rfind("\n") + 1 :]
        indent = last[: len(last) - len(last.lstrip())] if last.lstrip()[:1] in "\"'" else "  "
        trailing = "," if head.endswith(",") else ""
        yield f"{head}{comma}\n{indent}{quoted}{trailing}{space}{text[end.start() :]}"


def _read(text: str) -> dict[str, Any] | None:
    import tomli

    try:
        return tomli.loads(text)
    except (tomli.TOMLDecodeError, RecursionError, ValueError):
        return None
