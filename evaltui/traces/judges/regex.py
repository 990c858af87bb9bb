"""`regex`: every pattern is found in the final output."""

from collections.abc import Awaitable, Iterable

from evaltui.core.case import TraceCase
from evaltui.core.json_value import Json
from evaltui.core.verdict import Verdict
from evaltui.expectations.pattern import LIMIT_S
from evaltui.expectations.pattern_process import PatternTimeout
from evaltui.traces.final_output import final_output
from evaltui.traces.judges.judge import NO_OUTPUT, Judge, limit_of
from evaltui.traces.patterns import find, find_at_once, pattern_mistake


class RegexJudge(Judge):
    name = "regex"

    @classmethod
    def demands(cls, case: TraceCase) -> Iterable[Json]:
        return case.regex_patterns

    def judge(self, case: TraceCase) -> Verdict | Awaitable[Verdict]:
        """Score: the share of the patterns that are found. One that never ends is given up
        after `timeout_seconds`.
        """
        patterns = case.regex_patterns
        if not patterns:
            return self.skipped("no regex patterns")
        output = final_output(case)
        if output is None:
            evidence = {"missing_patterns": list(patterns)}
            return self.failed(NO_OUTPUT, evidence, category="agent_error")
        text = output if isinstance(output, str) else str(output)
        if wrong := {one: said for one in patterns if (said := pattern_mistake(one))}:
            reason = "regex pattern cannot be read"
            return self.failed(reason, {"invalid_patterns": wrong}, category="parse_error")
        found = [find_at_once(one, text) for one in patterns]
        if None in found:
            return self._slowly(patterns, text, found)
        return self._verdict_on(patterns, [bool(one) for one in found])

    async def _slowly(
        self, patterns: tuple[str, ...], text: str, known: list[bool | None]
    ) -> Verdict:
        found: list[bool] = []
        limit_s = limit_of(self.config, "timeout_seconds", LIMIT_S)
        for pattern, one in zip(patterns, known, strict=True):
            try:
                found.append(await find(pattern, text, limit_s) if one is None else one)
            except PatternTimeout:
                reason = "regex pattern did not finish"
                return self.failed(reason, {"pattern": pattern}, category="timeout")
        return self._verdict_on(patterns, found)

    def _verdict_on(self, patterns: tuple[str, ...], found: list[bool]) -> Verdict:
        missing = [one for one, is_found in zip(patterns, found, strict=True) if not is_found]
        if not missing:
            return self.passed("all regex patterns matched", {"missing_patterns": []})
        score = (len(patterns) - len(missing)) / len(patterns)
        return self.failed("regex pattern mismatch", {"missing_patterns": missing}, score)
