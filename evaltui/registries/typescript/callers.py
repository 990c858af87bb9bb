"""The values that code in a function or loop has each time it runs, as far as they are known."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from evaltui.core.errors import Problem, Severity
from evaltui.registries.typescript.budget import MAX_CALLS
from evaltui.registries.typescript.function_calls import calls_of
from evaltui.registries.typescript.functions import bind
from evaltui.registries.typescript.loops import turns
from evaltui.registries.typescript.module import Module
from evaltui.registries.typescript.scope import (
    Enclosing,
    Scope,
    scope_of,
)
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

    for where, call in calls_of(function, modules, evaluator):
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
