"""Where each entry of a list of tools begins in JSON text, also when the text is broken."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node


def entry_lines(text: str, path: Sequence[str]) -> list[int]:
    """1-based line of each entry of the list, or member of the object, found at `path`.

    `path` holds object keys from the top. Empty when nothing is there.
    """
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
