"""What is known of an expression's value without running it."""

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.json_value import JsonObject

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.module import Module
    from evaltui.registries.typescript.scope import Scope


class Nothing(Enum):
    UNDEFINED = "undefined"


UNDEFINED = Nothing.UNDEFINED


class Unknown(Struct, frozen=True):
    """A value that only running the code would tell; the expression in the way and its place."""

    expression: str
    file: str
    line: int


class Slot(NamedTuple):
    """A value and where it is written."""

    value: "Value"
    module: "Module"
    node: "Node"
    key: str = ""
    """Key in the map that it was listed from."""

    @property
    def line(self) -> int:
        return self.node.start_point[0] + 1


class Obj(Struct, frozen=True, eq=False):
    """An object literal, spreads applied."""

    entries: Mapping[str, Slot]
    module: "Module"
    node: "Node"
    hole: Unknown | None = None
    """An unknown spread: it may hold any key, and replace those in `shadowed`."""
    shadowed: frozenset[str] = frozenset()
    deps: tuple[str, ...] = ()
    """Files that took part."""

    def get(self, key: str) -> "Value | None":
        """The value at `key`, `Unknown` when a spread may have set it, `None` when not there."""
        slot = self.entries.get(key)
        if self.hole is not None and (slot is None or key in self.shadowed):
            return self.hole
        return None if slot is None or slot.value is UNDEFINED else slot.value


class Arr(Struct, frozen=True, eq=False):
    items: tuple[Slot, ...]
    hole: Unknown | None = None
    """A part of the list that is not known."""


class Schema(Struct, frozen=True):
    """A zod schema."""

    json: JsonObject
    optional: bool = False
    shape: "Mapping[str, Schema] | None" = None
    """Fields of an object schema."""
    inner: "Schema | None" = None
    """What an array, optional or nullable wraps."""
    hole: Unknown | None = None
    """The first part of it that is not known."""


class Function(Struct, frozen=True, eq=False):
    node: "Node"
    scope: "Scope"


class Class(Struct, frozen=True, eq=False):
    node: "Node"
    scope: "Scope"


class Call(Struct, frozen=True, eq=False):
    """A call or construction whose result is not known, with its arguments."""

    callee: "Value"
    name: str
    """Last part of what is called: `tool` in `ai.tool(…)`."""
    args: tuple[Slot, ...]
    module: "Module"
    node: "Node"
    is_new: bool = False
    deps: tuple[str, ...] = ()


class Namespace(Struct, frozen=True, eq=False):
    """All exports of a module."""

    module: "Module"


class External(Struct, frozen=True):
    """Something of a package or of the language: `module` empty for a global."""

    module: str
    path: str
    version: int = 0
    """Major version of the package, where that matters and is known."""

    def member(self, name: str) -> "External":
        return replace(self, path=f"{self.path}.{name}".lstrip("."))

    @property
    def is_zod(self) -> bool:
        return self.module == "zod"


class Pattern(Struct, frozen=True):
    """A regular expression literal, without its slashes."""

    source: str
    flags: str = ""


Value: TypeAlias = (
    str | int | float | bool | Nothing | Unknown | Obj | Arr | Schema | Function | Class | Call
    | Namespace | External | Pattern | None
)  # fmt: skip


MAX_TEXT = 1_000_000
"""Characters a text may grow to."""
MAX_ITEMS = 20_000
"""Items a list may grow to."""


def is_primitive(value: object) -> bool:
    return value is None or value is UNDEFINED or isinstance(value, str | int | float)


def size_of(value: Value) -> int:
    """Steps that a value counts for beside the one that made it: large ones take their time."""
    match value:
        case str():
            return len(value) // 2_000
        case Arr():
            return len(value.items) // 20
        case Obj():
            return len(value.entries) // 20
    return 0


def as_text(value: Value) -> str | None:
    """What JavaScript's `String(value)` gives for a known primitive or list of them."""
    return _as_text(value, [MAX_ITEMS])


def _as_text(value: Value, left: list[int]) -> str | None:
    """`None` also for a list with more than `left` items, those of its lists included."""
    match value:
        case str():
            return value
        case None:
            return "null"
        case Nothing():
            return "undefined"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return str(int(value)) if value.is_integer() and abs(value) < 1e21 else repr(value)
        case Arr(hole=None):
            left[0] -= len(value.items)
            if left[0] < 0:
                return None
            parts = [
                "" if item.value is None or item.value is UNDEFINED else _as_text(item.value, left)
                for item in value.items
            ]
            if None in parts or sum(len(part or "") + 1 for part in parts) > MAX_TEXT:
                return None
            return ",".join(part or "" for part in parts)
        case _:
            return None
