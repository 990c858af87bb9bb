"""Judges that hold what a run took against limits: cost, latency, retries, steps."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, isfinite

from evaltui.core.case import TraceCase
from evaltui.core.json_value import Json
from evaltui.core.verdict import Verdict
from evaltui.traces.final_output import AGENTS, TOOL_EVENTS
from evaltui.traces.judges.expected_output import canonical
from evaltui.traces.judges.judge import Judge, limit_of

NOISE = 1e-9
"""A sum of prices is off by so much, though not by more."""


class LimitJudge(Judge):
    """What they share: measured values against limits, which may be reached."""

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
        return self.failed(f"{self.name} limits exceeded", evidence, score, "policy_failure")

    def limits(self, names: Sequence[str]) -> dict[str, float]:
        """Those that the settings name."""
        named = [name for name in names if self.config.get(name) is not None]
        return {name: limit_of(self.config, name, 0) for name in named}


class CostBudgetJudge(LimitJudge):
    """Tokens and dollars, of `metadata.token_usage` and of the events' attributes."""

    name = "cost_budget"
    hard = False

    def judge(self, case: TraceCase) -> Verdict:
        names = ("max_input_tokens", "max_output_tokens", "max_total_tokens", "max_cost_usd")
        limits = self.limits(names)
        if not limits:
            return self.skipped("no limit of cost")
        given = list(_usages(case))
        tokens = {kind: _sum(one.get(f"{kind}_tokens") for one in given) for kind in _KINDS}
        costs = [cost for one in given if (cost := _number(one.get("cost_usd"))) is not None]
        total = _sum(tokens.values())
        measured = {f"max_{kind}_tokens": count for kind, count in tokens.items()}
        cost = costs[-1] if costs else self._estimate(tokens)
        return self.held({**measured, "max_total_tokens": total, "max_cost_usd": cost}, limits)

    def _estimate(self, tokens: Mapping[str, float | None]) -> float | None:
        prices = self.limits([f"{kind}_cost_per_1k" for kind in _KINDS])
        if not prices or any(tokens[kind] is None for kind in _KINDS):
            return None
        return sum(
            (tokens[kind] or 0) / 1000 * prices.get(f"{kind}_cost_per_1k", 0) for kind in _KINDS
        )


class LatencySloJudge(LimitJudge):
    """Milliseconds of the events: the longest, all together, and two percentiles."""

    name = "latency_slo"
    hard = False

    def judge(self, case: TraceCase) -> Verdict:
        names = ("event", "total", "p95", "p99")
        limits = self.limits([f"max_{name}_latency_ms" for name in names])
        if not limits:
            return self.skipped("no limit of latency")
        found = (
            event.latency_ms if event.latency_ms is not None else event.attributes.get("latency_ms")
            for event in case.trace
        )
        times = sorted(one for each in found if (one := _number(each)) is not None)
        if not times:
            return self.failed("no latency data", category="contract_violation")
        values = (times[-1], sum(times), _percentile(times, 95), _percentile(times, 99))
        measured = dict(zip((f"max_{name}_latency_ms" for name in names), values, strict=True))
        return self.held(measured, limits)


class RetryStormJudge(LimitJudge):
    """The same call with the same arguments, again and again."""

    name = "retry_storm"
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
    """Steps, attempts, and the same message of the agent again and again."""

    name = "loop_guard"

    def judge(self, case: TraceCase) -> Verdict:
        said = Counter(
            canonical(event.output)
            for event in case.trace
            if event.actor in AGENTS and event.type not in TOOL_EVENTS and event.output is not None
        )
        measured = {
            "max_steps": len(case.trace),
            "max_attempts": len({e.attempt for e in case.trace if e.attempt is not None}),
            "max_identical_assistant_messages": max(said.values(), default=0),
        }
        defaults = zip(measured, (40, 3, 3), strict=True)
        return self.held(measured, {n: limit_of(self.config, n, most) for n, most in defaults})


_KINDS = ("input", "output")


def _usages(case: TraceCase) -> Iterator[Mapping[str, Json]]:
    """What is told of tokens and cost, by the names of `token_usage`."""
    if isinstance(told := case.metadata.get("token_usage"), Mapping):
        yield told
    for event in case.trace:
        yield {
            name: event.attributes.get(
                f"gen_ai.usage.{name}", event.attributes.get(f"usage.{name}")
            )
            for name in ("input_tokens", "output_tokens", "cost_usd")
        }


def _number(value: Json) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        return None
    return float(value)


def _sum(values: Iterable[Json]) -> float | None:
    """Of what is a number; `None` when nothing is."""
    known = [one for each in values if (one := _number(each)) is not None]
    return sum(known) if known else None


def _percentile(times: Sequence[float], percent: int) -> float:
    """By nearest rank, of sorted times."""
    return times[max(0, ceil(percent / 100 * len(times)) - 1)]
