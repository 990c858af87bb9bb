"""noToolErrors: every called tool worked, as far as calls were executed at all."""

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from evaltui.core.check import Check, CheckContext
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.response import Execution, ToolCall
from evaltui.core.verdict import Verdict
from evaltui.expectations.assertion import Assertion, Written
from evaltui.expectations.read_value import flag
from evaltui.expectations.verdicts import Invalid, failed, passed, shorten


class NoToolErrors(Assertion, frozen=True):
    """With stubs every called tool has one (A10); executed calls report success (A8, A9)."""

    name: ClassVar[str] = "noToolErrors"
    schema: ClassVar[JsonObject] = {
        "type": "boolean",
        "description": "Every called tool reports success, and has a stub if there are stubs.",
    }

    stubs: JsonObject | None

    @classmethod
    def read(cls, written: Written) -> Iterator[Check]:
        is_asserted = flag(cls.name, written.value)
        if isinstance(is_asserted, Invalid):
            yield is_asserted
        elif is_asserted:
            yield cls(written.case.stubs)

    def demands(self) -> Iterable[Json]:
        """What a stub answers is no demand."""
        return [True]

    def run(self, context: CheckContext) -> Verdict:
        calls = context.response.tool_calls
        if (call := _without_stub(self.stubs, calls)) is not None:
            return self._failed(call, _no_stub(call), calls)
        if context.response.execution is Execution.REAL:
            for call in calls:
                if call.success is None:
                    what = f"the agent did not report `success` of `{call.name}`"
                    return self._failed(call, what, calls, "contract_violation")
                if not call.success:
                    error = f": {shorten(call.error)}" if call.error else ""
                    return self._failed(call, f"`{call.name}` failed{error}", calls)
        elif self.stubs is None and context.response.execution is Execution.ROUTING:
            said = "nothing to check, since tools were chosen but not executed"
            return passed(self, said, True, _reported(calls))
        said = f"{len(calls)} of {len(calls)} calls worked" if calls else "no tool was called"
        return passed(self, said, True, _reported(calls))

    @classmethod
    def still_fails(cls, value: Json, stubs: JsonObject | None, calls: Sequence[ToolCall]) -> str:
        call = _without_stub(stubs, calls) if value is True else None
        return _no_stub(call) if call is not None else ""

    def _failed(
        self,
        call: ToolCall,
        reason: str,
        calls: Sequence[ToolCall],
        category: str = "assertion",
    ) -> Verdict:
        more: dict[str, Json] = {"tool": call.name}
        return failed(self, reason, True, _reported(calls), more, category)


def _without_stub(stubs: JsonObject | None, calls: Sequence[ToolCall]) -> ToolCall | None:
    """The first call that has none, where there are stubs."""
    return next((call for call in calls if stubs is not None and call.name not in stubs), None)


def _no_stub(call: ToolCall) -> str:
    return f"`{call.name}` was called but has no stub"


def _reported(calls: Sequence[ToolCall]) -> Json:
    return [{"name": call.name, "success": call.success} for call in calls]
