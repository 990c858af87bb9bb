"""What one term of the filter language asks of a row."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct, field

from evaltui.core.case import CaseKey, Tier
from evaltui.core.comparison import CHANGED, Effect
from evaltui.core.tool import ToolNames, ToolRegistry, plain_tool_name
from evaltui.store.row import Phase, Row
from evaltui.store.row_status import RowStatus

Test: TypeAlias = Callable[[Row], bool]


class Others(Struct, frozen=True):
    """What a term may ask for beside the row: what other agents made of the case, and the tools."""

    names: Mapping[str, str] = field(default_factory=dict)
    """Agents by what they are called on the screen; empty where there is one."""
    row: Callable[[str, CaseKey], Row | None] = lambda *_: None
    is_differing: Callable[[CaseKey], bool] = lambda _: False
    registry: Callable[[], ToolRegistry] = lambda: ToolRegistry(configured=False)


ALONE = Others()


def test_of(term: str, others: Others) -> Test:
    """Raises ValueError, in words, for a term that cannot be understood."""
    if term.startswith("@") and others.names:
        return _of_agent(term[1:], others)
    name, colon, value = term.partition(":")
    if not colon or name.lower() not in FIELDS:
        if colon and name.isalpha() and value and "/" not in value:
            raise ValueError(f"`{name}:` is unknown; there is {', '.join(FIELDS)}")
        return _contains(term.lower())
    values = _values(value)
    if not values:
        return lambda _: True  # still being typed
    return FIELDS[name.lower()](values, others)


def _of_agent(term: str, others: Others) -> Test:
    """`mini:failed`: what the case came to with that agent; a name's beginning is enough."""
    wanted, _, value = term.rpartition(":") if ":" in term else (term, "", "")
    found = [name for name in others.names if name.lower().startswith(wanted.lower())]
    if not found:
        known = ", ".join(f"@{name}" for name in others.names)
        raise ValueError(f"`@{wanted}` is not an agent; there is {known}")
    agent = others.names[wanted if wanted in others.names else found[0]]
    tests = [_one_status(part, others) for part in _values(value)]

    def test(row: Row) -> bool:
        other = others.row(agent, row.key)
        return other is not None and any(test(other) for test in tests)

    return test if tests else lambda _: True  # still being typed


def _values(text: str) -> list[str]:
    return [part for part in text.lower().split(",") if part]


def _one_status(value: str, others: Others) -> Test:
    states = {**STATES, "differs": lambda row: others.is_differing(row.key)}
    found = [state for state in states if state.startswith(value)]
    if not found:
        raise ValueError(f"`{value}` is not a status; there is {', '.join(states)}")
    return states[value if value in states else found[0]]


def _status(values: list[str], others: Others) -> Test:
    tests = [_one_status(value, others) for value in values]
    return lambda row: any(test(row) for test in tests)


def _tier(values: list[str], _: Others) -> Test:
    known = [tier for tier in Tier if any(tier.startswith(value) for value in values)]
    if not known:
        raise ValueError(f"`{values[0]}` is not a tier; there is {', '.join(Tier)}")
    return lambda row: row.case.tier in known


class _NamesTool:
    """The cases of the tool of that name, where there is none of all with that in their names."""

    def __init__(self, values: list[str], others: Others) -> None:
        from evaltui.expectations.coverage import CaseTools  # loads every assertion

        self._tools_of = CaseTools.of
        self._values = [plain_tool_name(value) for value in values]
        self._registry = others.registry
        self._known: tuple[ToolRegistry | None, ToolNames] = (None, ToolNames(()))

    def __call__(self, row: Row) -> bool:
        registry = self._registry()  # another one after a save, while the filter stays
        if registry is not self._known[0]:
            self._known = registry, ToolNames(registry.tools)
        own_names = self._known[1]
        named = self._tools_of(row.case, row.suite.tool_name, own_names).named
        return any(
            own in named
            if (own := own_names.own(value)) is not None
            else any(value in plain_tool_name(name) for name in named)
            for value in self._values
        )


def _suite(values: list[str], _: Others) -> Test:
    return lambda row: any(value in row.key.suite.lower() for value in values)


def _id(values: list[str], _: Others) -> Test:
    return lambda row: any(value in row.key.case.lower() for value in values)


def _tag(values: list[str], _: Others) -> Test:
    return lambda row: any(value in tag for value in values for tag in tags_of(row))


def tags_of(row: Row) -> list[str]:
    """Tags, difficulty and tier of a case, in lower case."""
    tags = row.case.extra.get("tags")
    written = [str(tag).lower() for tag in tags] if isinstance(tags, list) else []
    return [*written, row.case.body.difficulty.lower(), row.case.tier.value]


def _contains(text: str) -> Test:
    def test(row: Row) -> bool:
        case, result = row.case, row.result
        return (
            text in case.key.case.lower()
            or text in case.description.lower()
            or text in case.message.lower()
            or text in row.suite.tool_name.lower()
            or text in row.suite.name.lower()
            or (result is not None and text in result.error.lower())
            or text in tags_of(row)
        )

    return test


STATES: dict[str, Test] = {
    "failed": lambda row: row.status is RowStatus.FAILED,
    "passed": lambda row: row.status is RowStatus.PASSED,
    "error": lambda row: row.status is RowStatus.ERROR,
    "regressed": lambda row: row.regressed,
    "moved": lambda row: row.moved,
    "due": lambda row: row.is_due,
    "outdated": lambda row: row.is_outdated,
    "flaky": lambda row: row.is_flaky,
    "nothing": lambda row: row.status is RowStatus.NOTHING_ASSERTED,
    "skipped": lambda row: row.result is not None and row.result.status == "skipped",
    "new": lambda row: row.effect is Effect.NEW,
    "improved": lambda row: row.improved,
    "moved-up": lambda row: row.moved_up,
    "undecided": lambda row: row.is_undecided,
    "worse": lambda row: row.effect is Effect.WORSE,
    "better": lambda row: row.effect is Effect.BETTER,
    "changed": lambda row: row.effect in CHANGED,
    "unknown": lambda row: row.result is None,
    "muted": lambda row: bool(row.muted),
    "queued": lambda row: row.phase is Phase.QUEUED,
    "running": lambda row: row.phase is Phase.RUNNING,
    "problem": lambda row: row.is_failing,
}
FIELDS: dict[str, Callable[[list[str], Others], Test]] = {
    "status": _status,
    "is": _status,
    "tool": _NamesTool,
    "tier": _tier,
    "suite": _suite,
    "id": _id,
    "tag": _tag,
}
