"""A decision for people and for JSON: probabilities, terms, matched words, what filled what."""

from evaltui.agents.embedded.decision import Candidate, Decision
from evaltui.core.json_value import Json
from evaltui.core.score_change import NO_WORD_IN_COMMON


def explain(decision: Decision) -> list[str]:
    """Plain text, one fact a line; the best tools first."""
    called = ", ".join(f"`{tool}`" for tool in decision.tools) or "no tool"
    lines = [f"called {called}; threshold {decision.call_at:.2f}; margin {decision.margin:.2f}"]
    lines += [f"warning: {said}" for said in (*decision.warnings, *decision.notes)]
    if not decision.candidates:
        lines.append(NO_WORD_IN_COMMON)
    for candidate in decision.candidates:
        lines += _lines(candidate, candidate.tool in decision.tools)
    return lines


def _lines(candidate: Candidate, is_called: bool) -> list[str]:
    terms = candidate.terms
    weighted = ", ".join(
        f"{name} {value:+.2f}" for name, value in zip(terms._fields, terms, strict=True)
    )
    mark = "*" if is_called else " "
    lines = [f"{mark} {candidate.tool}  p {candidate.p:.3f}: {weighted}"]
    by_field: dict[str, list[str]] = {}
    for stem, fields in candidate.matched.items():
        for field in fields:
            by_field.setdefault(field, []).append(stem)
    lines += [f"    {field}: {', '.join(found)}" for field, found in by_field.items()]
    if candidate.against:
        lines.append(f"    not for: {', '.join(candidate.against)}")
    lines += [
        f"    {filled.parameter} = {filled.value!r} from `{filled.source}`"
        f" ({filled.confidence:.2f})"
        for filled in candidate.filled
    ]
    return lines


def as_json(decision: Decision) -> dict[str, Json]:
    """The same for `AgentResponse.explanation`, figures rounded to 4 digits."""
    return {
        "called": list(decision.tools),
        "callAt": decision.call_at,
        "margin": round(decision.margin, 4),
        "warnings": list(decision.warnings),
        "tools": [
            {
                "name": candidate.tool,
                "p": round(candidate.p, 4),
                "terms": {
                    name: round(value, 4)
                    for name, value in zip(candidate.terms._fields, candidate.terms, strict=True)
                },
                "matched": candidate.matched,
                "against": candidate.against,
                "params": {
                    filled.parameter: {
                        "value": filled.value,
                        "from": filled.source,
                        "confidence": round(filled.confidence, 4),
                    }
                    for filled in candidate.filled
                },
            }
            for candidate in decision.candidates
        ],
    }
