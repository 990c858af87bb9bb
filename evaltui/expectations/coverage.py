"""Which cases name each tool, and which tools no golden or labeled case covers."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from evaltui.core.case import Case, CaseKey, Tier
from evaltui.core.response import ToolCall
from evaltui.core.suite import Suite
from evaltui.core.tool import ToolDefinition, ToolNames, ToolRegistry
from evaltui.expectations.mentions import asserted

ROUTING_TIERS = frozenset({Tier.GOLDEN, Tier.LABELED})


class ToolCoverage(Struct, frozen=True, gc=False):
    """The cases of one tool, each key once, in file order. It is about those that name it; which
    others stub or call it is another fact, and they are counted nowhere."""

    tool: str
    expecting: tuple[CaseKey, ...] = ()
    """Their expectation wants it."""
    forbidding: tuple[CaseKey, ...] = ()
    """`toolsNotCalled` names it."""
    suite_mates: tuple[CaseKey, ...] = ()
    """Only their suite is about it."""
    stubbing: tuple[CaseKey, ...] = ()
    """Only their stubs name it: it may be called, and nothing asserts that it is."""
    calling: tuple[CaseKey, ...] = ()
    """Their last result called it although they name it nowhere."""
    has_routing_eval: bool = False
    """Some golden or labeled case expects it."""

    @property
    def naming(self) -> tuple[CaseKey, ...]:
        """Those whose expectation or suite names it: its cases, wherever they are counted."""
        return tuple(dict.fromkeys((*self.expecting, *self.forbidding, *self.suite_mates)))


class CaseTools(Struct, frozen=True, gc=False):
    """The tools that a case names, each as the registry spells it where that has it."""

    wanted: frozenset[str]
    """Those that its expectation wants."""
    forbidden: frozenset[str]
    of_suite: frozenset[str]
    """The one that its suite is about; none where its name is empty."""

    @classmethod
    def of(cls, case: Case, suite_tool: str, own_names: ToolNames) -> "CaseTools":
        found = [assertion.tools(value) for assertion, value in asserted(case.expect)]
        return cls(
            frozenset(own_names.own(name) or name for one in found for name in one.wanted),
            frozenset(own_names.own(name) or name for one in found for name in one.forbidden),
            frozenset([own_names.own(suite_tool) or suite_tool] if suite_tool else ()),
        )

    @property
    def named(self) -> frozenset[str]:
        return self.wanted | self.forbidden | self.of_suite


def cover(
    registry: ToolRegistry,
    suites: Iterable[Suite],
    calls: Mapping[CaseKey, Sequence[ToolCall]] | None = None,
) -> tuple[ToolCoverage, ...]:
    """One entry a tool, in registry order, then tools that only cases name, by name.

    `calls` are those of the last results. Kebab and snake case of a name are the same.
    """
    expecting: dict[str, list[CaseKey]] = {}
    forbidding: dict[str, list[CaseKey]] = {}
    stubbing: dict[str, list[CaseKey]] = {}
    calling: dict[str, list[CaseKey]] = {}
    mates: dict[str, list[CaseKey]] = {}
    routed: set[str] = set()
    own_names = ToolNames(registry.tools)
    for suite in suites:
        for case in suite.cases:
            tools = CaseTools.of(case, suite.tool_name, own_names)
            stubbed = {own_names.own(name) or name for name in case.stubs or ()}
            called = {call.name for call in (calls or {}).get(case.key, ())}
            groups = (
                (expecting, tools.wanted),
                (forbidding, tools.forbidden),
                (mates, tools.of_suite - tools.wanted - tools.forbidden),
                (stubbing, stubbed - tools.named),
                (calling, called - tools.named - stubbed),
            )
            for group, found in groups:
                for name in found:
                    group.setdefault(name, []).append(case.key)
            if case.tier in ROUTING_TIERS:
                routed |= tools.wanted | stubbed
    names = [tool.name for tool in registry]
    unknown = sorted({*expecting, *forbidding, *stubbing, *calling} - set(names))
    return tuple(
        ToolCoverage(
            name,
            tuple(expecting.get(name, ())),
            tuple(forbidding.get(name, ())),
            tuple(mates.get(name, ())),
            tuple(stubbing.get(name, ())),
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
