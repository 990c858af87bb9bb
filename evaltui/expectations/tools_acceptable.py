"""toolsAcceptable: one of several sets of calls, in any order."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import ClassVar

from evaltui.core.check import Check, CheckContext
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
from evaltui.expectations.read_value import kind_of, texts_below
from evaltui.expectations.tool_names import NO_TOOLS, TOOL_NAMES, names_in, tool_names
from evaltui.expectations.verdicts import Invalid, as_json, failed, passed


class ToolsAcceptable(Assertion, frozen=True):
    """Repeats count unless `multiset` is off (contract A2)."""

    name: ClassVar[str] = "toolsAcceptable"
    schema: ClassVar[JsonObject] = {
        "type": "array",
        "items": dict(TOOL_NAMES),
        "minItems": 1,
        "description": 'One of these sets of tools is called, in any order; ["__none__"]: no tool.',
    }
    shows: ClassVar[Shows] = Shows.ROUTING
    chooses_calls: ClassVar[bool] = True
    is_in_diff: ClassVar[bool] = True
    may_count_repeats: ClassVar[bool] = True

    written: Json
    sets: tuple[tuple[str, ...], ...]
    """In the order written; `()` is no calls."""
    multiset: bool

    @classmethod
    def read(cls, written: Written) -> Iterator[Check]:
        """One check; an empty list of sets fails, since no call can match it (contract A5)."""
        key, value = cls.name, written.value
        if not isinstance(value, list | tuple):
            what = f"expected a list of tool sets but it is {kind_of(value)}"
            hint = 'Write a list of lists: [["get_weather"]].'
            yield Invalid(key, key, what, hint, key, value)
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
            sets.append(() if names == (NO_TOOLS,) else names)
        yield cls(value, tuple(sets), written.config.multiset_tools)

    def run(self, context: CheckContext) -> Verdict:
        actual = [call.name for call in context.response.tool_calls]
        if any(self._counted(names) == self._counted(actual) for names in self.sets):
            said = (
                f"called {as_json(actual)}" if actual else "no tool was called, which is accepted"
            )
            return passed(self, said, self.written, actual)
        reason = f"expected one of {as_json(self.written)} but got {as_json(actual)}"
        if self.multiset and any(set(actual) == set(names) for names in self.sets):
            reason += " (same tools, called another number of times)"
        return failed(self, reason, self.written, actual)

    def _counted(self, names: Sequence[str]) -> "list[str] | set[str]":
        return sorted(names) if self.multiset else set(names)

    @classmethod
    def tools(cls, value: Json) -> NamedTools:
        return NamedTools(wanted=names_in(value))

    @classmethod
    def texts(cls, value: Json) -> Iterator[tuple[str, str]]:
        return texts_below(cls.name, value)

    @classmethod
    def wants_no_call(cls, value: Json) -> bool:
        return value == [[NO_TOOLS]]

    @classmethod
    def doubts(cls, written: Written) -> Iterator[Finding]:
        path, value = f"expect.{cls.name}", written.value
        if (written.case.expect or {}).get("toolsCalled") is not None:
            what = "both `toolsCalled` and `toolsAcceptable` are asserted"
            yield Finding(path, what, "Keep one of them.", "both-tools")
        for index, names in enumerate(value if isinstance(value, list | tuple) else ()):
            if isinstance(names, list | tuple) and NO_TOOLS in names and len(names) > 1:
                what = f"`{NO_TOOLS}` beside other tools has no special meaning"
                hint = f'Put it into a set of its own: ["{NO_TOOLS}"].'
                yield Finding(f"{path}[{index}]", what, hint, "mixed-none")

    @classmethod
    def differences(
        cls,
        written: Written,
        calls: Sequence[ToolCall],
        verdicts: Sequence[Verdict],
    ) -> Differences:
        """Of the sets the one with the fewest missing and unexpected calls, first of equals."""
        (check,) = cls.read(written)
        if not isinstance(check, cls):
            return Differences()
        actual = check._times([call.name for call in calls])

        def distance(names: tuple[str, ...]) -> int:
            wanted = check._times(names)
            return (wanted - actual).total() + (actual - wanted).total()

        number = len(check.sets)
        note = f"closest of {number} acceptable sets, in any order" if number > 1 else ""
        closest = min(check.sets, key=distance)
        if not check.multiset:
            closest = tuple(dict.fromkeys(closest))
        return Differences(
            wanted=WantedCalls(closest, False, counts_repeats=check.multiset, note=note)
        )

    def _times(self, names: Sequence[str]) -> Counter[str]:
        return Counter(names if self.multiset else set(names))

    @classmethod
    def accepted(cls, value: Json, calls: Sequence[ToolCall]) -> Json:
        """The sets and the actual one; an unordered match is there already."""
        sets = value if isinstance(value, list | tuple) else ()
        actual = [call.name for call in calls] or [NO_TOOLS]
        if any(isinstance(one, list) and sorted(map(str, one)) == sorted(actual) for one in sets):
            return value
        return [*sets, actual]
