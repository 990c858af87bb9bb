"""Judges that compare a run with limits: cost, latency, retries, steps."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar

from evaltui.core.case import TraceCase
from evaltui.core.json_value import Json
from evaltui.core.reported_number import NOISE
from evaltui.core.same_json import canonical
from evaltui.core.trace_times import latencies_ms, tells_no_time
from evaltui.core.verdict import Verdict
from evaltui.traces.judges.judge import Judge, limit_of
from evaltui.traces.measured import KINDS, cost_usd, percentile, tokens, total_tokens


class LimitJudge(Judge):
    """What they share: measured values against limits, which may be reached."""

    exceeded: ClassVar[str]
    """The reason where a limit does not hold."""

    def held(self, measured: Mapping[str, float | None], limits: Mapping[str, float]) -> Verdict:
        """Score: the share of the limits that hold. What was not measured holds no limit."""
        broken: dict[str, Json] = {}
        for name, limit in limits.items():
            value = measured.get(name)
            if value is None or value > limit + NOISE:
                broken[name] = {"limit": limit, "measured": value}
        evidence: dict[str, Json] = {"violations": broken, "measured": dict(measured)}
        if not broken:
            return self.passed(f"{self.name} limits hold", evidence)
        score = 1 - len(broken) / len(limits)
        if all(measured.get(name) is None for name in broken):
            reason = f"what {self.name} limits is not told"
            return self.failed(reason, evidence, score, "contract_violation")
        return self.failed(self.exceeded, evidence, score, "policy_failure")

    def limits(self, names: Sequence[str]) -> dict[str, float]:
        """Those that the settings name."""
        named = [name for name in names if self.config.get(name) is not None]
        return {name: limit_of(self.config, name, 0) for name in named}


class CostBudgetJudge(LimitJudge):
    """Tokens and dollars, of `metadata.token_usage` and of the events' attributes."""

    name = "cost_budget"
    exceeded = "budget violations"
    hard = False

    def judge(self, case: TraceCase) -> Verdict:
        names = ("max_input_tokens", "max_output_tokens", "max_total_tokens", "max_cost_usd")
        limits = self.limits(names)
        if not limits:
            return self.skipped("no limit of cost")
        counts = tokens(case)
        reported = cost_usd(case)
        total = total_tokens(case)
        measured = {f"max_{kind}_tokens": count for kind, count in counts.items()}
        cost = self._estimate(counts) if reported is None else reported
        return self.held({**measured, "max_total_tokens": total, "max_cost_usd": cost}, limits)

    def _estimate(self, counts: Mapping[str, float | None]) -> float | None:
        prices = self.limits([f"{kind}_cost_per_1k" for kind in KINDS])
        if not prices or any(counts[kind] is None for kind in KINDS):
            return None
        return sum(
            (counts[kind] or 0) / 1000 * prices.get(f"{kind}_cost_per_1k", 0) for kind in KINDS
        )


class LatencySloJudge(LimitJudge):
    """Milliseconds of the events: the longest, all together, and two percentiles."""

    name = "latency_slo"
    exceeded = "latency SLO violations"
    hard = False

    def judge(self, case: TraceCase) -> Verdict:
        names = ("event", "total", "p95", "p99")
        limits = self.limits([f"max_{name}_latency_ms" for name in names])
        if not limits:
            return self.skipped("no limit of latency")
        if wrong := [event.idx for event in case.trace if tells_no_time(event)]:
            events: dict[str, Json] = {"events": [{"event_idx": idx} for idx in wrong]}
            return self.failed("a latency is no time", events, category="contract_violation")
        times = sorted(latencies_ms(case.trace))
        if not times:
            return self.failed(
                "latency SLO configured but no latency data", category="contract_violation"
            )
        values = (times[-1], sum(times), percentile(times, 95), percentile(times, 99))
        measured = dict(zip((f"max_{name}_latency_ms" for name in names), values, strict=True))
        return self.held(measured, limits)


class RetryStormJudge(LimitJudge):
    """The same call with the same arguments, again and again."""

    name = "retry_storm"
    exceeded = "retry storm risk"
    hard = False

    def judge(self, case: TraceCase) -> Verdict:
        calls = Counter(
            (event.tool, canonical(event.input))
            for event in case.trace
            if event.type == "tool_call"
        )
        if not calls:
            return self.skipped("no tool calls")
        retries = [count - 1 for count in calls.values()]
        limits = {
            "max_retries_per_call": limit_of(self.config, "max_retries_per_call", 2),
            "max_total_retries": limit_of(self.config, "max_total_retries", 6),
        }
        measured = {"max_retries_per_call": max(retries), "max_total_retries": sum(retries)}
        return self.held(measured, limits)


class LoopGuardJudge(LimitJudge):
    """Steps, attempts, and the same text of the agent, but for white space around it, again and
    again.
    """

    name = "loop_guard"
    exceeded = "looping behavior risk"

    def judge(self, case: TraceCase) -> Verdict:
        said = Counter(
            text
            for event in case.trace
            if event.is_said_by_agent
            if isinstance(event.output, str) and (text := event.output.strip())
        )
        measured = {
            "max_steps": len(case.trace),
            "max_attempts": len({e.attempt for e in case.trace if e.attempt is not None}),
            "max_identical_assistant_messages": max(said.values(), default=0),
        }
        defaults = zip(measured, (40, 3, 3), strict=True)
        return self.held(measured, {n: limit_of(self.config, n, most) for n, most in defaults})
