"""`trajectory_step`: every call has its result, every result its call, and errors are mended."""

import re
from typing import NamedTuple

from evaltui.core.case import TraceCase
from evaltui.core.json_value import Json
from evaltui.core.trace import Event
from evaltui.core.verdict import Verdict
from evaltui.traces.judges.judge import Judge
from evaltui.traces.pairing import attempt_of, belong

_TIMEOUT = re.compile(r"time[ds]?[ _-]?out|deadline", re.IGNORECASE)


class TrajectoryStepJudge(Judge):
    """Calls may be under way together: a result belongs to the call whose id it names, else to the
    oldest open one of its tool.

    A tool that failed and was not called again with success fails the case, as an error of the
    agent itself does; only an attempt that comes after all before it mends both. What was called
    before the failure was told, as beside it, is not called again.
    `allow_tool_errors` in its settings leaves the first aside.
    """

    name = "trajectory_step"

    def judge(self, case: TraceCase) -> Verdict:
        """Score: the share of calls and results that stand where they belong."""
        if not case.trace:
            return self.failed("empty trace", category="agent_error")
        steps = _Steps()
        for event in case.trace:
            steps.take(event)
        unresolved: list[Json] = [_place(one.event) for one in steps.unresolved]
        errors = [] if self.config.get("allow_tool_errors") is True else steps.lasting_errors()
        broken = len(unresolved) + len(steps.orphans)
        evidence: dict[str, Json] = {
            "unresolved_calls": unresolved,
            "results_without_call": [_place(one) for one in steps.orphans],
            "errors": [{**_place(one), "error": one.error} for one in (*errors, *steps.own_errors)],
        }
        if broken:
            score = 1 - broken / max(1, steps.checked)
            reason = "trajectory step violations"
            return self.failed(reason, evidence, max(0.0, score), "contract_violation")
        if found := (*steps.own_errors, *errors):
            is_late = any(_TIMEOUT.search(one.error or "") for one in found)
            category = "timeout" if is_late else "agent_error"
            reason = "the agent failed" if steps.own_errors else "a tool failed and was not mended"
            return self.failed(reason, evidence, category=category)
        return self.passed("trajectory steps satisfied", evidence)


class _Placed(NamedTuple):
    """A call or a failure, and how many calls and results it came after."""

    event: Event
    after: int


class _Steps:
    """Calls that are open, by attempt, and what did not fit."""

    def __init__(self) -> None:
        self._open: dict[int, list[_Placed]] = {}
        self.orphans: list[Event] = []
        self.own_errors: list[Event] = []
        """Of the agent's last attempt."""
        self.checked = 0
        self._failed: dict[str, _Placed] = {}
        """By tool, the last failure, while it is not mended."""
        self._attempt = 0
        """The highest until now."""

    @property
    def unresolved(self) -> list[_Placed]:
        """Calls without a result."""
        return [one for calls in self._open.values() for one in calls]

    def take(self, event: Event) -> None:
        attempt = attempt_of(event)
        if attempt > self._attempt:  # a new attempt mends what those before did wrong
            self._attempt = attempt
            self._failed.clear()
            self.own_errors.clear()
        if event.type == "tool_call":
            self.checked += 1
            self._open.setdefault(attempt, []).append(_Placed(event, self.checked))
        elif event.type == "tool_result":
            self.checked += 1
            self._resolve(event)
        elif event.is_said_by_agent and event.error:
            self.own_errors.append(event)

    def lasting_errors(self) -> list[Event]:
        return [one.event for one in self._failed.values()]

    def _resolve(self, result: Event) -> None:
        calls = self._open.get(attempt_of(result), [])
        found = next((one for one in calls if belong(one.event, result)), None)
        if found is None:
            self.orphans.append(result)
            return
        calls.remove(found)
        call = found.event
        tool, failed = call.tool or "", self._failed.get(call.tool or "")
        if result.error or call.error:
            self._failed[tool] = _Placed(result if result.error else call, self.checked)
        elif failed is not None and found.after > failed.after:
            del self._failed[tool]


def _place(event: Event) -> dict[str, Json]:
    return {"event_idx": event.idx, "tool": event.tool}
