"""The calls of a function in the modules of a program, by the names that it goes by."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from evaltui.registries.typescript.module import Module
from evaltui.registries.typescript.scope import FUNCTION_NODES, parameter_patterns, scope_of
from evaltui.registries.typescript.syntax import called
from evaltui.registries.typescript.values import Function

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.evaluation import Evaluator


def calls_of(
    function: Function, modules: Sequence[Module], evaluator: "Evaluator"
) -> Iterator[tuple[Module, "Node"]]:
    """The calls of a function that has a name and parameters."""
    home = function.scope.module
    name, is_method = _name_of(function.node, home)
    if not name or not parameter_patterns(function.node):
        return
    is_made = _maker_of(function.node) is not None
    for module in modules:
        names = _names_in(module, name, home, evaluator)
        if is_made:
            names = [local for local in names for local in _made_by(local, module)]
        for call in (call for local in names for call in named_calls(module).get(local, ())):
            callee = called(call)
            if callee is None or _is_in(call, function.node, module, home):
                continue
            if _is_of_this(callee):
                is_it = is_method
            else:
                meant = None if is_method else evaluator.evaluate(callee, scope_of(call, module))
                is_it = isinstance(meant, Function) and _same(meant, function)
            if is_it:
                yield module, call


def _maker_of(function: "Node") -> "Node | None":
    """The function that returns this one, if it has no name of its own."""
    outer = function.parent
    if function.child_by_field_name("name") is not None:
        return None
    if outer is not None and outer.type == "return_statement" and outer.parent is not None:
        maker = outer.parent.parent
        return maker if maker is not None and maker.type in FUNCTION_NODES else None
    return outer if outer is not None and outer.type == "arrow_function" else None


def _made_by(maker: str, module: Module) -> list[str]:
    """The variables that hold what a call of `maker` returned."""
    holders = (call.parent for call in named_calls(module).get(maker, ()))
    names = (
        holder.child_by_field_name("name")
        for holder in holders
        if holder is not None and holder.type == "variable_declarator"
    )
    return list(dict.fromkeys(module.text(name) for name in names if name is not None))


def _names_in(module: Module, name: str, home: Module, evaluator: "Evaluator") -> list[str]:
    """What a function called `name` in `home` may be called in a module, or what it may be in."""
    found = dict.fromkeys([name] if name.encode() in module.data else [])
    for local, source in module.imports.items():
        if source.name in ("*", "default"):
            if evaluator.program.imported(source.specifier, module, source.line) is home:
                found[local] = None
        elif source.name == name:
            found[local] = None
    return list(found)


def _is_of_this(callee: "Node") -> bool:
    target = callee.child_by_field_name("object")
    return target is not None and (target.type == "this" or target.text == _THIS)


_THIS = b"_this"
"""What compilers call it in a function, as arrows were written before there were some."""


def _same(one: Function, other: Function) -> bool:
    places = {(each.scope.module.path, each.node.start_byte) for each in (one, other)}
    return len(places) == 1


def _is_in(call: "Node", function: "Node", module: Module, home: Module) -> bool:
    within = function.start_byte <= call.start_byte and call.end_byte <= function.end_byte
    return module is home and within


def _name_of(function: "Node", module: Module) -> tuple[str, bool]:
    """The name a function, or what returns it, is called by, and whether after `this.`.

    Empty for one that has none.
    """
    named = function.child_by_field_name("name")
    if named is not None:
        return module.text(named), function.type == "method_definition"
    if (maker := _maker_of(function)) is not None:
        return _name_of(maker, module)
    outer = function.parent
    if outer is not None and outer.type == "assignment_expression":
        return _name_in_prototype(outer, module), True
    name = None if outer is None else outer.child_by_field_name("name")
    if name is None or outer is None:
        return "", False
    is_field = outer.type in ("public_field_definition", "field_definition")
    if outer.type != "variable_declarator" and not is_field:
        return "", False
    return module.text(name), is_field


def _name_in_prototype(assignment: "Node", module: Module) -> str:
    """`b` of `A.prototype.b = …`, as methods were written before there were classes."""
    left = assignment.child_by_field_name("left")
    target, key = (
        (left.child_by_field_name(part) for part in ("object", "property"))
        if left is not None
        else (None, None)
    )
    is_one = target is not None and module.text(target).endswith(".prototype")
    return module.text(key) if is_one and key is not None else ""


def named_calls(module: Module) -> "dict[str, list[Node]]":
    """Calls in a module by the name that is called, or whose or `this`'s method is."""
    key = ("calls",)
    if key not in module.memo:
        found: dict[str, list[Node]] = {}
        pending = [module.root] if module.root is not None and not module.is_data else []
        while pending:
            node = pending.pop()
            pending.extend(reversed(node.named_children))
            callee = called(node)
            if callee is None or node.type != "call_expression":
                continue
            part = "property" if _is_of_this(callee) else "object"
            named = callee.child_by_field_name(part) or callee
            if named.type in ("identifier", "property_identifier"):
                found.setdefault(module.text(named), []).append(node)
        module.memo[key] = (found, (module.shown,))
    result: dict[str, list[Node]] = module.memo[key][0]
    return result
