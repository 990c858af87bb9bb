"""Fields of a class that are written down: static, instance, getters, constructor."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from evaltui.registries.typescript.functions import returned
from evaltui.registries.typescript.module import Module
from evaltui.registries.typescript.scope import Scope
from evaltui.registries.typescript.values import Class, Function, Obj, Schema, Slot

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.evaluation import Evaluator

_POSITIONAL = ("name", "description", "schema")


def class_fields(class_: Class, evaluator: "Evaluator", depth: int = 0) -> dict[str, Slot]:
    """Field values by name, inherited ones first; those only running sets are missing."""
    scope = class_.scope
    fields: dict[str, Slot] = {}
    base = _base(class_, evaluator) if depth < 5 else None
    if base is not None:
        fields |= class_fields(base, evaluator, depth + 1)
        evaluator.touch((base.scope.module.shown,))
    body = class_.node.child_by_field_name("body")
    for member in body.named_children if body is not None else ():
        if member.type == "public_field_definition" or member.type == "field_definition":
            name = member.child_by_field_name("name") or member.child_by_field_name("property")
            value = member.child_by_field_name("value")
            if name is not None and value is not None:
                slot = Slot(evaluator.evaluate(value, scope), scope.module, value)
                fields[scope.module.text(name)] = slot
        elif member.type == "method_definition":
            fields |= _method(member, scope, evaluator)
    return fields


def class_object(class_: Class, evaluator: "Evaluator") -> Obj:
    """The fields as an object, with the files they came from."""
    module = class_.scope.module
    found: list[dict[str, Slot]] = []

    def work() -> None:
        found.append(class_fields(class_, evaluator))

    _, deps = evaluator.watched(module, work)
    return replace(Obj(found[0], module, class_.node), deps=deps)


def _base(class_: Class, evaluator: "Evaluator") -> Class | None:
    for part in class_.node.named_children:
        if part.type != "class_heritage":
            continue
        for clause in part.named_children:
            value = clause.child_by_field_name("value")
            if value is not None:
                found = evaluator.evaluate(value, class_.scope)
                return found if isinstance(found, Class) else None
    return None


def _method(member: "Node", scope: Scope, evaluator: "Evaluator") -> dict[str, Slot]:
    name = member.child_by_field_name("name")
    if name is None:
        return {}
    text = scope.module.text(name)
    if any(part.type == "get" for part in member.children):
        value = returned(Function(member, scope), evaluator)
        return {text: Slot(value, scope.module, member)}
    return _constructor(member, scope, evaluator) if text == "constructor" else {}


def _constructor(member: "Node", scope: Scope, evaluator: "Evaluator") -> dict[str, Slot]:
    fields: dict[str, Slot] = {}
    body = member.child_by_field_name("body")
    inner = scope.inside(member)
    for statement in body.named_children if body is not None else ():
        expression = statement.named_children[0] if statement.named_children else None
        if statement.type != "expression_statement" or expression is None:
            continue
        if expression.type == "assignment_expression":
            fields |= _assigned(expression, inner, scope.module, evaluator)
            continue
        function = expression.child_by_field_name("function")
        arguments = expression.child_by_field_name("arguments")
        if function is None or function.type != "super" or arguments is None:
            continue
        items = evaluator.arguments(arguments, inner).items
        if items and isinstance(items[0].value, Obj):
            fields |= items[0].value.entries
            schema = next((item for item in items[1:] if isinstance(item.value, Schema)), None)
            fields |= {} if schema is None else {"schema": schema}
        elif items and isinstance(items[0].value, str):
            fields |= dict(zip(_POSITIONAL, items, strict=False))
    return fields


def _assigned(
    expression: "Node", inner: Scope, module: Module, evaluator: "Evaluator"
) -> dict[str, Slot]:
    left, right = (expression.child_by_field_name(name) for name in ("left", "right"))
    if left is None or right is None or not module.text(left).startswith("this."):
        return {}
    slot = Slot(evaluator.evaluate(right, inner), module, right)
    return {module.text(left).removeprefix("this."): slot}
