"""Objects and lists that statements at the top of their module change after making them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from evaltui.registries.typescript.module import Module
from evaltui.registries.typescript.scope import Scope
from evaltui.registries.typescript.values import Arr, Obj, Slot, Unknown, Value

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.evaluation import Evaluator


def mutated(
    value: Value, changes: Sequence["Node"], module: Module, evaluator: "Evaluator"
) -> Value:
    """`value` after `x.key = …`, `x.push(…)` and the like; what is not understood makes a hole."""
    for change in changes:
        value = _changed(value, change, Scope(module), evaluator)
    return value


def _changed(value: Value, change: "Node", scope: Scope, evaluator: "Evaluator") -> Value:
    module = scope.module
    left, right = change.child_by_field_name("left"), change.child_by_field_name("right")
    if left is not None and right is not None:
        key = left.child_by_field_name("property")
        target = left.child_by_field_name("object")
        direct = target is not None and target.type == "identifier"
        if isinstance(value, Obj) and key is not None and direct:
            slot = Slot(evaluator.evaluate(right, scope), module, right)
            return replace(value, entries={**value.entries, module.text(key): slot})
        return _opened(value, evaluator.unknown(change, scope))
    function = change.child_by_field_name("function")
    arguments = change.child_by_field_name("arguments")
    if isinstance(value, Arr) and function is not None and arguments is not None:
        added = evaluator.arguments(arguments, scope)
        if module.text(function).endswith(".push") and added.hole is None:
            return replace(value, items=value.items + added.items)
    return _opened(value, evaluator.unknown(change, scope))


def _opened(value: Value, hole: Unknown) -> Value:
    match value:
        case Obj():
            return replace(value, hole=value.hole or hole, shadowed=frozenset(value.entries))
        case Arr():
            return replace(value, hole=value.hole or hole)
        case _:
            return value
