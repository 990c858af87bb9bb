"""What custom evaluators are written with: `from evaltui import define_evaluator`.

The standard library only, and any Python from 3.9 on: a project's own interpreter finds it without
anything being installed.
"""

from .evaluation_result import EvaluationResult, failed, measured, passed, skipped
from .evaluator_context import (
    EvaluatorContext,
    Invocation,
    PersonaFacts,
    ScenarioFacts,
    ToolUse,
    message_text,
)
from .evaluator_definition import EvaluatorDefinition, define_evaluator

__all__ = [
    "EvaluationResult",
    "EvaluatorContext",
    "EvaluatorDefinition",
    "Invocation",
    "PersonaFacts",
    "ScenarioFacts",
    "ToolUse",
    "define_evaluator",
    "failed",
    "measured",
    "message_text",
    "passed",
    "skipped",
]
