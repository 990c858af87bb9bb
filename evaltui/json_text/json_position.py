"""Where a key stands in a JSON file: asked only when there is something to say about it."""

from collections.abc import Iterator
from math import isinf
from typing import TYPE_CHECKING

from evaltui.core.key_path import KeyPath, parse_key

if TYPE_CHECKING:
    from tree_sitter import Node


class JsonPositions:
    """The syntax tree of one file; made once, asked as often as there are complaints."""

    def __init__(self, content: bytes) -> None:
        # Imported late: most runs have nothing to complain about.
        import tree_sitter_json
        from tree_sitter import Language, Parser

        parser = Parser(Language(tree_sitter_json.language()))
        self._content = content
        self._lines = content.split(b"\n")
        self._tree = parser.parse(content)
        self._children: dict[int, list[Node]] = {}

    def locate(self, path: KeyPath) -> tuple[int, int]:
        """1-based line and column (in characters) of the key, or of its nearest outer key."""
        node = self._root()
        place = node
        for part in path:
            step = self._step(node, part) if node is not None else None
            if step is None:
                break
            place, node = step
        return self._place(place)

    def duplicate_keys(self) -> Iterator[tuple[KeyPath, int, int]]:
        """Path, line and column of every key that repeats an earlier one of its object."""
        root = self._root()
        todo: list[tuple[KeyPath, Node]] = [] if root is None else [((), root)]
        while todo:
            path, node = todo.pop()
            if node.type == "array":
                items = self._named(node)
                todo += reversed([((*path, i), item) for i, item in enumerate(items)])
                continue
            seen: set[str] = set()
            inner: list[tuple[KeyPath, Node]] = []
            for key, key_node, value in self._pairs(node):
                if key in seen:
                    yield (*path, key), *self._place(key_node)
                seen.add(key)
                if value is not None:
                    inner.append(((*path, key), value))
            todo += reversed(inner)

    def infinite_number(self) -> tuple[int, int]:
        """Line and column of the first number beyond a double's range; 1, 1 if there is none."""
        root = self._root()
        todo = [] if root is None else [root]
        while todo:
            node = todo.pop()
            if node.type == "number" and isinf(float(node.text or b"0")):
                return self._place(node)
            todo += reversed(node.named_children)
        return 1, 1

    def _root(self) -> "Node | None":
        return next(iter(self._named(self._tree.root_node)), None)

    def _step(self, node: "Node", part: str | int) -> "tuple[Node, Node | None] | None":
        if isinstance(part, int):
            items = self._named(node) if node.type == "array" else []
            return (items[part], items[part]) if part < len(items) else None
        found = None
        for key, key_node, value in self._pairs(node):
            if key == part:
                found = key_node, value  # the last one of equal keys is the one in force
        return found

    def _pairs(self, node: "Node") -> "Iterator[tuple[str, Node, Node | None]]":
        if node.type != "object":
            return
        for pair in self._named(node):
            key = pair.child_by_field_name("key")
            if pair.type == "pair" and key is not None:
                yield _text(key), key, pair.child_by_field_name("value")

    def _named(self, node: "Node") -> "list[Node]":
        children = self._children.get(node.id)
        if children is None:
            children = [child for child in node.named_children if child.type != "comment"]
            self._children[node.id] = children
        return children

    def _place(self, node: "Node | None") -> tuple[int, int]:
        if node is None:
            return 1, 1
        row, column = node.start_point
        before = self._lines[row][:column]
        return row + 1, len(before.decode("utf-8", "replace")) + 1


def locate(content: bytes, key_path: KeyPath | str) -> tuple[int, int]:
    """1-based line and column of a key in JSON text; of its nearest outer key when it is absent.

    Text that is no JSON gives a place in it as well, though hardly a useful one.
    """
    path = parse_key(key_path) if isinstance(key_path, str) else key_path
    return JsonPositions(content).locate(path)


def _text(key: "Node") -> str:
    raw = key.text or b""
    if b"\\" not in raw:
        return raw[1:-1].decode("utf-8", "replace")
    from pydantic_core import from_json

    try:
        return str(from_json(raw))
    except ValueError:
        return raw.decode("utf-8", "replace").strip('"')
