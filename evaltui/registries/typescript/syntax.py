"""TypeScript and JavaScript text as a syntax tree, and where it does not parse."""

import re
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
    node = _first_error(root, data)
    place = node.start_byte
    if node.is_missing:
        what, hint = f"`{node.type}` is missing", "Add it."
    elif doubled := _DOUBLED.match(data, place):
        place = doubled.start(1)
        what, hint = "unexpected `{`", "A name belongs there; take one of the two `{` away."
    else:
        text = data[place : node.end_byte].decode("utf-8", "replace")
        shown = " ".join(text.split())[:40]
        what = f"does not parse from `{shown}` on"
        hint = "Look for an unclosed bracket, quote or comma."
    if file.endswith(_JAVASCRIPT):
        hint += _MAY_BE_VALID
    row = data.count(b"\n", 0, place)
    before = data[data.rfind(b"\n", 0, place) + 1 : place].decode("utf-8", "replace")
    return Problem(file, what, hint, row + 1, len(before) + 1, code="script-syntax")


_JAVASCRIPT = (".js", ".mjs", ".cjs", ".jsx")
_MAY_BE_VALID = (
    " If it runs anyway, it is JavaScript that the grammar of TypeScript does not know:"
    ' have the running server list its tools: `[[registries]]` with `type = "mcp"`.'
)
_DOUBLED = re.compile(rb"\{\s*(\{)")
_SURELY_MISSING = frozenset("()[]{},;:`'\"")
"""Any other token is the parser's guess at what would make sense of the rest."""


def _first_error(node: "Node", data: bytes) -> "Node":
    """The innermost; where the parser is lost already, only what it could make nothing of."""
    is_lost = False
    while True:
        is_lost = is_lost or node.is_error
        if node.is_error and _DOUBLED.match(data, node.start_byte):
            return node
        first = _error_below(node) if is_lost else _wrong_child(node)
        if first is None:
            return node
        node = first


def _wrong_child(node: "Node") -> "Node | None":
    for child in node.children:
        if child.type in _SURELY_MISSING if child.is_missing else child.has_error or child.is_error:
            return child
    return None


def _error_below(node: "Node") -> "Node | None":
    left = node.children[::-1]
    while left:
        child = left.pop()
        if child.is_error:
            return child
        if child.has_error:
            left += child.children[::-1]
    return None


def called(call: "Node") -> "Node | None":
    """What a call calls: `a.b` also in `(0, a.b)(…)`, as compilers write it."""
    function = call.child_by_field_name("function")
    while function is not None and function.type in _AROUND:
        function = function.named_children[-1] if function.named_children else None
    return function


_AROUND = ("parenthesized_expression", "sequence_expression")
