"""Fields of a class that are written down: static, instance, getters, constructor."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from evaltui.registries.typescript.functions import returned
from evaltui.registries.typescript.module import Module
from evaltui.registries.typescript.scope import FUNCTION_NODES, Scope
from evaltui.registries.typescript.values import (
    Arr,
    Class,
    External,
    Function,
    Obj,
    Schema,
    Slot,
    Value,
    is_primitive,
)

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.evaluation import Evaluator

_MAX_BASES = 5
_POSITIONAL = ("name", "description", "schema")


class _Part(NamedTuple):
    """Where a field, or the fields that `super(…)` hands on, is written in a class."""

    name: str
    """Empty for `super(…)`."""
    node: "Node"
    constructor: "Node | None" = None
    """The constructor that it stands in."""


def class_fields(class_: Class, evaluator: "Evaluator", depth: int = 0) -> dict[str, Slot]:
    """Field values by name, inherited ones first; those only running sets are missing."""
    fields: dict[str, Slot] = {}
    base = _base(class_, evaluator) if depth < _MAX_BASES else None
    if base is not None:
        fields |= class_fields(base, evaluator, depth + 1)
    for part in _parts(class_):
        if part.name:
            fields[part.name] = _field(part, class_, evaluator)
        else:
            fields |= _handed_on(part, class_, evaluator)
    return fields


def class_field(class_: Class, name: str, evaluator: "Evaluator", depth: int = 0) -> Slot | None:
    """One field, working out no other that it does not need: they may be the ones asking."""
    for part in reversed(_parts(class_)):
        if part.name == name:
            return _field(part, class_, evaluator)
        handed_on = {} if part.name else _handed_on(part, class_, evaluator)
        if name in handed_on:
            return handed_on[name]
    base = _base(class_, evaluator) if depth < _MAX_BASES else None
    return class_field(base, name, evaluator, depth + 1) if base is not None else None


def own_field(name: str, node: "Node", scope: Scope, evaluator: "Evaluator") -> Value | None:
    """`this.name` where `node` stands, when the class around it says a plain value."""
    here = node.parent
    while here is not None and here.type != "class_body":
        is_own = here.parent is not None and here.parent.type == "class_body"
        if here.type in FUNCTION_NODES and here.type != "arrow_function" and not is_own:
            return None
        here = here.parent
    if here is None or here.parent is None:
        return None
    around = tuple(item for item in scope.around if item.node.end_byte >= here.parent.end_byte)
    class_ = Class(here.parent, Scope(scope.module, around))
    if sum(part.name == name for part in _parts(class_)) > 1:
        return None
    slot = class_field(class_, name, evaluator)
    return slot.value if slot is not None and is_primitive(slot.value) else None


def class_object(class_: Class, evaluator: "Evaluator") -> Obj:
    """The fields as an object, with the files they came from."""
    module = class_.scope.module
    found: list[dict[str, Slot]] = []

    def work() -> None:
        found.append(class_fields(class_, evaluator))

    _, deps = evaluator.watched(module, work)
    return replace(Obj(found[0], module, class_.node), deps=deps)


def is_error(class_: Class, evaluator: "Evaluator") -> bool:
    """Whether a class is thrown: `Error`, or one of the language or a package named like it."""
    for _ in range(_MAX_BASES):
        base = _heritage(class_, evaluator)
        if isinstance(base, External):
            return base.path.endswith("Error")
        if not isinstance(base, Class):
            return False
        class_ = base
    return False


def is_beside_tools(class_: Class, evaluator: "Evaluator") -> bool:
    """Whether a class is a prompt or a resource, as MCP servers have them beside tools."""
    for _ in range(_MAX_BASES):
        module = class_.scope.module
        body = class_.node.child_by_field_name("body")
        for member in body.named_children if body is not None else ():
            name = member.child_by_field_name("name")
            if name is not None and module.text(name) == "getMessages":
                return True
        clause = _extended(class_)
        if clause is not None and module.text(clause).endswith(("Prompt", "Resource")):
            return True
        base = _base(class_, evaluator)
        if base is None:
            return False
        class_ = base
    return False


def _base(class_: Class, evaluator: "Evaluator") -> Class | None:
    found = _heritage(class_, evaluator)
    return found if isinstance(found, Class) else None


def _heritage(class_: Class, evaluator: "Evaluator") -> Value:
    """What a class extends; `None` when it extends nothing."""
    scope, value = class_.scope, _extended(class_)
    if value is None:
        return None
    found = _once("extends", value, scope, scope, evaluator).value
    if isinstance(found, Class):
        evaluator.touch((found.scope.module.shown,))
    return found


def _extended(class_: Class) -> "Node | None":
    """The expression after `extends`."""
    for part in class_.node.named_children:
        for clause in part.named_children if part.type == "class_heritage" else ():
            if (value := clause.child_by_field_name("value")) is not None:
                return value
    return None


def _parts(class_: Class) -> list[_Part]:
    module = class_.scope.module
    key = ("class", class_.node.start_byte)
    if key not in module.memo:
        body = class_.node.child_by_field_name("body")
        found: list[_Part] = []
        for member in body.named_children if body is not None else ():
            name = member.child_by_field_name("name") or member.child_by_field_name("property")
            value = member.child_by_field_name("value")
            if name is None:
                continue
            if member.type in ("public_field_definition", "field_definition"):
                found += [] if value is None else [_Part(module.text(name), value)]
            elif member.type == "method_definition":
                if any(part.type == "get" for part in member.children):
                    found.append(_Part(module.text(name), member))
                elif module.text(name) == "constructor":
                    found += _of_constructor(member, module)
        module.memo[key] = (found, (module.shown,))
    result: list[_Part] = module.memo[key][0]
    return result


def _of_constructor(member: "Node", module: Module) -> Iterator[_Part]:
    body = member.child_by_field_name("body")
    for statement in body.named_children if body is not None else ():
        expression = statement.named_children[0] if statement.named_children else None
        if statement.type != "expression_statement" or expression is None:
            continue
        left, right, function, arguments = (
            expression.child_by_field_name(name)
            for name in ("left", "right", "function", "arguments")
        )
        if expression.type == "assignment_expression":
            if left is not None and right is not None and module.text(left).startswith("this."):
                yield _Part(module.text(left).removeprefix("this."), right, member)
        elif function is not None and function.type == "super" and arguments is not None:
            yield _Part("", arguments, member)


def _field(part: _Part, class_: Class, evaluator: "Evaluator") -> Slot:
    return _once(part.name, part.node, class_.scope, _inside(part, class_), evaluator)


def _handed_on(part: _Part, class_: Class, evaluator: "Evaluator") -> Mapping[str, Slot]:
    """The fields that the arguments of `super(…)` name."""
    found = _once("super", part.node, class_.scope, _inside(part, class_), evaluator).value
    items = found.items if isinstance(found, Arr) else ()
    if items and isinstance(items[0].value, Obj):
        schema = next((item for item in items[1:] if isinstance(item.value, Schema)), None)
        return {**items[0].value.entries, **({} if schema is None else {"schema": schema})}
    if items and isinstance(items[0].value, str):
        return dict(zip(_POSITIONAL, items, strict=False))
    return {}


def _inside(part: _Part, class_: Class) -> Scope:
    return class_.scope if part.constructor is None else class_.scope.inside(part.constructor)


def _once(name: str, node: "Node", outer: Scope, inner: Scope, evaluator: "Evaluator") -> Slot:
    """What a part of a class is worth; a part that needs itself ends as unknown."""

    def work() -> Slot:
        if node.type == "method_definition":
            value = returned(Function(node, inner), evaluator)
        elif node.type == "arguments":
            value = evaluator.arguments(node, inner)
        else:
            value = evaluator.evaluate(node, inner)
        return Slot(value, inner.module, node)

    return evaluator.remember(outer.module, ("part", name, node.start_byte), node, work, outer)
