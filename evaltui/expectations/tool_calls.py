"""toolsCalled, toolsAcceptable, toolsNotCalled: which tools were called, and in which order."""

from collections.abc import Iterator

from msgspec import Struct

from evaltui.core.case import Case
from evaltui.core.check import Check, CheckContext
from evaltui.core.json_value import Json
from evaltui.core.verdict import Verdict
from evaltui.expectations.contract_config import ContractConfig
from evaltui.expectations.expected_texts import kind_of, tool_names
from evaltui.expectations.verdicts import Invalid, as_json, failed, passed

NO_TOOLS = "__none__"
"""A set of only this means that no tool may be called (contract requirement 28)."""


class ToolsCalled(Struct, frozen=True):
    """Exactly these calls in this order; repeats count (contract A1), `()` means none (A6)."""

    expected: tuple[str, ...]
    shown: str
    """`expected` in a sentence, made once since most verdicts need it."""
    name: str = "toolsCalled"
    label: str = "toolsCalled"

    def run(self, context: CheckContext) -> Verdict:
        calls = context.response.tool_calls
        actual = [call.name for call in calls]
        expected = list(self.expected)
        if actual == expected:
            said = f"called {self.shown}" if actual else "no tool was called, as expected"
            return passed(self.name, self.label, said, expected, actual)
        reason = f"expected {self.shown} but got {as_json(actual)}"
        if sorted(actual) == sorted(expected):
            reason += " (same tools, other order)"
        elif set(actual) == set(expected):
            reason += " (same tools, called another number of times)"
        return failed(self.name, self.label, reason, expected, actual)


class ToolsAcceptable(Struct, frozen=True):
    """One of several sets of calls, in any order; repeats count unless `multiset` is off (A2)."""

    written: Json
    sets: tuple[tuple[str, ...], ...]
    """Each sorted; `()` stands for no calls."""
    multiset: bool = True
    name: str = "toolsAcceptable"
    label: str = "toolsAcceptable"

    def run(self, context: CheckContext) -> Verdict:
        actual = [call.name for call in context.response.tool_calls]
        found = tuple(sorted(actual if self.multiset else set(actual)))
        if found in self.sets:
            said = (
                f"called {as_json(actual)}" if actual else "no tool was called, which is accepted"
            )
            return passed(self.name, self.label, said, self.written, actual)
        reason = f"expected one of {as_json(self.written)} but got {as_json(actual)}"
        if self.multiset and any(set(found) == set(names) for names in self.sets):
            reason += " (same tools, called another number of times)"
        return failed(self.name, self.label, reason, self.written, actual)


class ToolsNotCalled(Struct, frozen=True):
    """None of these may be called."""

    forbidden: tuple[str, ...]
    name: str = "toolsNotCalled"
    label: str = "toolsNotCalled"

    def run(self, context: CheckContext) -> Verdict:
        actual = [call.name for call in context.response.tool_calls]
        expected = list(self.forbidden)
        for tool in expected:
            if tool in actual:
                reason = f"`{tool}` must not be called but was"
                return failed(self.name, self.label, reason, expected, actual)
        said = f"called none of {as_json(expected)}"
        return passed(self.name, self.label, said, expected, actual)


def tools_called(value: Json, case: Case, config: ContractConfig) -> Iterator[Check]:  # noqa: ARG001
    names = tool_names("toolsCalled", "toolsCalled", value)
    yield names if isinstance(names, Invalid) else ToolsCalled(names, as_json(names))


def tools_not_called(value: Json, case: Case, config: ContractConfig) -> Iterator[Check]:  # noqa: ARG001
    names = tool_names("toolsNotCalled", "toolsNotCalled", value)
    yield names if isinstance(names, Invalid) else ToolsNotCalled(names)


def tools_acceptable(value: Json, case: Case, config: ContractConfig) -> Iterator[Check]:  # noqa: ARG001
    """One check; an empty list of sets fails, since no call can match it (contract A5)."""
    key = "toolsAcceptable"
    if not isinstance(value, list | tuple):
        what = f"expected a list of tool sets but it is {kind_of(value)}"
        yield Invalid(key, key, what, 'Write a list of lists: [["get_weather"]].', key, value)
        return
    if not value:
        what = "the list is empty, so no calls could be accepted"
        hint = 'Name at least one set, or [["__none__"]] for no calls.'
        yield Invalid(key, key, what, hint, key, [], code="empty-acceptable")
        return
    sets: list[tuple[str, ...]] = []
    for index, members in enumerate(value):
        names = tool_names(key, f"{key}[{index}]", members)
        if isinstance(names, Invalid):
            yield names
            return
        if names == (NO_TOOLS,):
            names = ()
        sets.append(tuple(sorted(names if config.multiset_tools else set(names))))
    yield ToolsAcceptable(value, tuple(sets), config.multiset_tools)
