"""The gate's decision, with its reasons and the thresholds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.tui.render.glyphs import FAILED, OTHER_DECISION, PASSED, Mark

if TYPE_CHECKING:
    from evaltui.evidence.gates.gate_decision import GateDecision
    from evaltui.tui.render.text_builder import TextBuilder


def gate_mark(decision: GateDecision) -> Mark:
    if decision.is_outdated:
        return OTHER_DECISION
    return PASSED if decision.passed else FAILED


def write_gate(builder: TextBuilder, decision: GateDecision) -> None:
    builder.write(builder.mark(gate_mark(decision)))
    # Loaded late: the header draws the mark, and few decisions name waivers.
    from evaltui.evidence.gates.waiver_words import waived_in_words

    for reason in decision.failures:
        builder.write(("- ", "quiet"), reason, hang=2)
    for warning in decision.warnings:
        builder.write((warning, "severity-warning"), hang=2)
    if waived := waived_in_words(decision.waiver_refs):
        builder.heading("Not counted")
    for one in waived:
        builder.write(("- ", "quiet"), one, hang=2)
    held = {name: one for name, one in decision.thresholds.items() if one is not None}
    if held:
        builder.heading("Held against")
    for name, bound in held.items():
        builder.write((f"{name} ", "quiet"), str(bound), hang=2)
