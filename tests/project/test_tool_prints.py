"""Which tools a case depends on, and which count as the others."""

from evaltui.core.tool import ToolDefinition, ToolRegistry
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
    assert after.changes_since(before) == ("c.description changed",)
