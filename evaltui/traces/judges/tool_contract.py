"""`tool_contract`: calls have their required arguments and no forbidden ones."""

from collections.abc import Iterable, Mapping

from evaltui.core.case import TraceCase
from evaltui.core.json_value import Json
from evaltui.core.verdict import Verdict
from evaltui.traces.judges.judge import Judge


class ToolContractJudge(Judge):
    name = "tool_contract"

    @classmethod
    def demands(cls, case: TraceCase) -> Iterable[Json]:
        """One is that any of the tools is called: with a further tool it is another demand."""
        if case.tool_contracts:
            yield sorted(case.tool_contracts)
        for tool, contract in case.tool_contracts.items():
            yield from (f"{tool}\0required {name}" for name in contract.required_args)
            yield from (f"{tool}\0forbidden {name}" for name in contract.forbidden_args)

    def judge(self, case: TraceCase) -> Verdict:
        """Score: the share of the calls under a contract that keep it."""
        if not case.tool_contracts:
            return self.skipped("no tool contracts")
        violations: list[Json] = []
        checked = 0
        for event in case.trace:
            contract = case.tool_contracts.get(event.tool or "")
            if event.type != "tool_call" or contract is None:
                continue
            checked += 1
            given = event.input if isinstance(event.input, Mapping) else {}
            missing = [name for name in contract.required_args if name not in given]
            present = [name for name in contract.forbidden_args if name in given]
            if missing or present:
                violations.append(
                    {
                        "event_idx": event.idx,
                        "tool": event.tool,
                        "missing_required_args": missing,
                        "forbidden_args_present": present,
                    }
                )
        evidence: dict[str, Json] = {"violations": violations, "calls_checked": checked}
        if not checked:
            reason = "tool contracts configured but no matching tool calls were found"
            return self.failed(reason, evidence, 0.0, "contract_violation")
        if not violations:
            return self.passed("tool contracts satisfied", evidence)
        score = 1 - len(violations) / checked
        reason = "tool contract violations"
        return self.failed(reason, evidence, score, "contract_violation")
