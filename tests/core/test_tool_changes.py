"""What changed between two readings of the tools, and whether an agent is shown it."""

import pytest

from evaltui.core.fingerprint import tool_fingerprints
from evaltui.core.tool import ToolDefinition, ToolStatus
from evaltui.core.tool_changes import Reached, changes, words

OLD = ToolDefinition("look", description="Looks.", parameters={}, status=ToolStatus.ACTIVE)
ACTIVE, DEPRECATED, REMOVED = ToolStatus


def shown(**fields: object) -> dict[str, bool]:
    """Whether an agent is shown each change that makes another tool of the old one."""
    now = ToolDefinition(**{name: getattr(OLD, name) for name in OLD.__struct_fields__} | fields)
    found = changes(tool_fingerprints(OLD), tool_fingerprints(now))
    return {str(change): change.is_shown for change in found}


def test_agents_are_shown_descriptions_and_parameters_and_no_remarks() -> None:
    assert shown() == {}
    assert shown(description="Sees.") == {"look.description changed": True}
    assert shown(parameters={"type": "object"}) == {"look.parameters changed": True}
    assert shown(version="2") == {"look.version changed": False}


@pytest.mark.parametrize(
    ("then", "now", "is_shown"),
    [
        (ACTIVE, DEPRECATED, False),
        (DEPRECATED, ACTIVE, False),
        (ACTIVE, REMOVED, True),
        (REMOVED, DEPRECATED, True),
    ],
)
def test_a_status_matters_where_a_tool_is_taken_away_or_comes_back(
    then: ToolStatus, now: ToolStatus, is_shown: bool
) -> None:
    before, since = (
        tool_fingerprints(ToolDefinition("look", status=status)) for status in (then, now)
    )
    (change,) = changes(before, since)
    assert (change.field, change.is_shown) == ("status", is_shown)


def test_tools_that_come_and_go_are_told_as_a_whole_after_those_that_were_edited() -> None:
    then = {"a.description": "1", "b.description": "1", "b.version": "1"}
    now = {"a.description": "2", "c.description": "1", "c.version": "1"}
    found = changes(then, now)
    assert words(found) == ("a.description changed", "c added", "b removed")
    assert words(found, without={"c"}) == ("a.description changed", "b removed")
    assert all(change.is_shown for change in found)


def test_only_tools_that_were_reached_count() -> None:
    prints = {"a.description": "1", "b.description": "1", "a": "1"}
    assert Reached().counts(prints) == prints
    assert Reached(frozenset({"a"})).counts(prints) == {"a.description": "1", "a": "1"}
