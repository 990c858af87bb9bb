"""Calls whose result can be said without making them; the others keep their arguments."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from evaltui.registries.typescript.functions import returned
from evaltui.registries.typescript.language import global_call
from evaltui.registries.typescript.list_methods import changed_list
from evaltui.registries.typescript.methods import method_call
from evaltui.registries.typescript.syntax import called
from evaltui.registries.typescript.values import (
    UNDEFINED,
    Arr,
    Call,
    Class,
    External,
    Function,
    Namespace,
    Obj,
    Pattern,
    Schema,
    Slot,
    Unknown,
    Value,
)
from evaltui.registries.typescript.zod_methods import zod_method
from evaltui.registries.typescript.zod_types import zod_type

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.evaluation import Evaluator
    from evaltui.registries.typescript.scope import Scope


def call(evaluator: "Evaluator", node: "Node", scope: "Scope") -> Value:
    """The value of a call expression."""
    if scope.module.is_broken and node.has_error:
        return evaluator.unknown(node, scope)
    value, deps = evaluator.watched(scope.module, lambda: _call(evaluator, node, scope))
    if isinstance(value, Obj):
        deps = tuple(dict.fromkeys((*value.deps, *deps)))
    return replace(value, deps=deps) if isinstance(value, Call | Obj) else value


def _call(evaluator: "Evaluator", node: "Node", scope: "Scope") -> Value:
    function, argument_node = called(node), node.child_by_field_name("arguments")
    if function is None or argument_node is None or argument_node.type != "arguments":
        return evaluator.unknown(node, scope)
    arguments = evaluator.arguments(argument_node, scope)
    name = scope.module.text(function)
    if function.type == "member_expression":
        target, key = (function.child_by_field_name(part) for part in ("object", "property"))
        if target is None or key is None:
            return evaluator.unknown(node, scope)
        receiver, name = evaluator.evaluate(target, scope), scope.module.text(key)
        if isinstance(receiver, Schema):
            place = evaluator.unknown(node, scope)
            return zod_method(receiver, name, arguments, place)
        result = method_call(receiver, name, arguments, evaluator)
        if result is not None:
            return result
        if (changed := changed_list(receiver, name, evaluator.unknown(node, scope))) is not None:
            return changed
        callee = evaluator.member(receiver, name, function, scope)
        if isinstance(receiver, Unknown):
            callee = receiver
    else:
        callee = evaluator.evaluate(function, scope)
    if name in _WRAPPERS and arguments.items:
        return _unwrapped(name, arguments.items[0])
    if isinstance(callee, External):
        place = evaluator.unknown(node, scope)
        if callee.is_zod:
            return zod_type(callee, arguments, place, evaluator)
        if not callee.module and callee.path == "require":
            return _required(node, scope, arguments, evaluator)
        result = global_call(callee.path, arguments, place, evaluator)
        if result is not None:
            return result
    if isinstance(callee, Function) and arguments.hole is None:
        result = returned(callee, evaluator, arguments.items)
        if isinstance(result, Obj) and any(isinstance(value, Obj) for value, *_ in arguments.items):
            # A wrapper such as `defineTool({…})`: the definition is what was handed to it.
            return replace(result, module=scope.module, node=node)
        if result is not UNDEFINED and not isinstance(result, Unknown):
            return result
    return Call(callee, name, arguments.items, scope.module, node)


def construct(evaluator: "Evaluator", node: "Node", scope: "Scope") -> Value:
    """`new X(…)`: what is made is known by its class and arguments."""
    constructor = node.child_by_field_name("constructor")
    argument_node = node.child_by_field_name("arguments")
    if constructor is None or (scope.module.is_broken and node.has_error):
        return evaluator.unknown(node, scope)

    def work() -> Value:
        callee = evaluator.evaluate(constructor, scope)
        arguments = Arr(())
        if argument_node is not None:
            arguments = evaluator.arguments(argument_node, scope)
        name = scope.module.text(constructor).rpartition(".")[2]
        if name == "Set" and arguments.items and isinstance(arguments.items[0].value, Arr):
            return arguments.items[0].value
        if name == "RegExp" and arguments.items:
            source = arguments.items[0].value
            if isinstance(source, str | Pattern):
                return Pattern(source) if isinstance(source, str) else source
        return Call(callee, name, arguments.items, scope.module, node, is_new=True)

    value, deps = evaluator.watched(scope.module, work)
    if isinstance(value, Call) and isinstance(value.callee, Class):
        deps = tuple(dict.fromkeys((*deps, value.callee.scope.module.shown)))
    return replace(value, deps=deps) if isinstance(value, Call) else value


def _required(node: "Node", scope: "Scope", arguments: Arr, evaluator: "Evaluator") -> Value:
    """`require("…")` of CommonJS."""
    from evaltui.registries.typescript.names import exported, external

    specifier = arguments.items[0].value if arguments.items else None
    if not isinstance(specifier, str):
        return evaluator.unknown(node, scope)
    target = evaluator.program.imported(specifier, scope.module, node.start_point[0] + 1)
    if target is not None:
        is_one = any(export.is_whole for export in target.exports)
        whole = exported("default", target, evaluator) if is_one else None
        return whole.value if whole is not None else Namespace(target)
    if specifier.startswith("."):
        return evaluator.unknown(node, scope)
    return external(specifier, "*", scope.module, evaluator)


_WRAPPERS = ("__importStar", "__toCommonJS", "__importDefault")
"""What compilers put around `require` and `module.exports`."""


def _unwrapped(name: str, slot: Slot) -> Value:
    """What such a function gives for a module: that itself when a compiler has made it, too."""
    if name in _WRAPPERS[:2] or isinstance(slot.value, Namespace | External):
        return slot.value
    return Obj({"default": slot}, slot.module, slot.node, deps=(slot.module.shown,))
