"""The evaluators that a child says it has, as definitions."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from evaltui.core.errors import Problem
from evaltui.evaluators.kit.evaltui import EvaluatorDefinition
from evaltui.evaluators.loading_problems import invalid_export
from evaltui.evaluators.plugin_entry import PluginEntry


def told_definitions(
    listed: Sequence[object], entry: PluginEntry
) -> list[EvaluatorDefinition] | Problem:
    """What is wrong with them where they are none; their function judges nothing here."""
    made: list[EvaluatorDefinition] = []
    for number, one in enumerate(listed, 1):
        wrong = f"evaluator {number} is no object" if not isinstance(one, Mapping) else ""
        values: Mapping[str, Any] = one if isinstance(one, Mapping) else {}
        for name in ("type", "label"):
            text = values.get(name)
            if not wrong and not (isinstance(text, str) and text.strip()):
                wrong = f"`{name}` of evaluator {number} is no text"
        if not wrong and values.get("kind") not in ("assertion", "metric"):
            wrong = f"`kind` of evaluator {number} is neither assertion nor metric"
        schema = values.get("configSchema")
        if not wrong and not isinstance(schema, Mapping | None):
            wrong = f"`configSchema` of evaluator {number} is no object"
        if wrong:
            return invalid_export(entry, wrong)
        timeout = values.get("timeoutSeconds", entry.source.timeout_s)
        with suppress(TypeError, ValueError, OverflowError):
            timeout = float(timeout)
        made.append(
            EvaluatorDefinition(
                values["type"],
                values["label"],
                values["kind"],
                _not_here,
                str(values["description"]) if values.get("description") else None,
                schema,
                timeout if isinstance(timeout, float) and timeout > 0 else entry.source.timeout_s,
                values.get("hard") is not False,
                values.get("auto") is True,
            )
        )
    return made or invalid_export(entry, "it lists no evaluator")


def _not_here(_: object) -> None:
    raise AssertionError("evaluators of a project run in their own process")
