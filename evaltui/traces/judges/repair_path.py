"""`repair_path`: attempts of a repair loop follow one another, and few are better than many."""

from collections.abc import Mapping
from itertools import pairwise

from evaltui.core.case import TraceCase
from evaltui.core.verdict import Verdict
from evaltui.traces.judges.judge import Judge


class RepairPathJudge(Judge):
    name = "repair_path"
    hard = False
    of_loop = True

    def judge(self, case: TraceCase) -> Verdict:
        """Score: one over the number of attempts."""
        history = case.metadata.get("attempt_history")
        if not isinstance(history, list) or not history:
            return self.skipped("no attempt history")
        ids = [one.get("attempt") if isinstance(one, Mapping) else None for one in history]
        numbers = [one for one in ids if type(one) is int]
        if len(numbers) < len(ids) or any(after <= before for before, after in pairwise(numbers)):
            reason = "repair path violations"
            return self.failed(reason, {"attempts": ids}, category="contract_violation")
        return self.passed("repair path is consistent", {"attempts": ids}, 1 / len(ids))
