"""`policy`: required tools are called, and forbidden ones are not."""

from collections.abc import Iterable

from evaltui.core.case import TraceCase
from evaltui.core.json_value import Json
from evaltui.core.verdict import Verdict
from evaltui.traces.judges.judge import Judge
from evaltui.traces.pairing import may_call


class PolicyJudge(Judge):
    name = "policy"

    @classmethod
    def demands(cls, case: TraceCase) -> Iterable[Json]:
        yield from (f"required {name}" for name in case.policy.required_tools)
        yield from (f"forbidden {name}" for name in case.policy.forbidden_tools)

    def judge(self, case: TraceCase) -> Verdict:
        """Score: the share of the rules that hold."""
        policy = case.policy
        if not policy:
            return self.skipped("no policy")
        used = {event.tool for event in case.trace if event.type == "tool_call" and event.tool}
        called = {(event.tool or "").strip() for event in case.trace if may_call(event)}
        missing = sorted(name for name in policy.required_tools if name not in used)
        forbidden = sorted(name for name in policy.forbidden_tools if name.strip() in called)
        evidence: dict[str, Json] = {
            "missing_required_tools": missing,
            "forbidden_tools_used": forbidden,
            "used_tools": sorted(used),
        }
        rules = len(policy.required_tools) + len(policy.forbidden_tools)
        broken = len(missing) + len(forbidden)
        if not broken:
            return self.passed("policy satisfied", evidence)
        reason = "policy violations detected"
        return self.failed(reason, evidence, 1 - broken / rules, "policy_failure")
