"""Operators between known values."""

from typing import TYPE_CHECKING

from evaltui.registries.typescript.literals import as_number
from evaltui.registries.typescript.values import MAX_TEXT, UNDEFINED, Value, as_text, is_primitive

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.evaluation import Evaluator
    from evaltui.registries.typescript.scope import Scope


def binary(evaluator: "Evaluator", node: "Node", scope: "Scope") -> Value:
    """`a + b` of texts and numbers, arithmetic, `??`, `||` and `&&`."""
    operands: list[Node] = []
    here, operator = node, _operator(node, scope)
    # A long sum leans to the left: walk down it instead of recursing.
    while here.type == "binary_expression" and _operator(here, scope) == operator == "+":
        left, right = here.child_by_field_name("left"), here.child_by_field_name("right")
        if left is None or right is None:
            return evaluator.unknown(node, scope)
        operands.append(right)
        here = left
    if operands:
        total = evaluator.evaluate(here, scope)
        previous = here
        for operand in reversed(operands):
            if not is_primitive(total):
                return evaluator.blame(total, previous, scope)
            value = evaluator.evaluate(operand, scope)
            text = as_text(value)
            if text is None:
                return evaluator.blame(value, operand, scope)
            if isinstance(total, str) or isinstance(value, str) or not is_primitive(value):
                total = f"{as_text(total)}{text}"
                if len(total) > MAX_TEXT:
                    return evaluator.unknown(node, scope)
            elif isinstance(total, int | float) and isinstance(value, int | float):
                added = as_number(total + value)
                if added is None:
                    return evaluator.unknown(node, scope)
                total = added
            else:
                return evaluator.unknown(node, scope)
            previous = operand
        return total if is_primitive(total) else evaluator.blame(total, previous, scope)
    return _of_two(operator, evaluator, node, scope)


def _operator(node: "Node", scope: "Scope") -> str:
    operator = node.child_by_field_name("operator")
    return scope.module.text(operator) if operator is not None else ""


def _of_two(operator: str, evaluator: "Evaluator", node: "Node", scope: "Scope") -> Value:
    left_node, right_node = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left_node is None or right_node is None:
        return evaluator.unknown(node, scope)
    left = evaluator.evaluate(left_node, scope)
    if operator in ("??", "||", "&&"):
        if (known := truth(left)) is None:
            return evaluator.blame(left, left_node, scope)
        takes_left = {
            "??": left is not None and left is not UNDEFINED,
            "||": known,
            "&&": not known,
        }
        return left if takes_left[operator] else evaluator.evaluate(right_node, scope)
    right = evaluator.evaluate(right_node, scope)
    if isinstance(left, int | float) and isinstance(right, int | float):
        found = _calculated(operator, left, right)
        if found is not None:
            return found
    if operator in ("===", "!==") and is_primitive(left) and is_primitive(right):
        return (left == right and type(left) is type(right)) is (operator == "===")
    if not is_primitive(left):
        return evaluator.blame(left, left_node, scope)
    return (
        evaluator.blame(right, right_node, scope)
        if not is_primitive(right)
        else (evaluator.unknown(node, scope))
    )


def _calculated(operator: str, left: float, right: float) -> int | float | None:
    match operator:
        case "-":
            return as_number(left - right)
        case "*":
            return as_number(left * right)
        case "/" if right:
            return as_number(left / right)
        case "<":
            return left < right
        case ">":
            return left > right
        case "<=":
            return left <= right
        case ">=":
            return left >= right
    return None


def unary(evaluator: "Evaluator", node: "Node", scope: "Scope") -> Value:
    argument = node.child_by_field_name("argument")
    if argument is None:
        return evaluator.unknown(node, scope)
    value = evaluator.evaluate(argument, scope)
    match _operator(node, scope), value:
        case "-", int() | float():
            return -value
        case "+", int() | float():
            return value
        case "!", _ if (known := truth(value)) is not None:
            return not known
        case "void", _:
            return UNDEFINED
        case _:
            return evaluator.blame(value, node, scope)


def conditional(evaluator: "Evaluator", node: "Node", scope: "Scope") -> Value:
    """`a ? b : c` where `a` is known; else unknown, whatever the branches say."""
    condition, yes, no = (
        node.child_by_field_name(name) for name in ("condition", "consequence", "alternative")
    )
    if condition is None or yes is None or no is None:
        return evaluator.unknown(node, scope)
    known = truth(evaluator.evaluate(condition, scope))
    if known is None:
        return evaluator.unknown(node, scope)
    return evaluator.evaluate(yes if known else no, scope)


def truth(value: Value) -> bool | None:
    """Whether a primitive counts as true; `None` for what is not known."""
    return bool(value) and value is not UNDEFINED if is_primitive(value) else None
