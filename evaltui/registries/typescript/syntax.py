"""TypeScript and JavaScript text as a syntax tree, and where it does not parse."""

from functools import cache
from typing import TYPE_CHECKING

from evaltui.core.errors import Problem

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Tree

PLAIN_TYPESCRIPT = (".ts", ".mts", ".cts")


def parse_script(data: bytes, name: str) -> "Tree":
    """The tree of a file; JavaScript is read with the TSX grammar, which contains it."""
    from tree_sitter import Parser

    return Parser(_language(name.endswith(PLAIN_TYPESCRIPT))).parse(data)


@cache
def _language(plain: bool) -> "Language":
    import tree_sitter_typescript
    from tree_sitter import Language

    grammar = tree_sitter_typescript
    return Language(grammar.language_typescript() if plain else grammar.language_tsx())


def syntax_problem(root: "Node", data: bytes, file: str) -> Problem | None:
    """The first place that does not parse, `None` when all of it does."""
    if not root.has_error:
        return None
    node = _first_error(root)
    row, column = node.start_point
    line_start = data.rfind(b"\n", 0, node.start_byte) + 1
    before = data[line_start : line_start + column].decode("utf-8", "replace")
    if node.is_missing:
        what, hint = f"`{node.type}` is missing", "Add it."
    else:
        text = data[node.start_byte : node.end_byte].decode("utf-8", "replace")
        shown = " ".join(text.split())[:40]
        what = f"does not parse from `{shown}` on"
        hint = "Look for an unclosed bracket, quote or comma."
    return Problem(file, what, hint, row + 1, len(before) + 1, code="script-syntax")


def _first_error(node: "Node") -> "Node":
    while True:
        broken = next((child for child in node.children if child.has_error or child.is_error), None)
        missing = next((child for child in node.children if child.is_missing), None)
        first = min(
            (child for child in (broken, missing) if child is not None),
            key=lambda child: child.start_byte,
            default=None,
        )
        if first is None:
            return node
        node = first
