"""Changing values in a JSON file so that only the lines concerned change."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from evaltui.core.errors import UserError
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.key_path import KeyPath, format_key
from evaltui.json_text.alignment import changed_stretches
from evaltui.json_text.strict_json import strict_json
from evaltui.json_text.style import style_of
from evaltui.json_text.tree import JsonTree

if TYPE_CHECKING:
    from tree_sitter import Node

_BOM = b"\xef\xbb\xbf"


def replace_value(content: bytes, key_path: KeyPath, value: Json) -> bytes:
    """The file with `value` at `key_path`; missing keys are added after the last of their object.

    Within lists and objects only the parts that differ are written. Layout, key order, line ends
    and byte order mark stay. Raises UserError when the path leads nowhere or the file is no JSON.
    """
    return _Document(content).set(key_path, value)


def append_case(content: bytes, case: JsonObject) -> bytes:
    """The file with `case` after its last one: in `cases` of an envelope, or in a bare array."""
    document = _Document(content)
    return document.append(("cases",) if document.root.type == "object" else (), case)


def append_item(content: bytes, key_path: KeyPath, item: JsonObject) -> bytes:
    """The file with `item` at the end of the list at `key_path`. Raises UserError without one."""
    return _Document(content).append(key_path, item)


def read_value(content: bytes) -> Any:
    """The plain value of a file, byte order mark or not. Raises UserError."""
    try:
        return strict_json(content.removeprefix(_BOM))
    except ValueError as error:
        raise UserError(
            f"The file is not valid JSON: {error}.", "Correct it first; then repeat this."
        ) from error


class _Document:
    """One file, and what is to be changed in it: (start, end, new text) in bytes."""

    def __init__(self, content: bytes) -> None:
        self._mark = _BOM if content.startswith(_BOM) else b""
        self._text = content.removeprefix(_BOM)
        read_value(content)  # what is no JSON is not edited
        self._tree = JsonTree(self._text)
        root = self._tree.root
        assert root is not None
        self.root = root
        self._style = style_of(self._text)
        self._edits: list[tuple[int, int, str]] = []

    def set(self, path: KeyPath, value: Json) -> bytes:
        node, depth = self.root, 0
        for part in path:
            inner = self._child(node, part)
            if inner is None:
                break
            node, depth = inner, depth + 1
        rest = path[depth:]
        if not rest:
            self._change(node, value)
            return self._result()
        if node.type != "object" or not all(isinstance(part, str) for part in rest):
            raise UserError(
                f"There is no `{format_key(path)}` in the file.", "Read the file again."
            )
        for part in reversed(rest[1:]):
            value = {str(part): value}
        self._insert(node, {str(rest[0]): value})
        return self._result()

    def append(self, path: KeyPath, value: Json) -> bytes:
        node: Node | None = self.root
        for part in path:
            node = self._child(node, part) if node is not None else None
        if node is None or node.type != "array":
            raise UserError(
                "The file has no list of cases.", "It holds `[…]`, or an object with `cases`."
            )
        items = node.named_children
        style = self._style
        if not items:
            margin = self._margin(node)
            text = style.block([value], margin) if style.is_multiline else style.inline([value])
            self._edits.append((node.start_byte, node.end_byte, text))
            return self._result()
        self._after(node, items[-1], self._item(items[-1], value))
        return self._result()

    def _result(self) -> bytes:
        text = self._text
        for start, end, new in sorted(self._edits, reverse=True):
            text = text[:start] + new.encode() + text[end:]
        return self._mark + text

    def _change(self, node: "Node", value: Json) -> None:
        old = read_value(self._slice(node))
        if _same(old, value):
            return
        if isinstance(old, dict) and isinstance(value, Mapping) and self._members(node, old, value):
            return
        if isinstance(old, list) and isinstance(value, list | tuple) and old and value:
            self._items(node, old, value)
            return
        style = self._style
        is_block = b"\n" in self._slice(node)
        text = style.block(value, self._margin(node)) if is_block else style.inline(value)
        self._edits.append((node.start_byte, node.end_byte, text))

    def _members(self, node: "Node", old: JsonObject, value: JsonObject) -> bool:
        """Change an object key by key; says so where that is possible."""
        gone = old.keys() - value.keys()
        added = {key: item for key, item in value.items() if key not in old}
        if gone and gone == old.keys():
            return False
        for key, item in value.items():
            inner = self._child(node, key)
            if inner is not None:
                self._change(inner, item)
        self._insert(node, added)
        self._cut(node, [member.key in gone for member in self._tree.members(node)])
        return True

    def _items(self, node: "Node", old: Sequence[Json], value: Sequence[Json]) -> None:
        """Change a list item by item, neither is empty; those that are the same stay."""
        items = node.named_children
        gone = [False] * len(old)
        for was, now in changed_stretches(old, value, _same):
            both = min(len(was), len(now))
            for at, to in zip(was[:both], now[:both], strict=True):
                self._change(items[at], value[to])
            for at in was[both:]:
                gone[at] = True
            last = was.start + both - 1
            for to in now[both:] if last >= 0 else ():
                self._after(node, items[last], self._item(items[last], value[to]))
            if now[both:] and last < 0:
                self._before(node, items[0], [self._item(items[0], value[to]) for to in now])
        self._cut(node, gone)

    def _item(self, like: "Node", value: Json) -> str:
        """A new item, laid out as another one is."""
        if b"\n" in self._slice(like):
            return self._style.block(value, self._margin(like))
        return self._style.inline(value)

    def _cut(self, node: "Node", gone: Sequence[bool]) -> None:
        """Take out the members that are gone, each with one comma; one at least stays."""
        members = node.named_children
        at = 0
        while at < len(members):
            end = at
            while end < len(members) and gone[end]:
                end += 1
            if end > at:
                first = members[at].start_byte if at == 0 else members[at - 1].end_byte
                last = members[end].start_byte if at == 0 else members[end - 1].end_byte
                self._edits.append((first, last, ""))
            at = end + 1

    def _insert(self, node: "Node", members: JsonObject) -> None:
        """Add keys to an object that has none of them."""
        if not members:
            return
        style = self._style
        pairs = node.named_children
        if not pairs:
            margin = self._margin(node)
            text = style.block(members, margin) if style.is_multiline else style.inline(members)
            self._edits.append((node.start_byte, node.end_byte, text))
            return
        is_block = b"\n" in self._slice(node)
        margin = self._margin(pairs[-1])
        for key, item in members.items():
            written = style.block(item, margin) if is_block else style.inline(item)
            self._after(node, pairs[-1], f"{style.scalar(key)}{style.colon}{written}")

    def _after(self, parent: "Node", last: "Node", text: str) -> None:
        """Put `text` behind the last member, on its own line where the parent has several."""
        between = self._between(parent, last)
        end = last.end_byte
        if self._edits and self._edits[-1][:2] == (end, end):
            start, _, before = self._edits.pop()
            self._edits.append((start, end, before + between + text))
            return
        self._edits.append((end, end, between + text))

    def _before(self, parent: "Node", first: "Node", texts: Sequence[str]) -> None:
        """Put `texts` in front of the first member."""
        between = self._between(parent, first)
        start = first.start_byte
        self._edits.append((start, start, "".join(text + between for text in texts)))

    def _between(self, parent: "Node", member: "Node") -> str:
        """What stands between two members; a line break where the parent has several lines."""
        if b"\n" in self._slice(parent):
            return f",{self._style.newline}{self._margin(member)}"
        return self._style.comma

    def _child(self, node: "Node", part: str | int) -> "Node | None":
        """The value of a key (the last of equal ones counts), or an item of a list."""
        step = self._tree.step(node, part)
        return None if step is None else step[1]

    def _slice(self, node: "Node") -> bytes:
        return self._text[node.start_byte : node.end_byte]

    def _margin(self, node: "Node") -> str:
        """The indentation of the line on which `node` begins."""
        start = self._text.rfind(b"\n", 0, node.start_byte) + 1
        line = self._text[start : node.start_byte]
        return line[: len(line) - len(line.lstrip(b" \t"))].decode()


def _same(left: object, right: object) -> bool:
    """Equal as JSON: `true` is not 1, and 1 is not 1.0."""
    if isinstance(left, dict) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(_same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(map(_same, left, right))
    return type(left) is type(right) and left == right
