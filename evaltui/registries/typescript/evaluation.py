"""What expressions are worth without running them; the rest is `Unknown`, with its place."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from evaltui.core.errors import Problem, Severity
from evaltui.registries.typescript import names
from evaltui.registries.typescript.budget import Budget
from evaltui.registries.typescript.calls import call, construct
from evaltui.registries.typescript.literals import number, template_text, unescape
from evaltui.registries.typescript.members import item_at, member_of
from evaltui.registries.typescript.module import Module
from evaltui.registries.typescript.objects import array, object_literal
from evaltui.registries.typescript.operators import binary, conditional, unary
from evaltui.registries.typescript.program import Program
from evaltui.registries.typescript.scope import FUNCTION_NODES, Scope
from evaltui.registries.typescript.values import (
    MAX_TEXT,
    UNDEFINED,
    Arr,
    Class,
    External,
    Function,
    Pattern,
    Slot,
    Unknown,
    Value,
    as_text,
    size_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_DEPTH = 160
"""Expressions within expressions, far below Python's own limit."""
_SHOWN = 80
_TRANSPARENT = frozenset((
    "parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression",
    "await_expression", "expression_statement",
))  # fmt: skip


class Evaluator:
    """Evaluates expressions of a program, and notes which files each value came from."""

    def __init__(self, program: Program, is_ended: Callable[[], bool]) -> None:
        self.program = program
        self.budget = Budget(is_ended)
        self._frames: list[dict[str, None]] = [program.visited]
        self._busy: set[tuple[object, ...]] = set()
        self._of_calls: dict[object, tuple[Slot, tuple[str, ...]]] = {}
        self._held: list[object] = []
        self._depth = 0

    def evaluate(self, node: "Node", scope: Scope) -> Value:
        """The value of an expression; never raises."""
        if node.type in _TRANSPARENT or node.type == "type_assertion":
            parts = [part for part in node.named_children if part.type != "comment"]
            index = -1 if node.type == "type_assertion" else 0
            return self.evaluate(parts[index], scope) if parts else self.unknown(node, scope)
        rule = _RULES.get(node.type)
        if rule is None or self._depth >= MAX_DEPTH:
            return self.unknown(node, scope)
        if self._is_too_much(0):
            return self.unknown(node, scope)
        self._depth += 1
        try:
            value = rule(self, node, scope)
        except RecursionError:
            return self.unknown(node, scope)
        finally:
            self._depth -= 1
        size = size_of(value)
        if size and (not self.budget.weigh(size) or self._is_too_much(size)):
            return self.unknown(node, scope)
        return value

    def _is_too_much(self, size: int) -> bool:
        if self.budget.spend(size) and self.budget.called is not None:
            self._give_up(self.budget.called)
        return self.budget.is_spent

    def _give_up(self, function: Function) -> None:
        # All that is under way depends on all files that took part: it is tried again with them.
        parts = dict.fromkeys(file for frame in self._frames[1:] for file in frame)
        for frame in self._frames[1:]:
            frame.update(parts)
        place = self.unknown(function.node, function.scope)
        problem = Problem(
            place.file,
            f"what `{place.expression}` returns takes too many steps to say without running it",
            "Write what depends on it as a text or a constant; until then it is not checked.",
            place.line,
            severity=Severity.WARNING,
            code="too-many-steps",
        )
        deps = tuple({place.file: None, **parts})
        function.scope.module.give_up(function.node, problem, deps)

    def unknown(self, node: "Node", scope: Scope) -> Unknown:
        """The value that `node` has when the code runs, which nobody knows before."""
        module = scope.module
        text = " ".join(module.text(node)[: 4 * _SHOWN].split())
        shown = text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
        return Unknown(shown, module.shown, node.start_point[0] + 1)

    def blame(self, value: Value, node: "Node", scope: Scope) -> Unknown:
        """Why `value`, written as `node`, cannot be used."""
        return value if isinstance(value, Unknown) else self.unknown(node, scope)

    def member(self, value: Value, key: str | int, node: "Node", scope: Scope) -> Value:
        """`value[key]`."""
        return member_of(value, key, node, scope, self)

    def arguments(self, node: "Node", scope: Scope) -> Arr:
        return array(self, node, scope)

    def touch(self, files: tuple[str, ...]) -> None:
        """Note that these files took part in what is being worked out."""
        self._frames[-1].update(dict.fromkeys(files))
        if len(self._frames) > 1:
            self.program.visited.update(dict.fromkeys(files))

    def watched(self, module: Module, work: "Callable[[], Value]") -> tuple[Value, tuple[str, ...]]:
        """The result of `work` and the files that took part in it, `module` first."""
        self._frames.append({module.shown: None})
        try:
            value = work()
        finally:
            deps = tuple(self._frames.pop())
            self.touch(deps)
        return value, deps

    def remember(
        self,
        module: Module,
        key: object,
        node: "Node",
        work: "Callable[[], Slot]",
        scope: Scope | None = None,
    ) -> Slot:
        """`work()`, done once until a file that it read changes; a circle ends as unknown.

        In a `scope` with arguments of a call it is done once for these, in this reading only.
        """
        bound = [item.bound for item in scope.around if item.bound is not None] if scope else []
        memo = self._of_calls if bound else module.memo
        place = (module.path, key, *map(id, bound))
        known = memo.get(place if bound else key)
        if known is not None:
            self.touch(known[1])
            slot: Slot = known[0]
            return slot
        if place in self._busy:
            name = key[1] if isinstance(key, tuple) and len(key) > 1 else key
            line = node.start_point[0] + 1
            return Slot(Unknown(f"circular {name}", module.shown, line), module, node)
        self._busy.add(place)
        self._frames.append({module.shown: None})
        try:
            slot = work()
        finally:
            self._busy.discard(place)
            deps = tuple(self._frames.pop())
            self.touch(deps)
        memo[place if bound else key] = (slot, deps)
        # An id is only an argument list's own for as long as that lives.
        self._held += bound
        return slot


