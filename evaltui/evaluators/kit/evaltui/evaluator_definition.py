"""What an evaluator is: a type, a label, and a function that judges one turn."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional  # noqa: UP035  any Python from 3.9 on

from .evaluator_context import EvaluatorContext

TIMEOUT_S = 30.0


@dataclass(frozen=True)
class EvaluatorDefinition:
    """Calling it calls `evaluate`, so that a test of it needs nothing else."""

    type: str
    """Its name in eval files; no other evaluator has it."""
    label: str
    kind: str
    """`assertion`: decides; `metric`: only measures."""
    evaluate: Callable[[EvaluatorContext], Any]
    """Gives an `EvaluationResult`, or one that is awaited."""
    description: Optional[str] = None  # noqa: UP045
    config_schema: Optional[Mapping[str, Any]] = None  # noqa: UP045
    """JSON Schema of `config`, 2020-12 unless `$schema` says otherwise."""
    timeout: float = TIMEOUT_S
    """Seconds."""
    hard: bool = True
    """Whether a failure is one of those that no repair may leave behind."""
    auto: bool = False
    """Whether it also judges scenarios that do not name it, without settings."""

    def __call__(self, ctx: EvaluatorContext) -> Any:
        return self.evaluate(ctx)


def define_evaluator(
    type: str,
    *,
    label: str,
    kind: str = "assertion",
    description: str | None = None,
    config_schema: Any = None,
    timeout: float = TIMEOUT_S,
    hard: bool = True,
    auto: bool = False,
) -> Callable[[Callable[[EvaluatorContext], Any]], EvaluatorDefinition]:
    """Make an evaluator of a function; without `description` its docstring is one.

    `config_schema`: a JSON Schema, or a class of pydantic whose schema counts. `timeout` in
    seconds. `auto`: it judges every scenario.
    """
    of_class = getattr(config_schema, "model_json_schema", None)
    schema = of_class() if callable(of_class) else config_schema

    def define(evaluate: Callable[[EvaluatorContext], Any]) -> EvaluatorDefinition:
        described = description or inspect.getdoc(evaluate) or None
        return EvaluatorDefinition(
            type, label, kind, evaluate, described, schema, timeout, hard, auto
        )

    return define
