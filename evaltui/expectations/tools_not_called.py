"""toolsNotCalled: none of these tools may be called."""

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from evaltui.core.check import Check, CheckContext
from evaltui.core.expected import Expected
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.response import ToolCall
from evaltui.core.verdict import Verdict
from evaltui.expectations.assertion import Assertion, Differences, NamedTools, Shows, Written
from evaltui.expectations.doubts import Finding, empty_list
from evaltui.expectations.read_value import texts_below
from evaltui.expectations.tool_names import TOOL_NAMES, meaningless_none, names_in, tool_names
from evaltui.expectations.verdicts import Invalid, as_json, failed, passed


class ToolsNotCalled(Assertion, frozen=True):
    name: ClassVar[str] = "toolsNotCalled"
    schema: ClassVar[JsonObject] = {
        **TOOL_NAMES,
        "description": "None of these tools may be called.",
    }
    shows: ClassVar[Shows] = Shows.ROUTING
    is_in_diff: ClassVar[bool] = True

    forbidden: tuple[str, ...]

    @classmethod
    def read(cls, written: Written) -> Iterator[Check]:
        names = tool_names(cls.name, cls.name, written.value)
        yield names if isinstance(names, Invalid) else cls(names)

    def demands(self) -> Iterable[Json]:
        return self.forbidden

    def run(self, context: CheckContext) -> Verdict:
        actual = [call.name for call in context.response.tool_calls]
        expected = list(self.forbidden)
        for tool in expected:
            if tool in actual:
                reason = f"`{tool}` must not be called but was"
                return failed(self, reason, expected, actual)
        return passed(self, f"called none of {as_json(expected)}", expected, actual)

    @classmethod
    def tools(cls, value: Json) -> NamedTools:
        return NamedTools(forbidden=names_in(value))

    @classmethod
    def tools_at_issue(cls, value: Json, verdict: Verdict) -> tuple[str, ...]:
        called = verdict.evidence.get("actual")
        actual = called if isinstance(called, list | tuple) else ()
        return tuple([name for name in names_in(value) if name in actual])

    @classmethod
    def texts(cls, value: Json) -> Iterator[tuple[str, str]]:
        return texts_below(cls.name, value)

    @classmethod
    def disclosed(cls, value: Json) -> Expected:
        return Expected(forbidden_tools=names_in(value))

    @classmethod
    def doubts(cls, written: Written) -> Iterator[Finding]:
        yield from meaningless_none(cls.name, written.value)
        yield from empty_list(f"expect.{cls.name}", written.value)

    @classmethod
    def differences(
        cls,
        written: Written,
        calls: Sequence[ToolCall],
        verdicts: Sequence[Verdict],
    ) -> Differences:
        names = tool_names(cls.name, cls.name, written.value)
        return Differences(forbidden=frozenset(() if isinstance(names, Invalid) else names))

    @classmethod
    def accepted(cls, value: Json, calls: Sequence[ToolCall]) -> Json:
        called = [call.name for call in calls]
        return [name for name in value if name not in called] if isinstance(value, list) else value
