"""Where each entry of a list of tools begins in JSON text, also when the text is broken."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node


def entry_lines(text: str, path: Sequence[str]) -> list[int]:
    """1-based line of each entry of the list, or member of the object, found at `path`.

    `path` holds object keys from the top. Empty when nothing is there.
    """
    try:
        return _lines_of_valid(text, path)
    except (ValueError, IndexError, RecursionError):
        return _lines_of_broken(text, path)


def _lines_of_valid(text: str, path: Sequence[str]) -> list[int]:
    """The same for strict JSON, without a parser that takes longer to load. Raises ValueError."""
    decode = json.JSONDecoder().raw_decode
    at = _after_blanks(text, 0)
    for key in path:
        found = [value for name, _, value in _members(text, at, decode) if name == key]
        at = found[-1]  # the last one counts, as for JSON readers
    starts = [start for _, start, _ in _members(text, at, decode)]
    lines: list[int] = []
    line, seen = 1, 0
    for start in starts:
        line += text.count("\n", seen, start)
        seen = start
        lines.append(line)
    return lines


def _members(
    text: str, at: int, decode: Callable[[str, int], tuple[object, int]]
) -> Iterator[tuple[object, int, int]]:
    """(key, start, start of the value) of each member of the object or list at `at`."""
    is_object = text[at] == "{"
    if not is_object and text[at] != "[":
        raise ValueError("neither an object nor a list")
    at = _after_blanks(text, at + 1)
    while text[at] not in "]}":
        start, key = at, None
        if is_object:
            key, at = decode(text, at)
            at = _after_blanks(text, at)
            if text[at] != ":":
                raise ValueError("no value")
            at = _after_blanks(text, at + 1)
        yield key, start, at
        at = _after_blanks(text, decode(text, at)[1])
        if text[at] == ",":
            at = _after_blanks(text, at + 1)


def _after_blanks(text: str, at: int) -> int:
    while text[at] in " \t\n\r":
        at += 1
    return at


def _lines_of_broken(text: str, path: Sequence[str]) -> list[int]:
    import tree_sitter_json
    from tree_sitter import Language, Parser

    data = text.encode("utf-8", "replace")
    tree = Parser(Language(tree_sitter_json.language())).parse(data)
    here = next(iter(tree.root_node.named_children), None)
    for key in path:
        here = _member(here, key)
    if here is None:
        return []
    return [
        child.start_point[0] + 1
        for child in here.named_children
        if child.type != "comment" and not child.is_error
    ]


def _member(node: "Node | None", key: str) -> "Node | None":
    found = None
    for pair in node.named_children if node is not None and node.type == "object" else ():
        name = pair.child_by_field_name("key")
        if name is not None and name.text is not None and name.text.decode() == f'"{key}"':
            found = pair.child_by_field_name("value")  # the last one counts, as for JSON readers
    return found
