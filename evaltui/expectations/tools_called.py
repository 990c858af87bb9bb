"""toolsCalled: exactly these calls, in this order."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import ClassVar

from evaltui.core.check import Check, CheckContext
from evaltui.core.expected import Expected
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.response import ToolCall
from evaltui.core.verdict import Verdict
from evaltui.expectations.assertion import (
    Assertion,
    Differences,
    NamedTools,
    Shows,
    WantedCalls,
    Written,
)
from evaltui.expectations.doubts import Finding
from evaltui.expectations.read_value import texts_below
from evaltui.expectations.tool_names import (
    NO_TOOLS,
    TOOL_NAMES,
    meaningless_none,
    names_in,
    tool_names,
)
from evaltui.expectations.verdicts import Invalid, as_json, failed, passed


class ToolsCalled(Assertion, frozen=True):
    """Repeats count (contract A1), `()` means no calls (A6)."""

    name: ClassVar[str] = "toolsCalled"
    schema: ClassVar[JsonObject] = {
        **TOOL_NAMES,
        "description": "Exactly these tools are called, in this order; []: no tool.",
    }
    shows: ClassVar[Shows] = Shows.ROUTING
    chooses_calls: ClassVar[bool] = True
    is_in_diff: ClassVar[bool] = True

    expected: tuple[str, ...]
    shown: str
    """`expected` in a sentence, made once since most verdicts need it."""

    @classmethod
    def read(cls, written: Written) -> Iterator[Check]:
        names = tool_names(cls.name, cls.name, written.value)
        yield names if isinstance(names, Invalid) else cls(names, _shown(names))

    def run(self, context: CheckContext) -> Verdict:
        actual = [call.name for call in context.response.tool_calls]
        expected = list(self.expected)
        if actual == expected:
            said = f"called {self.shown}" if actual else "no tool was called, as expected"
            return passed(self, said, expected, actual)
        reason = f"expected {self.shown} but got {as_json(actual)}"
        if sorted(actual) == sorted(expected):
            reason += " (same tools, other order)"
        elif set(actual) == set(expected):
            reason += " (same tools, called another number of times)"
        return failed(self, reason, expected, actual)

    @classmethod
    def tools(cls, value: Json) -> NamedTools:
        return NamedTools(wanted=names_in(value))

    @classmethod
    def texts(cls, value: Json) -> Iterator[tuple[str, str]]:
        return texts_below(cls.name, value)

    @classmethod
    def disclosed(cls, value: Json) -> Expected:
        return Expected(required_tools=names_in(value), forbids_all_tools=value == [NO_TOOLS])

    @classmethod
    def wants_no_call(cls, value: Json) -> bool:
        return value == []

    @classmethod
    def doubts(cls, written: Written) -> Iterator[Finding]:
        return meaningless_none(cls.name, written.value)

    @classmethod
    def differences(
        cls,
        written: Written,
        calls: Sequence[ToolCall],
        verdicts: Sequence[Verdict],
    ) -> Differences:
        names = tool_names(cls.name, cls.name, written.value)
        if isinstance(names, Invalid):
            return Differences()
        return Differences(wanted=WantedCalls(names, is_ordered=True))

    @classmethod
    def accepted(cls, value: Json, calls: Sequence[ToolCall]) -> Json:
        return [call.name for call in calls]


@lru_cache(1024)
def _shown(names: tuple[str, ...]) -> str:
    """The same for all cases that expect these, each of which is read whenever it is judged."""
    return as_json(names)
