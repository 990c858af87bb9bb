"""The function of an evaluator that judges in another process."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from msgspec import Struct

from evaltui.core.verdict import Verdict
from evaltui.evaluators.kit.evaltui import EvaluatorContext

Ask = Callable[[Mapping[str, Any], Mapping[str, Any]], Awaitable[Verdict]]
"""With what it sees, in the shape of the contract, and its settings."""


class JudgesElsewhere(Struct, frozen=True):
    """Called as any other; who has what it sees in the shape in which that goes there asks with it,
    since an object of it would be made for nobody."""

    ask: Ask

    def __call__(self, context: EvaluatorContext) -> Awaitable[Verdict]:
        return self.ask(context.raw, context.config)
