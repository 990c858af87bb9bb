"""Loops over a literal list: the scope of each iteration, with its item."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from evaltui.registries.typescript.functions import bind
from evaltui.registries.typescript.module import Module, pattern_names
from evaltui.registries.typescript.scope import Enclosing, Scope, scope_of
from evaltui.registries.typescript.values import Arr, Function, Slot, Value

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.evaluation import Evaluator

_METHODS = frozenset(("forEach", "map"))
_CALLBACKS = frozenset(("arrow_function", "function_expression"))


def turns(node: "Node", scope: Scope, evaluator: "Evaluator") -> Iterator[tuple[Slot, Scope]]:
    """Each item of the innermost loop around `node`, and the scope of `node` in its turn.

    `scope` is that of `node`, with what is known of it before. A loop in a loop has its items in
    each turn of the outer one. Nothing where there is no loop, or where not all of its list is
    known.
    """
    module = scope.module
    loop, listed = _loop_around(node, module)
    if loop is None or listed is None:
        return
    depth = len(scope_of(loop, module).around)
    around = Scope(module, scope.around[:depth])
    rest = scope.around[depth + 1 :] if loop.type in _CALLBACKS else scope.around[depth:]
    found: list[tuple[Slot, Scope]] = []
    outers = [turn for _, turn in turns(loop, around, evaluator)] or [around]
    for outer in outers:
        items = evaluator.evaluate(listed, outer)
        if not isinstance(items, Arr) or items.hole is not None:
            return
        for slot in items.items:
            if len(outers) > 1 and not evaluator.budget.follow():
                return
            bound = _bound(loop, slot, outer, evaluator)
            found.append((slot, Scope(module, (*outer.around, Enclosing(loop, bound), *rest))))
    yield from found


def _bound(loop: "Node", item: Slot, scope: Scope, evaluator: "Evaluator") -> dict[str, Value]:
    if loop.type in _CALLBACKS:
        return bind(Function(loop, scope), [item], evaluator)
    left = loop.child_by_field_name("left")
    bound: dict[str, Value] = {}
    for name, keys in pattern_names(left, scope.module) if left is not None else ():
        value = item.value
        for key in keys:
            known = key != "..."
            value = (
                evaluator.member(value, key, loop, scope)
                if known
                else evaluator.unknown(loop, scope)
            )
        bound[name] = value
    return bound


def _loop_around(node: "Node", module: Module) -> "tuple[Node | None, Node | None]":
    """The innermost loop and the expression of its list."""
    here = node.parent
    while here is not None:
        if here.type == "for_in_statement" and _operator(here, module) == "of":
            return here, here.child_by_field_name("right")
        if here.type in _CALLBACKS and here.parent is not None:
            call = here.parent.parent
            function = call.child_by_field_name("function") if call is not None else None
            method = function.child_by_field_name("property") if function is not None else None
            if function is not None and method is not None and module.text(method) in _METHODS:
                return here, function.child_by_field_name("object")
        here = here.parent
    return None, None


def _operator(loop: "Node", module: Module) -> str:
    operator = loop.child_by_field_name("operator")
    return module.text(operator) if operator is not None else ""
