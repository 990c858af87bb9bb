"""What a function returns, if that is known without running it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaltui.registries.typescript.module import pattern_names
from evaltui.registries.typescript.scope import Scope, parameter_patterns
from evaltui.registries.typescript.values import UNDEFINED, Function, Slot, Unknown, Value

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.evaluation import Evaluator

_HARMLESS = frozenset((
    "lexical_declaration", "function_declaration", "comment", "empty_statement",
    "interface_declaration", "type_alias_declaration",
))  # fmt: skip


def returned(
    function: Function,
    evaluator: "Evaluator",
    arguments: Sequence[Slot] | None = None,
    *,
    lenient: bool = False,
) -> Value:
    """The value of a function's only `return`, its parameters replaced by `arguments`.

    Statements other than declarations make it unknown, unless `lenient`: then the last `return`
    counts, which is right for a factory that checks something first. Without `arguments` the
    parameters are unknown.
    """
    with evaluator.budget.calling(function):
        if evaluator.budget.is_spent:
            return evaluator.unknown(function.node, function.scope)
        return _returned(function, evaluator, arguments, lenient)


def _returned(
    function: Function, evaluator: "Evaluator", arguments: Sequence[Slot] | None, lenient: bool
) -> Value:
    node, scope = function.node, function.scope
    bound = None if arguments is None else bind(function, arguments, evaluator)
    inner = scope.inside(node, bound)
    body = node.child_by_field_name("body")
    if body is None:
        return evaluator.unknown(node, scope)
    if body.type != "statement_block":
        return evaluator.evaluate(body, inner)
    statements = [part for part in body.named_children if part.type != "comment"]
    strict = all(part.type in _HARMLESS for part in statements[:-1])
    if not statements or not (strict or lenient):
        return evaluator.unknown(node, scope)
    last = statements[-1]
    if last.type != "return_statement":
        return evaluator.unknown(node, scope)
    result = next((part for part in last.named_children if part.type != "comment"), None)
    return UNDEFINED if result is None else evaluator.evaluate(result, inner.inside(body))


def bind(function: Function, arguments: Sequence[Slot], evaluator: "Evaluator") -> dict[str, Value]:
    """The values of a function's parameters in a call with these arguments."""
    scope, bound = function.scope, dict[str, Value]()
    for index, (pattern, default) in enumerate(parameter_patterns(function.node)):
        if pattern.type == "rest_pattern":
            _unknown_names(pattern, scope, evaluator, bound)
            break
        value = arguments[index].value if index < len(arguments) else UNDEFINED
        if value is UNDEFINED and default is not None:
            value = evaluator.evaluate(default, scope.inside(function.node, bound))
        for name, keys in pattern_names(pattern, scope.module):
            inner = value
            for key in keys:
                known = key != "..." and not isinstance(inner, Unknown)
                inner = (
                    evaluator.member(inner, key, pattern, scope)
                    if known
                    else evaluator.blame(inner, pattern, scope)
                )
            bound[name] = inner
        if _has_defaults(pattern):
            _unknown_names(pattern, scope, evaluator, bound)
    return bound


def _has_defaults(pattern: "Node") -> bool:
    return pattern.type == "object_pattern" and any(
        child.type == "object_assignment_pattern" for child in pattern.named_children
    )


def _unknown_names(
    pattern: "Node", scope: Scope, evaluator: "Evaluator", bound: dict[str, Value]
) -> None:
    for name, _ in pattern_names(pattern, scope.module):
        if bound.get(name, UNDEFINED) is UNDEFINED:
            bound[name] = evaluator.unknown(pattern, scope)
