"""Where code changes what a name holds: in a loop, a function, a condition, an item of a list."""

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from evaltui.registries.typescript.arguments import PARAMETERS
from evaltui.registries.typescript.module import Module, locals_of, pattern_names, string_value
from evaltui.registries.typescript.scope import FUNCTION_NODES, parameter_patterns
from evaltui.registries.typescript.syntax import called

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.evaluation import Evaluator

FIELDS = frozenset((*PARAMETERS, "name", "description", "version", "category", "status"))
"""What is read of a tool: nothing else that changes matters."""
GROWING = frozenset(("push", "unshift", "splice", "pop", "shift"))
_SETTERS = frozenset((
    "Object.assign", "Object.defineProperty", "Object.defineProperties", "Reflect.set",
    "Reflect.defineProperty",
))  # fmt: skip
_EACH = frozenset(("forEach", "map"))
_WRITES = frozenset((
    "assignment_expression", "augmented_assignment_expression", "update_expression",
    "unary_expression",
))  # fmt: skip
_MAX_HANDED = 4
"""Functions that hand on what they were handed."""


class Change(NamedTuple):
    node: "Node"
    path: tuple[str, ...]
    """Keys of what is changed, below the name; those of a list left out."""


class _Parameter(NamedTuple):
    function: str
    position: int


_Origin: TypeAlias = "tuple[str, int] | _Parameter"
"""A name and where the block begins that declares it, -1 for the module; or a parameter."""


class _Found(NamedTuple):
    changes: dict[_Origin, list[Change]]
    handed: dict[_Origin, list[tuple[_Parameter, Change]]]
    """What is handed to functions that may change it, with the call."""


def changes_of(
    name: str, home: "Node | None", module: Module, evaluator: "Evaluator"
) -> list[Change]:
    """What changes the object or list that is declared as `name` in a block, in source order."""
    place = (name.removeprefix("exports."), -1 if home is None else home.start_byte)
    found = _found(module)
    own = list(found.changes.get(place, ()))
    for parameter, call in found.handed.get(place, ()):
        inner = _of_function(parameter, module, evaluator)
        if inner is not None:
            own.append(Change(call.node, (*call.path, *inner.path)))
    return sorted(own, key=lambda change: change.node.start_byte)


def _of_function(
    parameter: _Parameter, module: Module, evaluator: "Evaluator", depth: int = 0
) -> Change | None:
    """What a function changes of what it is handed; `None` for nothing, as far as is known."""
    source = module.imports.get(parameter.function)
    if source is not None:
        target = evaluator.program.imported(source.specifier, module, source.line)
        if target is None:
            return None
        evaluator.touch((target.shown,))
        module, parameter = target, parameter._replace(function=source.name)
    found = _found(module)
    if (changes := found.changes.get(parameter)) is not None:
        return changes[0]
    for inner, call in found.handed.get(parameter, ()) if depth < _MAX_HANDED else ():
        change = _of_function(inner, module, evaluator, depth + 1)
        if change is not None:
            return Change(call.node, (*call.path, *change.path))
    return None


def _found(module: Module) -> _Found:
    key = ("all changes",)
    if key not in module.memo:
        found = _Found({}, {})
        calls: dict[str, list[Node]] = {}
        pending = [module.root] if module.root is not None and not module.is_data else []
        while pending:
            node = pending.pop()
            pending.extend(reversed(node.named_children))
            kind = node.type
            if kind != "call_expression" and kind not in _WRITES:
                continue
            _note(node, module, found)
            function = called(node) if kind == "call_expression" else None
            if function is not None and function.type == "identifier":
                calls.setdefault(module.text(function), []).append(node)
        _follow(calls, module, found)
        module.memo[key] = (found, (module.shown,))
    result: _Found = module.memo[key][0]
    return result


def _note(node: "Node", module: Module, found: _Found) -> None:
    """Note a statement that changes something which is read of tools."""
    target, is_growing = _target(node, module)
    if target is None:
        return
    root, path = _path(target, module)
    if not root or not (is_growing or not path or not FIELDS.isdisjoint(path)):
        return
    origin = _origin(root, node, module)
    # What makes a list of a name grow is known to `mutations`.
    if origin is not None and (isinstance(origin, _Parameter) or not is_growing):
        found.changes.setdefault(origin, []).append(Change(node, path))


