"""Turns what an evaluator returned into a verdict; anything else is an error of the evaluator.

Whatever passes here can be written later: into result files, streams of events, pages.
"""

from collections.abc import Mapping

from evaltui.core.json_value import Json
from evaltui.core.measured_number import kept
from evaltui.core.nesting import TOO_DEEP, is_too_deep
from evaltui.core.reported_number import finite
from evaltui.core.verdict import Kind, Verdict, VerdictStatus
from evaltui.disk.codec import encode, whole
from evaltui.evaluators.kit.evaltui import EvaluationResult, EvaluatorDefinition

MOST_BYTES = 1024 * 1024
"""Of the metadata of one verdict, as JSON."""
MOST_TEXT = 100_000
"""Characters of a reason."""
RETURN = "return passed(…), failed(…), measured(…) or skipped(…)"
RETURN_OBJECT = "return `{ success, reason }`, where wanted with `value` and `metadata`"
"""In other languages than Python, where the kit is not."""
_WORDS = {"success": "passed", "value": "score", "metadata": "evidence", "reason": "reason"}
"""Keys of the evaluators' contract, and how the repair loop's judges call them."""


def verdict_of(
    definition: EvaluatorDefinition, said: object, duration_ms: float, advice: str = RETURN
) -> Verdict:
    """The verdict of a result: an object of the kit, or one of JSON. `advice`: what to return."""
    if isinstance(said, EvaluationResult):
        said = said.to_json()
    if not isinstance(said, Mapping):
        returned = "nothing" if said is None else type(said).__name__
        return error_verdict(definition, f"it returned {returned}; {advice}", duration_ms)
    values = {key: said.get(key, said.get(other)) for key, other in _WORDS.items()}
    if wrong := _mistake(values):
        return error_verdict(definition, wrong, duration_ms)
    is_passed, value, evidence = values["success"], values["value"], whole(values["metadata"])
    if evidence and len(encode(evidence)) > MOST_BYTES:
        what = f"`metadata` is more than {MOST_BYTES // 1024} KiB of JSON"
        return error_verdict(definition, what, duration_ms)
    status = VerdictStatus.PASSED if is_passed else VerdictStatus.FAILED
    if is_passed and said.get("skipped") is True:
        status = VerdictStatus.SKIPPED
    return Verdict(
        check=definition.type,
        status=status,
        reason=_text(str(values["reason"] or "")),
        label=definition.label,
        kind=Kind(definition.kind),
        value=None if value is None else kept(value),
        evidence=evidence or {},
        duration_ms=duration_ms,
        hard=definition.hard,
        category="" if status is not VerdictStatus.FAILED else "assertion",
    )


def error_verdict(
    definition: EvaluatorDefinition,
    message: str,
    duration_ms: float = 0.0,
    evidence: Mapping[str, Json] | None = None,
) -> Verdict:
    """The evaluator itself failed: its own verdict is an error, and nothing else."""
    return Verdict(
        check=definition.type,
        status=VerdictStatus.ERROR,
        reason=f"Evaluator error: {_text(message)}",
        label=definition.label,
        kind=Kind(definition.kind),
        evidence=whole(evidence or {}),
        duration_ms=duration_ms,
        hard=definition.hard,
        category="judge_error",
    )


def _mistake(values: Mapping[str, object]) -> str:
    success, value = values["success"], values["value"]
    if not isinstance(success, bool):
        return f"`success` is {_shown(success)} instead of true or false"
    if not isinstance(values["reason"], str | None):
        return f"`reason` is {_shown(values['reason'])} instead of text"
    if isinstance(value, bool) or not isinstance(value, int | float | None):
        return f"`value` is {_shown(value)} instead of a number"
    if value is not None and finite(value) is None:
        return f"`value` is {value}, which is not a finite number"
    if not isinstance(values["metadata"], Mapping | None):
        return f"`metadata` is {_shown(values['metadata'])} instead of an object"
    if is_too_deep(values["metadata"]):
        return f"`metadata` is {TOO_DEEP}"
    return ""


def _text(text: str) -> str:
    return str(whole(text if len(text) <= MOST_TEXT else f"{text[:MOST_TEXT]}…"))


def _shown(value: object) -> str:
    if value is None:
        return "missing"
    text = f'"{value}"' if isinstance(value, str) and value not in _NO_NUMBERS else str(value)
    return f"`{text}`" if len(text) <= 40 else f"`{text[:40]}…`"


_NO_NUMBERS = ("NaN", "Infinity", "-Infinity")
"""What JavaScript has for numbers that JSON has not; its bridge tells them as these texts."""
