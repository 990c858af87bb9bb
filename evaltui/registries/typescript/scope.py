"""Where a name is looked up: the module, and the functions and blocks around an expression."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.module import Module
    from evaltui.registries.typescript.values import Value

FUNCTION_NODES = frozenset((
    "arrow_function", "function_expression", "function_declaration", "method_definition",
    "generator_function", "generator_function_declaration",
))  # fmt: skip


class Enclosing(NamedTuple):
    node: "Node"
    """A function or a block."""
    bound: "Mapping[str, Value] | None" = None
    """Values of the function's parameters in this call, when known."""


class Scope(Struct, frozen=True, eq=False):
    module: "Module"
    around: tuple[Enclosing, ...] = ()
    """Outermost first; empty at the top of the module."""

    def inside(self, node: "Node", bound: "Mapping[str, Value] | None" = None) -> "Scope":
        return Scope(self.module, (*self.around, Enclosing(node, bound)))


def scope_of(node: "Node", module: "Module") -> Scope:
    """The scope in which `node` stands."""
    around: list[Enclosing] = []
    here = node.parent
    while here is not None:
        if here.type in FUNCTION_NODES or here.type == "statement_block":
            around.append(Enclosing(here))
        here = here.parent
    return Scope(module, tuple(reversed(around)))


def parameter_patterns(function: "Node") -> "list[tuple[Node, Node | None]]":
    """Pattern and default value of each parameter."""
    single = function.child_by_field_name("parameter")
    if single is not None:
        return [(single, None)]
    listed = function.child_by_field_name("parameters")
    found: list[tuple[Node, Node | None]] = []
    for parameter in listed.named_children if listed is not None else ():
        pattern = parameter.child_by_field_name("pattern")
        if pattern is not None:
            found.append((pattern, parameter.child_by_field_name("value")))
    return found
