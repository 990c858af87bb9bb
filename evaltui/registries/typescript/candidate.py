"""A tool as it is written somewhere in the code, or what stands there and cannot be read."""

import re
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from evaltui.registries.typescript.module import Module
from evaltui.registries.typescript.plain import unknown_of
from evaltui.registries.typescript.values import Call, External, Obj, Slot, Unknown, Value

if TYPE_CHECKING:
    from tree_sitter import Node

SERVER = re.compile(r"server|mcp|app\b", re.IGNORECASE)
"""In the name of what tools are registered on."""


class Place(NamedTuple):
    module: Module
    node: "Node"


class Candidate(Struct, frozen=True):
    """A definition as written, not checked yet."""

    config: Obj
    module: Module
    node: "Node"
    key: str = ""
    """The key of the map it stands in, or its exported name: its name when it says none."""
    in_map: bool = False
    in_loop: bool = False
    """Registered in a loop or a function, which has the last word on what else says of it."""
    call: Place | None = None
    """What registers it."""


class Opaque(Struct, frozen=True):
    """Something in a list of tools that cannot be read."""

    unknown: Unknown
    in_group: bool = False
    """In a group of tools, where only tools stand, wherever the group itself does."""


def is_certain(found: Candidate | Opaque) -> bool:
    """Whether it counts also where other things than tools may stand."""
    return isinstance(found, Candidate) or found.in_group


def proxied(value: Value) -> Opaque | None:
    """What may change the tools behind a `new Proxy(…)`; `None` for other values."""
    if not isinstance(value, Call) or not value.is_new or value.callee != External("", "Proxy"):
        return None
    return Opaque(unknown_of(Slot(value, value.module, value.node)), in_group=True)
