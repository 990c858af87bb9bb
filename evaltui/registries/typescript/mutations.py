"""Objects and lists that later statements change."""

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from evaltui.registries.typescript.changes import FIELDS, changes_of
from evaltui.registries.typescript.functions import returned
from evaltui.registries.typescript.module import Module
from evaltui.registries.typescript.scope import Scope, scope_of
from evaltui.registries.typescript.values import Arr, Function, Obj, Slot, Unknown, Value

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.evaluation import Evaluator


CHANGES = ("push", "unshift", "splice", "pop", "shift")
"""Methods that change a list."""
BUNDLED = "__export"
"""With this a bundler says what a module exports: `__export(tools, { a: () => a })`."""
_STRAIGHT = frozenset((
    "expression_statement", "statement_block", "if_statement", "else_clause", "try_statement",
))  # fmt: skip


def mutated(value: Value, name: str, module: Module, evaluator: "Evaluator") -> Value:
    """`value` after `x.key = …`, `x.push(…)` and the like, `x` being its name in the module.

    What an `if` adds counts as there. What is not understood makes a hole.
    """
    changes = list(module.mutations.get(name, ()))
    root = module.root
    if root is not None and isinstance(value, Arr):
        changes += [call for call in _within(name, root, module) if call not in changes]
        changes.sort(key=lambda change: change.start_byte)
    for change in changes:
        value = _changed(value, name, change, root, Scope(module), evaluator)
    return _changed_elsewhere(value, name, changes, Scope(module), evaluator)


def _changed_elsewhere(
    value: Value, name: str, known: "list[Node]", scope: Scope, evaluator: "Evaluator"
) -> Value:
    """`value` with what loops, functions and conditions change of it unknown."""
    if not isinstance(value, Arr | Obj):
        return value
    home = scope.around[-1].node if scope.around else None
    for change in changes_of(name, home, scope.module, evaluator):
        if change.node not in known:
            value = _hidden(value, change.path, evaluator.unknown(change.node, scope), scope.module)
    return value


def _hidden(value: Value, path: tuple[str, ...], hole: Unknown, module: Module) -> Value:
    """`value` with what stands at `path` unknown."""
    if not isinstance(value, Obj) or not path:
        return _opened(value, hole)
    slot = value.entries.get(path[0])
    if slot is None:
        if path[0] not in FIELDS:
            return value
        slot = Slot(hole, module, value.node)
    is_inside = len(path) > 1 and isinstance(slot.value, Obj | Arr)
    inner = _hidden(slot.value, path[1:], hole, module) if is_inside else hole
    return replace(value, entries={**value.entries, path[0]: slot._replace(value=inner)})


def grown(value: Value, name: str, scope: Scope, evaluator: "Evaluator") -> Value:
    """The list or object that is declared as `name` in a block, as it is changed there."""
    home = scope.around[-1].node
    changes = _within(name, home, scope.module) if isinstance(value, Arr) else []
    for change in changes:
        value = _changed(value, name, change, home, scope, evaluator)
    return _changed_elsewhere(value, name, changes, scope, evaluator)


def list_calls(module: Module) -> "dict[str, list[Node]]":
    """Calls that change a list, in source order, by the name of the list."""
    key = ("changes",)
    if key not in module.memo:
        found: dict[str, list[Node]] = {}
        is_possible = any(f".{method}(".encode() in module.data for method in CHANGES)
        is_possible = is_possible and not module.is_data
        pending = [module.root] if module.root is not None and is_possible else []
        while pending:
            node = pending.pop()
            pending.extend(reversed(node.named_children))
            function = node.child_by_field_name("function")
            if node.type != "call_expression" or function is None:
                continue
            target, method = (function.child_by_field_name(part) for part in ("object", "property"))
            if target is not None and method is not None and module.text(method) in CHANGES:
                found.setdefault(module.text(target), []).append(node)
        module.memo[key] = (found, (module.shown,))
    result: dict[str, list[Node]] = module.memo[key][0]
    return result


def _within(name: str, home: "Node", module: Module) -> "list[Node]":
    """Calls that change the list which is declared as `name` right in `home`."""
    from evaltui.registries.typescript.names import declared_around

    bare = name.removeprefix("exports.")
    calls = list_calls(module).get(name, ())
    inside = (call for call in calls if home.start_byte <= call.start_byte < home.end_byte)
    is_export = bare != name
    return [
        call for call in inside if is_export or declared_around(name, call, module) in (home, None)
    ]


def _is_straight(change: "Node", home: "Node | None") -> bool:
    """Whether a change is made once at most after `home` began, and not by a function or loop."""
    outer = change.parent
    while outer is not None and outer != home:
        if outer.type not in _STRAIGHT:
            return False
        outer = outer.parent
    return True


def _changed(
    value: Value,
    name: str,
    change: "Node",
    home: "Node | None",
    scope: Scope,
    evaluator: "Evaluator",
) -> Value:
    module = scope.module
    for outer in scope_of(change, module).around[len(scope.around) :]:
        scope = scope.inside(outer.node)
    left, right = change.child_by_field_name("left"), change.child_by_field_name("right")
    written = left if left is not None else change.child_by_field_name("function")
    target, key = (
        (None, None)
        if written is None
        else (written.child_by_field_name(part) for part in ("object", "property"))
    )
    arguments = change.child_by_field_name("arguments")
    if written is not None and module.text(written) == BUNDLED and isinstance(value, Obj):
        handed = None if arguments is None else evaluator.arguments(arguments, scope)
        if handed is not None and (exports := _bundled(handed, evaluator)) is not None:
            return replace(value, entries={**value.entries, **exports})
    if target is None or key is None or module.text(target) != name:
        return _opened(value, evaluator.unknown(change, scope), _part(target, name, module))
    if right is not None and isinstance(value, Obj):
        slot = Slot(evaluator.evaluate(right, scope), module, right)
        return replace(value, entries={**value.entries, module.text(key): slot})
    is_added = module.text(key) == "push" and _is_straight(change, home)
    if isinstance(value, Arr) and arguments is not None and is_added:
        added = evaluator.arguments(arguments, scope)
        if added.hole is None:
            return replace(value, items=value.items + added.items)
    return _opened(value, evaluator.unknown(change, scope))


def _bundled(handed: Arr, evaluator: "Evaluator") -> dict[str, Slot] | None:
    """What functions return that stand in the second argument."""
    functions = handed.items[1].value if len(handed.items) == 2 else None
    if not isinstance(functions, Obj) or functions.hole is not None:
        return None
    return {
        name: slot._replace(value=returned(slot.value, evaluator))
        for name, slot in functions.entries.items()
        if isinstance(slot.value, Function)
    }


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
