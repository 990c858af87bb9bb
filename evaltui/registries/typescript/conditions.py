"""Tools that are there only under a condition that nobody knows before the code runs."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from evaltui.core.errors import Problem, Severity
from evaltui.registries.typescript.candidate import Candidate
from evaltui.registries.typescript.candidates import candidates
from evaltui.registries.typescript.module import Module
from evaltui.registries.typescript.mutations import list_calls
from evaltui.registries.typescript.scope import FUNCTION_NODES, scope_of
from evaltui.registries.typescript.values import Unknown, is_primitive

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.evaluation import Evaluator

_CONDITIONAL = ("if_statement", "ternary_expression")


def conditional(
    modules: Sequence[Module],
    registered: Sequence[Candidate],
    tools: Collection[str],
    evaluator: "Evaluator",
) -> Iterator[Problem]:
    """A lint finding for each call that makes some of `tools` known only at times.

    That is a call which has `registered` some, or puts some into a list.
    """
    for module in modules:
        by_call: dict[Node, list[Candidate]] = {}
        for one in registered:
            # What registers many may ask of each whether it is wanted.
            if one.call is not None and one.call.module is module and not one.in_loop:
                by_call.setdefault(one.call.node, []).append(one)
        calls = [*by_call, *(push for push in _pushes(module) if push not in by_call)]
        for call in sorted(calls, key=lambda call: call.start_byte):
            condition = _condition(call, module, evaluator)
            if condition is None:
                continue
            made = by_call.get(call) or _pushed(call, module, evaluator)
            written = (one.config.get("name") for one in made)
            names = dict.fromkeys(name for name in written if isinstance(name, str))
            if found := [name for name in names if name in tools]:
                scope = scope_of(condition, module)
                yield _problem(found, evaluator.unknown(condition, scope), call)


def _pushes(module: Module) -> "Iterator[Node]":
    for calls in list_calls(module).values():
        for call in calls:
            if _SPEAKS_OF_TOOLS.search(module.data, call.start_byte, call.end_byte):
                yield call


_SPEAKS_OF_TOOLS = re.compile(rb"tool|description", re.IGNORECASE)


def _pushed(call: "Node", module: Module, evaluator: "Evaluator") -> list[Candidate]:
    arguments = call.child_by_field_name("arguments")
    if arguments is None:
        return []
    added = evaluator.arguments(arguments, scope_of(call, module))
    found = candidates(added, evaluator, listed=True)
    return [one for one in found if isinstance(one, Candidate)]


def _condition(call: "Node", module: Module, evaluator: "Evaluator") -> "Node | None":
    """The innermost condition around a call in its function that is not known."""
    here, outer = call, call.parent
    while outer is not None and outer.type not in FUNCTION_NODES:
        condition = outer.child_by_field_name("condition")
        if outer.type in _CONDITIONAL and condition is not None and here != condition:
            value = evaluator.evaluate(condition, scope_of(outer, module))
            if not is_primitive(value):
                inner = condition.named_children
                return inner[0] if condition.type == "parenthesized_expression" else condition
        here, outer = outer, outer.parent
    return None


def _problem(names: Sequence[str], condition: Unknown, call: "Node") -> Problem:
    shown = ", ".join(f"`{name}`" for name in names)
    return Problem(
        condition.file,
        f"whether there is a tool {shown} hangs on `{condition.expression}`, which only running "
        "tells; it counts as there",
        "Take it out of the condition, or have the running server list its tools.",
        call.start_point[0] + 1,
        severity=Severity.LINT,
        code="conditional-tool",
    )
