"""How much a comparison matters for a release, and where to look first."""

from collections.abc import Mapping, Sequence
from typing import Any

MOST_FIXES = 15
_LEVELS = (
    (60.0, "critical", "block"),
    (30.0, "high", "block_or_explicit_waiver"),
    (12.0, "medium", "review_before_release"),
    (0.0, "low", "proceed"),
)
_FIXES = {
    "tool_contract": "Compare the arguments of the calls with the contracts of their tools.",
    "policy": "Look at which tools the agent chose, and at what its prompt says of them.",
    "regex": "Compare the final output with the patterns.",
    "json_schema": "Compare the final output with the schema; ask the model for structured output.",
    "trajectory_step": "Look for calls without results and tools that failed for good.",
    "replay_contract": "Correct the import or the writer of the traces.",
    "expected_output": "Compare the final output with what the case expects.",
    "expected_exact": "Compare the texts letter by letter, or judge with `expected_normalized`.",
    "expected_normalized": "Compare the wording of the final output with the expected one.",
    "expected_numeric": "Compare the number with the expected one and the tolerance.",
    "expected_set": "Look for items that are missing or too many in the final output.",
    "expected_json_subset": "Look for keys that are missing or differ in the final output.",
    "repair_path": "Look at how the attempts are numbered in the trace.",
    "lean": "Run the checker by itself on the case's `metadata.lean_payload`.",
    "cost_budget": "Look for the turns with most tokens; shorten their context, or the prompt.",
    "latency_slo": "Look for the slowest events; make that tool or model faster, or ask it less.",
    "retry_storm": "Look at why the repeated call fails; let the agent change it, or stop.",
    "loop_guard": "Look for the step at which the agent repeats itself; tell it when it is done.",
    "tool_abuse": "Offer the agent fewer tools, and look at what made it call these so often.",
    "prompt_injection": "Look at where the text came from; have the agent take it for data only.",
}


def risk_level(deltas: Mapping[str, float], regressed: int) -> str:
    """`high`, `medium` or `low`, by the changes of the rates and the number of worse cases."""
    if deltas["hard_fail_rate"] > 0.1 or regressed >= 10:
        return "high"
    if deltas["pass_rate"] < -0.03 or deltas["hard_fail_rate"] > 0.02 or regressed:
        return "medium"
    return "low"


def release_impact(deltas: Mapping[str, float], regressed: int, new_hard: int) -> dict[str, Any]:
    """A score from 0 to 100, its level, and what to do."""
    score = min(
        100.0,
        120 * max(0.0, -deltas["pass_rate"])
        + 150 * max(0.0, deltas["hard_fail_rate"])
        + 2.5 * regressed
        + 5 * new_hard,
    )
    _, level, advice = next(one for one in _LEVELS if score >= one[0])
    return {"impact_score": round(score, 2), "impact_level": level, "recommendation": advice}


def triage(ranked: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Kinds of failure that became more, the most first, with a hint for the known judges."""
    rows = []
    for row in [one for one in ranked if one["delta"] > 0][:MOST_FIXES]:
        judge, _, reason = row["cluster"].partition(":")
        fix = _FIXES.get(judge, "Look at the verdicts of this judge.")
        rows.append({**row, "judge_id": judge, "reason": reason, "suggested_fix": fix})
    return {"top_clusters": rows, "suggested_fixes_count": len(rows)}
