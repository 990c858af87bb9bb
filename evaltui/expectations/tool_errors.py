"""noToolErrors: every called tool worked, as far as calls were executed at all."""

from collections.abc import Iterator

from msgspec import Struct

from evaltui.core.case import Case
from evaltui.core.check import Check, CheckContext
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.response import Execution, ToolCall
from evaltui.core.verdict import Verdict
from evaltui.expectations.contract_config import ContractConfig
from evaltui.expectations.expected_texts import kind_of
from evaltui.expectations.verdicts import Invalid, failed, passed, shorten

KEY = "noToolErrors"


class NoToolErrors(Struct, frozen=True):
    """With stubs every called tool has one (A10); executed calls report success (A8, A9)."""

    stubs: JsonObject | None
    name: str = KEY
    label: str = KEY

    def run(self, context: CheckContext) -> Verdict:
        calls = context.response.tool_calls
        if self.stubs is not None:
            for call in calls:
                if call.name not in self.stubs:
                    return _failed(call, f"`{call.name}` was called but has no stub", calls)
        if context.response.execution is Execution.REAL:
            for call in calls:
                if call.success is None:
                    what = f"the agent did not report `success` of `{call.name}`"
                    return _failed(call, what, calls, "contract_violation")
                if not call.success:
                    error = f": {shorten(call.error)}" if call.error else ""
                    return _failed(call, f"`{call.name}` failed{error}", calls)
        elif self.stubs is None and context.response.execution is Execution.ROUTING:
            said = "nothing to check, since tools were chosen but not executed"
            return passed(KEY, KEY, said, True, _reported(calls))
        said = f"{len(calls)} of {len(calls)} calls worked" if calls else "no tool was called"
        return passed(KEY, KEY, said, True, _reported(calls))


def no_tool_errors(value: Json, case: Case, config: ContractConfig) -> Iterator[Check]:  # noqa: ARG001
    if value is True:
        yield NoToolErrors(case.stubs)
    elif value is not False:
        what = f"expected true or false but it is {kind_of(value)}"
        yield Invalid(KEY, KEY, what, "Write true to assert it.", KEY, value)


def _failed(
    call: ToolCall, reason: str, calls: tuple[ToolCall, ...], category: str = "assertion"
) -> Verdict:
    more: dict[str, Json] = {"tool": call.name}
    return failed(KEY, KEY, reason, True, _reported(calls), more, category)


def _reported(calls: tuple[ToolCall, ...]) -> Json:
    return [{"name": call.name, "success": call.success} for call in calls]
