"""Which tools a case depends on, and which count as the others."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.core.tool import ToolDefinition, ToolRegistry, ToolStatus
from evaltui.core.tool_changes import words
from evaltui.disk.known_tools import KnownTools
from evaltui.project.tool_prints import ToolPrints


def prints(**descriptions: str) -> ToolPrints:
    tools = {name.replace("__", "-"): text for name, text in descriptions.items()}
    return ToolPrints(ToolRegistry({name: ToolDefinition(name, tools[name]) for name in tools}))


def test_a_case_depends_on_the_tool_of_exactly_the_name_that_it_says() -> None:
    """Not on another one that is spelled alike, wherever that stands."""
    for found in (prints(get_tides="a", get__tides="b"), prints(get__tides="b", get_tides="a")):
        assert found.names(frozenset({"get_tides"})) == {"get_tides"}
        assert found.names(frozenset({"get-tides"})) == {"get-tides"}
        assert {key.partition(".")[0] for key in found.of(frozenset({"get-tides"}))} == {
            "get-tides"
        }


def test_any_spelling_will_do_where_there_is_one() -> None:
    found = prints(get__tides="b", get_weather="c")
    assert found.names(frozenset({"Get_Tides", "no"})) == {"get-tides"}
    assert found.of(frozenset({"Get_Tides"})) == found.of(frozenset({"get-tides"}))


def test_the_others_change_when_one_of_them_does() -> None:
    before, after = prints(a="1", b="2", c="3"), prints(a="1", b="2", c="4")
    mentioned = frozenset({"a"})
    assert before.of_others(mentioned) != after.of_others(mentioned)
    assert before.of_others(frozenset({"c"})) == after.of_others(frozenset({"c"}))
    assert before.of_others(mentioned, frozenset({"a", "b"})) == after.of_others(
        mentioned, frozenset({"a", "b"})
    )


def registry(*tools: ToolDefinition) -> ToolRegistry:
    return ToolRegistry({tool.name: tool for tool in tools})


def test_what_changed_since_another_registry_is_said_field_by_field(tmp_path: Path) -> None:
    tool = ToolDefinition("c", "1", "v1")
    before = ToolPrints(registry(tool, ToolDefinition("gone", "2")), KnownTools(tmp_path))
    edited = replace(tool, description="2", version="v2")
    now = ToolPrints(registry(edited, ToolDefinition("new", "3")), before.known)
    changed = now.changes_since(before.whole)
    assert changed is not None
    assert words(changed) == (
        "c.description changed",
        "c.version changed",
        "new added",
        "gone removed",
    )
    assert [change.is_shown for change in changed] == [True, False, True, True]
    assert now.changes_since(now.whole) == ()
    assert now.changes_since("unheard of") is None
    assert now.changes_since("") is None


def test_a_later_session_knows_the_registries_that_results_were_made_with(tmp_path: Path) -> None:
    before = ToolPrints(registry(ToolDefinition("c", "1")), KnownTools(tmp_path))
    later = ToolPrints(registry(ToolDefinition("c", "2")), KnownTools(tmp_path))
    assert later.changes_since(before.whole) is None
    before.keep()
    again = ToolPrints(registry(ToolDefinition("c", "2")), KnownTools(tmp_path))
    assert words(again.changes_since(before.whole) or ()) == ("c.description changed",)


@pytest.mark.parametrize(
    ("edit", "is_shown_otherwise"),
    [
        ({"version": "v2"}, False),
        ({"category": "other"}, False),
        ({"status": ToolStatus.DEPRECATED}, False),
        ({"status": ToolStatus.REMOVED}, True),
        ({"description": "2"}, True),
        ({"parameters": {"type": "object"}}, True),
        ({"name": "d"}, True),
    ],
)
def test_what_an_agent_is_shown_of_a_tool(edit: dict[str, Any], is_shown_otherwise: bool) -> None:
    tool = ToolDefinition("c", "1", "v1", "some")
    shown = ToolPrints(registry(tool)).shown(["c"])
    now = ToolPrints(registry(replace(tool, **edit)))
    assert now.shown_as_then(shown) == ([None] if is_shown_otherwise else ["c"])
