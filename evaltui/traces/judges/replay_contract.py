"""`replay_contract`: always judged, before everything else."""

from evaltui.core.case import TraceCase
from evaltui.core.verdict import Verdict
from evaltui.traces.judges.judge import Judge
from evaltui.traces.replay_contract import replay_issues


class ReplayContract(Judge):
    name = "replay_contract"

    def judge(self, case: TraceCase) -> Verdict:
        issues = replay_issues(case.trace)
        if not issues:
            return self.passed("replay contract satisfied", {"issues": []})
        reason = "replay contract violations"
        return self.failed(reason, {"issues": list(issues)}, category="contract_violation")
