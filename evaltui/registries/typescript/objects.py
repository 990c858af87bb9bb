"""Object and array literals, spreads applied."""

from typing import TYPE_CHECKING

from evaltui.registries.typescript.functions import returned
from evaltui.registries.typescript.module import string_value
from evaltui.registries.typescript.values import (
    MAX_ITEMS,
    UNDEFINED,
    Arr,
    Function,
    Namespace,
    Obj,
    Slot,
    Unknown,
    Value,
    as_text,
)

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.evaluation import Evaluator
    from evaltui.registries.typescript.scope import Scope


def object_literal(evaluator: "Evaluator", node: "Node", scope: "Scope") -> Value:
    module = scope.module
    if module.is_broken and node.has_error:
        return evaluator.unknown(node, scope)
    value, deps = evaluator.watched(module, lambda: _entries(evaluator, node, scope))
    if not isinstance(value, Obj):
        return value
    return Obj(value.entries, module, node, value.hole, value.shadowed, deps)


def _entries(evaluator: "Evaluator", node: "Node", scope: "Scope") -> Value:
    module = scope.module
    entries: dict[str, Slot] = {}
    hole: Unknown | None = None
    shadowed: set[str] = set()
    for child in node.named_children:
        if child.type == "comment":
            continue
        if child.type == "spread_element":
            spread = evaluator.evaluate(child.named_children[-1], scope)
            if isinstance(spread, Namespace):
                spread = namespace_object(spread, evaluator, node)
            if isinstance(spread, Obj):
                entries |= spread.entries
                shadowed = (shadowed - set(spread.entries)) | spread.shadowed
                if spread.hole is not None:
                    hole = hole or spread.hole
                    shadowed |= set(entries)
            elif spread not in (None, False, UNDEFINED, ""):
                hole = hole or evaluator.blame(spread, child, scope)
                shadowed |= set(entries)
            continue
        key, slot = _entry(evaluator, child, scope)
        if slot is None:
            hole = hole or evaluator.unknown(child, scope)
            shadowed |= set(entries)
            continue
        entries.pop(key, None)
        entries[key] = slot
        shadowed.discard(key)
    return Obj(entries, module, node, hole, frozenset(shadowed))


def _entry(evaluator: "Evaluator", child: "Node", scope: "Scope") -> tuple[str, Slot | None]:
    """Key and value; no slot when the key is not known."""
    module = scope.module
    if child.type == "shorthand_property_identifier":
        return module.text(child), Slot(evaluator.evaluate(child, scope), module, child)
    is_method = child.type == "method_definition"
    key_node = child.child_by_field_name("name" if is_method else "key")
    if key_node is None:
        return "", None
    if key_node.type == "computed_property_name":
        inner = key_node.named_children
        key = as_text(evaluator.evaluate(inner[0], scope)) if inner else None
        if key is None:
            return "", None
    else:
        key = string_value(key_node, module)
    if is_method:
        function = Function(child, scope)
        is_getter = any(part.type == "get" for part in child.children)
        value = returned(function, evaluator) if is_getter else function
        return key, Slot(value, module, child)
    value_node = child.child_by_field_name("value")
    if value_node is None:
        return "", None
    return key, Slot(evaluator.evaluate(value_node, scope), module, value_node)


def array(evaluator: "Evaluator", node: "Node", scope: "Scope") -> Arr:
    """The items of an array literal, or the arguments of a call."""
    items: list[Slot] = []
    hole: Unknown | None = None
    for child in node.named_children:
        if child.type == "comment":
            continue
        if child.type != "spread_element":
            items.append(Slot(evaluator.evaluate(child, scope), scope.module, child))
            continue
        inner = evaluator.evaluate(child.named_children[-1], scope)
        if isinstance(inner, Arr):
            hole = hole or inner.hole
            if len(items) + len(inner.items) > MAX_ITEMS:
                hole = hole or evaluator.unknown(child, scope)
            else:
                items += inner.items
        else:
            hole = hole or evaluator.blame(inner, child, scope)
    return Arr(tuple(items), hole)


def namespace_object(namespace: Namespace, evaluator: "Evaluator", node: "Node") -> Obj:
    """All exports of a module as an object."""
    from evaltui.registries.typescript.names import export_names, exported

    module = namespace.module
    entries = {
        name: slot
        for name in export_names(module, evaluator)
        if (slot := exported(name, module, evaluator)) is not None
    }
    return Obj(entries, module, module.root or node, deps=(module.shown,))
