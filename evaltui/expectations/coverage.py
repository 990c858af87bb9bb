"""Which cases touch each tool, and which tools no golden or labeled case covers."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from evaltui.core.case import CaseKey, Tier
from evaltui.core.response import ToolCall
from evaltui.core.suite import Suite
from evaltui.core.tool import ToolDefinition, ToolNames, ToolRegistry
from evaltui.expectations.mentions import forbidden_tools, wanted_tools

ROUTING_TIERS = frozenset({Tier.GOLDEN, Tier.LABELED})


class ToolCoverage(Struct, frozen=True, gc=False):
    """The cases of one tool, each key once, in file order."""

    tool: str
    expecting: tuple[CaseKey, ...] = ()
    """Their expectation or stubs name it."""
    forbidding: tuple[CaseKey, ...] = ()
    """`toolsNotCalled` names it."""
    suite_mates: tuple[CaseKey, ...] = ()
    """Only their suite is about it."""
    calling: tuple[CaseKey, ...] = ()
    """Their last result called it although they name it nowhere."""
    has_routing_eval: bool = False
    """Some golden or labeled case expects it."""

    @property
    def keys(self) -> tuple[CaseKey, ...]:
        groups = (*self.expecting, *self.forbidding, *self.suite_mates, *self.calling)
        return tuple(dict.fromkeys(groups))


def cover(
    registry: ToolRegistry,
    suites: Iterable[Suite],
    calls: Mapping[CaseKey, Sequence[ToolCall]] | None = None,
) -> tuple[ToolCoverage, ...]:
    """One entry a tool, in registry order, then tools that only cases name, by name.

    `calls` are those of the last results. A suite's own tool is compared as kebab = snake.
    """
    expecting: dict[str, list[CaseKey]] = {}
    forbidding: dict[str, list[CaseKey]] = {}
    calling: dict[str, list[CaseKey]] = {}
    mates: dict[str, list[CaseKey]] = {}
    routed: set[str] = set()
    own_names = ToolNames(registry.tools)
    for suite in suites:
        subject = own_names.own(suite.tool_name) or suite.tool_name
        for case in suite.cases:
            wanted = wanted_tools(case)
            banned = forbidden_tools(case)
            for name in wanted:
                expecting.setdefault(name, []).append(case.key)
            for name in banned:
                forbidding.setdefault(name, []).append(case.key)
            if subject and subject not in wanted | banned:
                mates.setdefault(subject, []).append(case.key)
            for name in {call.name for call in (calls or {}).get(case.key, ())} - wanted - banned:
                calling.setdefault(name, []).append(case.key)
            if case.tier in ROUTING_TIERS:
                routed |= wanted
    names = [tool.name for tool in registry]
    unknown = sorted({*expecting, *forbidding, *calling} - set(names))
    return tuple(
        ToolCoverage(
            name,
            tuple(expecting.get(name, ())),
            tuple(forbidding.get(name, ())),
            tuple(mates.get(name, ())),
            tuple(calling.get(name, ())),
            name in routed,
        )
        for name in (*names, *unknown)
    )


def uncovered(
    registry: ToolRegistry, coverage: Iterable[ToolCoverage]
) -> tuple[ToolDefinition, ...]:
    """Tools of the registry that no golden or labeled case expects."""
    routed = {entry.tool for entry in coverage if entry.has_routing_eval}
    return tuple(tool for tool in registry if tool.name not in routed)