def _follow(calls: "dict[str, list[Node]]", module: Module, found: _Found) -> None:
    """Note what is handed to functions that change it, or hand it on to such, or are imported."""
    changing = [one.function for one in found.changes if isinstance(one, _Parameter)]
    pending = [*changing, *module.imports]
    while pending:
        name = pending.pop()
        for call in calls.pop(name, ()):
            arguments = call.child_by_field_name("arguments")
            for index, argument in enumerate(arguments.named_children if arguments else ()):
                root, path = _path(argument, module)
                origin = _origin(root, call, module) if root else None
                if origin is None:
                    continue
                handed = found.handed.setdefault(origin, [])
                handed.append((_Parameter(name, index), Change(call, path)))
                pending += [origin.function] if isinstance(origin, _Parameter) else []


def _target(node: "Node", module: Module) -> "tuple[Node | None, bool]":
    """What a statement changes, and whether that is which items a list has."""
    if node.type in _WRITES:
        if node.type == "unary_expression" and node.children[0].type != "delete":
            return None, False
        left = node.child_by_field_name("left") or node.child_by_field_name("argument")
        is_part = left is not None and left.type in ("member_expression", "subscript_expression")
        return (left if is_part else None), False
    function, arguments = (node.child_by_field_name(name) for name in ("function", "arguments"))
    if node.type != "call_expression" or function is None or arguments is None:
        return None, False
    method = function.child_by_field_name("property")
    if method is not None and module.text(method) in GROWING:
        return function.child_by_field_name("object"), True
    is_setter = method is not None and module.text(function) in _SETTERS
    return (next(iter(arguments.named_children), None) if is_setter else None), False


def _path(node: "Node", module: Module) -> tuple[str, tuple[str, ...]]:
    """The name that `a.b[0].c` begins with, empty if it does with something else, and its keys."""
    keys: list[str] = []
    here: Node | None = node
    while here is not None and here.type != "identifier":
        if here.type == "member_expression":
            key = here.child_by_field_name("property")
            keys += [] if key is None else [module.text(key)]
        elif here.type == "subscript_expression":
            key = here.child_by_field_name("index")
            keys += [string_value(key, module)] if key is not None and key.type == "string" else []
        elif here.type not in ("non_null_expression", "parenthesized_expression", "as_expression"):
            return "", ()
        inner = here.child_by_field_name("object")
        here = inner if inner is not None else next(iter(here.named_children), None)
    return ("" if here is None else module.text(here)), tuple(reversed(keys))


def _origin(root: str, node: "Node", module: Module) -> "_Origin | None":
    """What a name at `node` is part of: a name and the block that declares it, or a parameter.

    The variable of a loop is part of what the loop goes over.
    """
    here = node.parent
    while here is not None:
        if here.type == "for_in_statement":
            left, right = here.child_by_field_name("left"), here.child_by_field_name("right")
            if left is not None and right is not None and module.text(left) == root:
                return _origin_of(right, here, module)
        elif here.type in FUNCTION_NODES:
            for index, (pattern, _) in enumerate(parameter_patterns(here)):
                if any(root == own for own, _ in pattern_names(pattern, module)):
                    is_whole = pattern.type == "identifier"
                    return _handed_to(here, index, module) if is_whole else None
        elif here.type == "statement_block" and root in locals_of(here, module):
            return root, here.start_byte
        here = here.parent
    return root, -1


def _origin_of(value: "Node", node: "Node", module: Module) -> "_Origin | None":
    root, _ = _path(value, module)
    return _origin(root, node, module) if root else None


def _handed_to(function: "Node", index: int, module: Module) -> "_Origin | None":
    """A function's parameter; for one that is called for each item of a list, that list."""
    outer = function.parent
    if outer is not None and outer.type == "arguments" and outer.parent is not None:
        callee = outer.parent.child_by_field_name("function")
        method, listed = (
            (None, None)
            if callee is None
            else (callee.child_by_field_name(part) for part in ("property", "object"))
        )
        is_each = method is not None and module.text(method) in _EACH
        return (
            _origin_of(listed, outer.parent, module)
            if is_each and listed is not None and index == 0
            else None
        )
    holder = function if function.child_by_field_name("name") is not None else outer
    name = None if holder is None else holder.child_by_field_name("name")
    return None if name is None else _Parameter(module.text(name), index)