def _string(_: Evaluator, node: "Node", scope: Scope) -> Value:
    return unescape(scope.module.text(node)[1:-1])


def _template(evaluator: Evaluator, node: "Node", scope: Scope) -> Value:
    data, position, parts = scope.module.data, node.start_byte + 1, list[str]()
    for child in node.named_children:
        if child.type != "template_substitution":
            continue
        parts.append(template_text(data[position : child.start_byte].decode("utf-8", "replace")))
        position = child.end_byte
        inner = next((part for part in child.named_children if part.type != "comment"), None)
        if inner is None:
            return evaluator.unknown(node, scope)
        value = evaluator.evaluate(inner, scope)
        text = as_text(value)
        if text is None:
            return evaluator.blame(value, inner, scope)
        parts.append(text)
    parts.append(template_text(data[position : node.end_byte - 1].decode("utf-8", "replace")))
    whole = "".join(parts)
    return whole if len(whole) <= MAX_TEXT else evaluator.unknown(node, scope)


def _number(evaluator: Evaluator, node: "Node", scope: Scope) -> Value:
    value = number(scope.module.text(node))
    return evaluator.unknown(node, scope) if value is None else value


def _name(evaluator: Evaluator, node: "Node", scope: Scope) -> Value:
    return names.look_up(scope.module.text(node), node, scope, evaluator)


def _member(evaluator: Evaluator, node: "Node", scope: Scope) -> Value:
    target, key = node.child_by_field_name("object"), node.child_by_field_name("property")
    if target is None or key is None:
        return evaluator.unknown(node, scope)
    value = evaluator.evaluate(target, scope)
    return evaluator.member(value, scope.module.text(key), node, scope)


def _last(evaluator: Evaluator, node: "Node", scope: Scope) -> Value:
    return evaluator.evaluate(node.named_children[-1], scope)


def _regex(_: Evaluator, node: "Node", scope: Scope) -> Value:
    pattern, flags = (node.child_by_field_name(name) for name in ("pattern", "flags"))
    text = scope.module.text
    return Pattern(text(pattern) if pattern else "", text(flags) if flags else "")


_Rule: TypeAlias = Callable[[Evaluator, "Node", Scope], Value]
_RULES: dict[str, _Rule] = {
    "string": _string,
    "template_string": _template,
    "number": _number,
    "true": lambda *_: True,
    "false": lambda *_: False,
    "null": lambda *_: None,
    "undefined": lambda *_: UNDEFINED,
    "identifier": _name,
    "shorthand_property_identifier": _name,
    "member_expression": _member,
    "subscript_expression": item_at,
    "object": object_literal,
    "array": array,
    "regex": _regex,
    "binary_expression": binary,
    "unary_expression": unary,
    "ternary_expression": conditional,
    "call_expression": call,
    "sequence_expression": _last,
    "assignment_expression": _last,
    "new_expression": construct,
    "class": lambda _, node, scope: Class(node, scope),
    "this": lambda *_: External("", "this"),
    **{kind: (lambda _, node, scope: Function(node, scope)) for kind in FUNCTION_NODES},
}
