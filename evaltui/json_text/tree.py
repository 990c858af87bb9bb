"""The syntax tree of a JSON text, also of a broken one: the only place that knows tree-sitter."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from evaltui.core.key_path import KeyPath

if TYPE_CHECKING:
    from tree_sitter import Node


class Member(NamedTuple):
    """One key of an object; `value` is `None` where the text breaks off."""

    key: str
    key_node: "Node"
    value: "Node | None"


class JsonTree:
    """The tree of one text (bytes without a byte order mark); made only when it is asked."""

    def __init__(self, content: bytes) -> None:
        # Imported late: most runs have nothing to complain about.
        import tree_sitter_json
        from tree_sitter import Language, Parser

        self._content = content
        # The grammar knows no `+` in an exponent. Of the parsed text only places are taken, and in
        # a string either sign stands for itself.
        known = content.replace(b"e+", b"e-").replace(b"E+", b"E-")
        self._tree = Parser(Language(tree_sitter_json.language())).parse(known)
        self._children: dict[int, list[Node]] = {}

    @property
    def root(self) -> "Node | None":
        """The outermost value; `None` in a text without one."""
        return next(iter(self.items(self._tree.root_node)), None)

    def items(self, node: "Node") -> "list[Node]":
        """What is inside a node: values of a list, pairs of an object; no comments."""
        children = self._children.get(node.id)
        if children is None:
            children = [child for child in node.named_children if child.type != "comment"]
            self._children[node.id] = children
        return children

    def members(self, node: "Node | None") -> Iterator[Member]:
        """Keys and values of an object in the order of the text; none of anything else."""
        if node is None or node.type != "object":
            return
        for pair in self.items(node):
            key = pair.child_by_field_name("key")
            if pair.type == "pair" and key is not None:
                yield Member(self._key(key), key, pair.child_by_field_name("value"))

    def step(self, node: "Node", part: str | int) -> "tuple[Node, Node | None] | None":
        """What names a part of a node, and its value; the last of equal keys is in force."""
        if isinstance(part, int):
            items = self.items(node) if node.type == "array" else []
            return (items[part], items[part]) if 0 <= part < len(items) else None
        found = None
        for member in self.members(node):
            if member.key == part:
                found = member.key_node, member.value
        return found

    def locate(self, path: KeyPath) -> tuple[int, int]:
        """1-based line and column (in characters) of the key, or of its nearest outer key."""
        node = self.root
        place = node
        for part in path:
            step = self.step(node, part) if node is not None else None
            if step is None:
                break
            place, node = step
        return self.place(place)

    def place(self, node: "Node | None") -> tuple[int, int]:
        """1-based line and column of a node, in characters; of the text without one."""
        if node is None:
            return 1, 1
        start = self._content.rfind(b"\n", 0, node.start_byte) + 1
        before = self._content[start : node.start_byte]
        return node.start_point[0] + 1, len(before.decode("utf-8", "replace")) + 1

    def duplicate_keys(self) -> Iterator[tuple[KeyPath, int, int]]:
        """Path, line and column of every key that repeats an earlier one of its object."""
        todo: list[tuple[KeyPath, Node]] = [] if self.root is None else [((), self.root)]
        while todo:
            path, node = todo.pop()
            if node.type == "array":
                todo += reversed([((*path, i), item) for i, item in enumerate(self.items(node))])
                continue
            seen: set[str] = set()
            inner: list[tuple[KeyPath, Node]] = []
            for key, key_node, value in self.members(node):
                if key in seen:
                    yield (*path, key), *self.place(key_node)
                seen.add(key)
                if value is not None:
                    inner.append(((*path, key), value))
            todo += reversed(inner)

    def _key(self, node: "Node") -> str:
        raw = self._content[node.start_byte : node.end_byte]
        if b"\\" not in raw:
            return raw[1:-1].decode("utf-8", "replace")
        from pydantic_core import from_json

        try:
            return str(from_json(raw))
        except ValueError:
            return raw.decode("utf-8", "replace").strip('"')
