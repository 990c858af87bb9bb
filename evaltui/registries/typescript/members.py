"""Properties of known values: objects, enums, namespaces, lists, schemas, classes."""

from typing import TYPE_CHECKING

from evaltui.registries.typescript.values import (
    UNDEFINED,
    Arr,
    Call,
    Class,
    External,
    Namespace,
    Obj,
    Pattern,
    Schema,
    Unknown,
    Value,
    as_text,
)
from evaltui.registries.typescript.zod_objects import schema_member

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.evaluation import Evaluator
    from evaltui.registries.typescript.scope import Scope


def member_of(
    value: Value, key: str | int, node: "Node", scope: "Scope", evaluator: "Evaluator"
) -> Value:
    """`value[key]`, unknown for what only running tells."""
    match value, key:
        case Obj(), _:
            name = str(key)
            found = value.get(name)
            if found is not None or name not in value.entries:
                return UNDEFINED if found is None and value.hole is None else found
            return value.entries[name].value
        case Arr(), "length" if value.hole is None:
            return len(value.items)
        case Arr(), int() if value.hole is None and key >= 0:
            return value.items[key].value if key < len(value.items) else UNDEFINED
        case Pattern(), "source":
            return value.source
        case str(), "length":
            return len(value.encode("utf-16-le", "surrogatepass")) // 2
        case Namespace(), str():
            from evaltui.registries.typescript.names import exported

            slot = exported(key, value.module, evaluator)
            return slot.value if slot is not None else evaluator.unknown(node, scope)
        case External(module="", path="this"), str():
            from evaltui.registries.typescript.classes import own_field

            own = own_field(key, node, scope, evaluator)
            return own if own is not None else value.member(key)
        case External(), str():
            is_whole = key == "default" or (key == "z" and value.is_zod)
            is_whole = is_whole and bool(value.module) and not value.path
            return value if is_whole else value.member(key)
        case Schema(), str():
            found = schema_member(value, key, node, scope)
            return found if found is not None else evaluator.unknown(node, scope)
        case ((Class() | Call(is_new=True)), str()):
            from evaltui.registries.typescript.classes import class_field

            class_ = value if isinstance(value, Class) else value.callee
            slot = class_field(class_, key, evaluator) if isinstance(class_, Class) else None
            return slot.value if slot is not None else evaluator.unknown(node, scope)
        case Unknown(), _ if value.file == scope.module.shown:
            # `bank.name` says more than `bank`.
            whole = evaluator.unknown(node, scope)
            return whole if whole.expression.startswith(value.expression) else value
        case _:
            return evaluator.blame(value, node, scope)


def item_at(evaluator: "Evaluator", node: "Node", scope: "Scope") -> Value:
    """`value[index]`."""
    target, index_node = node.child_by_field_name("object"), node.child_by_field_name("index")
    if target is None or index_node is None:
        return evaluator.unknown(node, scope)
    value, index = evaluator.evaluate(target, scope), evaluator.evaluate(index_node, scope)
    if isinstance(index, int) and not isinstance(index, bool):
        return member_of(value, index, node, scope, evaluator)
    text = as_text(index)
    if text is None:
        return evaluator.blame(index, index_node, scope)
    return member_of(value, text, node, scope, evaluator)
