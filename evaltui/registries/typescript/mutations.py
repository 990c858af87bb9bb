"""Objects and lists that statements at the top of their module change after making them."""

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from evaltui.registries.typescript.module import Module
from evaltui.registries.typescript.scope import Scope
from evaltui.registries.typescript.values import Arr, Obj, Slot, Unknown, Value

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.evaluation import Evaluator


def mutated(value: Value, name: str, module: Module, evaluator: "Evaluator") -> Value:
    """`value` after `x.key = …`, `x.push(…)` and the like, `x` being its name in the module.

    What is not understood makes a hole.
    """
    for change in module.mutations.get(name, ()):
        value = _changed(value, name, change, Scope(module), evaluator)
    return value


def _changed(
    value: Value, name: str, change: "Node", scope: Scope, evaluator: "Evaluator"
) -> Value:
    module = scope.module
    left, right = change.child_by_field_name("left"), change.child_by_field_name("right")
    written = left if left is not None else change.child_by_field_name("function")
    target, key = (
        (None, None)
        if written is None
        else (written.child_by_field_name(part) for part in ("object", "property"))
    )
    if target is None or key is None or module.text(target) != name:
        return _opened(value, evaluator.unknown(change, scope), _part(target, name, module))
    if right is not None and isinstance(value, Obj):
        slot = Slot(evaluator.evaluate(right, scope), module, right)
        return replace(value, entries={**value.entries, module.text(key): slot})
    arguments = change.child_by_field_name("arguments")
    if isinstance(value, Arr) and arguments is not None and module.text(key) == "push":
        added = evaluator.arguments(arguments, scope)
        if added.hole is None:
            return replace(value, items=value.items + added.items)
    return _opened(value, evaluator.unknown(change, scope))


def _part(target: "Node | None", name: str, module: Module) -> str:
    """The key of what is changed in an object called `name`; empty when that says nothing."""
    text = "" if target is None else module.text(target)
    key = re.match(r"[\w$]+", text.removeprefix(f"{name}."))
    return key[0] if key is not None and text.startswith(f"{name}.") else ""


def _opened(value: Value, hole: Unknown, key: str = "") -> Value:
    """`value` with a hole, or where it is known which, with one of its entries unknown."""
    match value:
        case Obj() if key in value.entries:
            slot = value.entries[key]._replace(value=hole)
            return replace(value, entries={**value.entries, key: slot})
        case Obj():
            return replace(value, hole=value.hole or hole, shadowed=frozenset(value.entries))
        case Arr():
            return replace(value, hole=value.hole or hole)
        case _:
            return value
