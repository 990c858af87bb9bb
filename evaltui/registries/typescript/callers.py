"""The values that code in a function or loop has each time it runs, as far as they are known."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from evaltui.core.errors import Problem, Severity
from evaltui.registries.typescript.budget import MAX_CALLS
from evaltui.registries.typescript.functions import bind
from evaltui.registries.typescript.loops import turns
from evaltui.registries.typescript.module import Module
from evaltui.registries.typescript.scope import (
    FUNCTION_NODES,
    Enclosing,
    Scope,
    parameter_patterns,
    scope_of,
)
from evaltui.registries.typescript.syntax import called
from evaltui.registries.typescript.values import Arr, Function, Slot

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.evaluation import Evaluator

MAX_DEPTH = 3
"""Functions that hand on what they were handed."""


class Run(NamedTuple):
    """One time that code runs."""

    scope: Scope
    """Of the code, with the values of this time."""
    given: tuple[Slot, ...]
    """What it is about: the item of a loop, the arguments of a call."""
    module: Module
    node: "Node"
    """Where the item or the call is written."""
    files: tuple[str, ...] = ()
    """Files that took part in what is handed over."""
    is_known: bool = True
    """Whether its values are enough."""


def runs(
    node: "Node",
    modules: Sequence[Module],
    evaluator: "Evaluator",
    is_known: Callable[[Scope], bool],
    depth: int = 0,
) -> list[Run]:
    """Each time that `node`, in the first of `modules`, runs, by the innermost loop around it or by
    the calls of the innermost function around it, of which `is_known` says that they are enough.

    Nothing if none is enough; else also those of the same loop or function that are not.
    """
    module = modules[0]
    scope = scope_of(node, module)
    found = _turns(node, scope, evaluator, is_known)
    for level in range(len(scope.around) - 1, -1, -1):
        if _is_any_known(found) or depth >= MAX_DEPTH:
            break
        function = Function(scope.around[level].node, Scope(module, scope.around[:level]))
        rest = scope.around[level + 1 :]
        found = list(_calls(node, function, rest, modules, evaluator, is_known, depth))
    return found if _is_any_known(found) else []


def _is_any_known(found: Sequence[Run]) -> bool:
    return any(run.is_known for run in found)


def _turns(
    node: "Node", scope: Scope, evaluator: "Evaluator", is_known: Callable[[Scope], bool]
) -> list[Run]:
    return [
        Run(turn, (item,), item.module, item.node, is_known=is_known(turn))
        for item, turn in turns(node, scope, evaluator)
    ]


def _calls(
    node: "Node",
    function: Function,
    rest: tuple[Enclosing, ...],
    modules: Sequence[Module],
    evaluator: "Evaluator",
    is_known: Callable[[Scope], bool],
    depth: int,
) -> Iterator[Run]:
    """The runs of `node` in a function, by its calls; `rest` is around it in there."""

    def inside(arguments: "Node", where: Scope) -> Run:
        """A run of the function."""
        handed, files = evaluator.watched(
            where.module, partial(evaluator.arguments, arguments, where)
        )
        items = handed.items if isinstance(handed, Arr) and handed.hole is None else ()
        bound = bind(function, items, evaluator)
        around = (*function.scope.around, Enclosing(function.node, bound), *rest)
        scope = Scope(function.scope.module, around)
        return Run(scope, items, where.module, arguments, files, is_known(scope))

    def each(run: Run) -> list[Run]:
        """The run, or if it is not enough, the turns of a loop in the function."""
        looped = [] if run.is_known else _turns(node, run.scope, evaluator, is_known)
        if not _is_any_known(looped):
            return [run]
        return [turn._replace(given=(*run.given, *turn.given), files=run.files) for turn in looped]

    for where, call in _calls_of(function, modules, evaluator):
        arguments = call.child_by_field_name("arguments")
        if arguments is None or arguments.type != "arguments":
            continue
        if not evaluator.budget.follow():
            _give_up(function, modules)
            return
        once = each(inside(arguments, scope_of(call, where))._replace(node=call))
        if _is_any_known(once):
            yield from once
            continue

        def knows(outer: Scope, arguments: "Node" = arguments) -> bool:
            return _is_any_known(each(inside(arguments, outer)))

        others = (where, *(module for module in modules if module is not where))
        handing = runs(call, others, evaluator, knows, depth + 1)
        yield from () if handing else once
        for outer in handing:
            for run in each(inside(arguments, outer.scope)):
                is_loop = run.node is not arguments
                yield (run if is_loop else outer)._replace(
                    scope=run.scope,
                    given=(*outer.given, *run.given),
                    files=(*outer.files, *run.files),
                    is_known=run.is_known,
                )


def _give_up(function: Function, modules: Sequence[Module]) -> None:
    module = function.scope.module
    problem = Problem(
        module.shown,
        f"tools are registered by more than {MAX_CALLS:,} calls of functions such as this one",
        "Those after that many are left out: have the running server list its tools, as a source "
        'with `type = "mcp"`.',
        function.node.start_point[0] + 1,
        severity=Severity.WARNING,
        code="too-many-calls",
    )
    module.give_up(function.node, problem, tuple(each.shown for each in modules))


def _calls_of(
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
        for call in (call for local in names for call in _named_calls(module).get(local, ())):
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
    holders = (call.parent for call in _named_calls(module).get(maker, ()))
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
    return target is not None and target.type == "this"


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
    name = None if outer is None else outer.child_by_field_name("name")
    if name is None or outer is None:
        return "", False
    is_field = outer.type in ("public_field_definition", "field_definition")
    if outer.type != "variable_declarator" and not is_field:
        return "", False
    return module.text(name), is_field


def _named_calls(module: Module) -> "dict[str, list[Node]]":
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
