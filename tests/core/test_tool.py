"""Tools by name and by what a person calls them, and what counts as one of them."""

from itertools import permutations
from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.core.tool import (
    GoneTool,
    ToolDefinition,
    ToolNames,
    ToolRegistry,
    ToolStatus,
    changes_between,
    gone_between,
    how_many_gone,
    plain_tool_name,
    same_tool_name,
    short_hash,
)

SPELLINGS = ("get_weather", "get-weather", "Get-Weather")


def registry(*names: str) -> ToolRegistry:
    return ToolRegistry({name: ToolDefinition(name) for name in names})


def test_all_files_are_those_that_can_be_read_and_no_addresses() -> None:
    tools = registry("one", "two").tools
    described = {
        "one": replace(tools["one"], file="a.ts", depends_on=("b.ts", "https://example.org/b")),
        "two": replace(tools["two"], file="http://localhost:8080/mcp"),
    }
    made = ToolRegistry(described, files=("a.ts", "c.ts", "https://example.org/api.json"))
    assert made.all_files == {"a.ts", "b.ts", "c.ts"}


@pytest.mark.parametrize("names", [*permutations(SPELLINGS)])
def test_the_exact_name_wins_wherever_it_stands(names: tuple[str, ...]) -> None:
    for name in names:
        assert registry(*names).find(name) == ToolDefinition(name)
        assert ToolNames(names).own(name) == name


@pytest.mark.parametrize("name", SPELLINGS)
def test_any_spelling_finds_the_tool_but_an_agent_has_to_call_it_by_its_name(name: str) -> None:
    tools = registry("get_tides", "GET_weather", "get_WEATHER")
    assert tools.find(name) == ToolDefinition("GET_weather")
    assert ToolNames(tools.tools).own(name) == "GET_weather"
    assert tools.get(name) is None
    assert tools.get("get_WEATHER") == ToolDefinition("get_WEATHER")


def test_another_name_is_another_tool() -> None:
    assert registry("get_weather").find("getweather") is None
    assert registry().find("get_weather") is None
    assert ToolNames(()).own("get_weather") is None


def test_spellings_of_one_name() -> None:
    assert {plain_tool_name(name) for name in SPELLINGS} == {"get_weather"}
    assert same_tool_name("Get-weather", "get_Weather")
    assert not same_tool_name("get_weather", "get_tides")


def test_removed_tools_do_not_count() -> None:
    tools = [
        ToolDefinition(name, status=status) for name, status in zip("adr", ToolStatus, strict=True)
    ]
    found = ToolRegistry({tool.name: tool for tool in tools})
    assert (found.size, len(found), list(found)) == (2, 3, tools)


def test_a_description_is_known_by_its_hash() -> None:
    assert ToolDefinition("t").description_hash is None
    assert ToolDefinition("t", "").description_hash == "e3b0c44298fc"
    assert ToolDefinition("t", "Näher").description_hash == short_hash("Näher") == "321c542115b8"
    assert len(short_hash("\ud800")) == 12


def test_changes_between_two_registries_are_those_of_a_definition_not_of_its_place() -> None:
    before = ToolRegistry(
        {
            "told": ToolDefinition("told", "Tells."),
            "moved": ToolDefinition("moved", line=1),
            "gone": ToolDefinition("gone"),
        }
    )
    told = ToolDefinition("told", "Says.", "2")
    now = ToolRegistry(
        {"told": told, "moved": ToolDefinition("moved", line=9), "new": ToolDefinition("new")}
    )
    changes = changes_between(before, now)
    assert {name: change.words for name, change in changes.items()} == {
        "told": ("description", "version"),
        "new": ("added",),
    }
    assert (changes["told"].before, changes["told"].now) == (before.get("told"), told)
    assert changes_between(ToolRegistry(configured=False), now) == {}


def test_a_tool_that_its_file_calls_otherwise_was_renamed_and_another_one_removed() -> None:
    def registry(*tools: ToolDefinition, files: tuple[str, ...] = ("a.ts",)) -> ToolRegistry:
        return ToolRegistry({tool.name: tool for tool in tools}, files)

    old, kept = ToolDefinition("old", "Finds.", file="a.ts"), ToolDefinition("kept", file="a.ts")
    new, other = replace(old, name="new"), ToolDefinition("other", "Sends.", file="a.ts")
    elsewhere = replace(new, file="b.ts")

    def said(*now: ToolDefinition) -> list[str]:
        return [str(gone) for gone in gone_between(registry(old, kept), registry(kept, *now))]

    assert said(new) == ["old renamed to new"]
    assert said() == said(other) == said(elsewhere) == said(new, other) == ["old removed"]
    assert [gone.with_file for gone in gone_between(registry(old), registry())] == [False]
    assert [gone.with_file for gone in gone_between(registry(old), registry(files=()))] == [True]


def test_how_many_tools_went_says_whether_they_were_renamed() -> None:
    gone, renamed = GoneTool("a"), GoneTool("b", "c")
    assert how_many_gone([gone, gone]) == "2 tools removed"
    assert how_many_gone([renamed, renamed]) == "2 tools renamed"
    assert how_many_gone([gone, renamed]) == "2 tools removed or renamed"


def test_tools_of_a_registry_that_is_gone_from_the_settings_are_compared_all_the_same() -> None:
    before = replace(registry("one"), configured=False)
    assert [*changes_between(before, registry("one", "two"))] == ["two"]
    assert changes_between(replace(registry(), configured=False), registry("one")) == {}
    assert [*changes_between(registry(), registry("one"))] == ["one"], "it was empty"


@pytest.mark.parametrize(
    "other",
    [
        {"files": ("a.json",)},
        {"as_of": {"one": 1.0}},
        {"configured": False},
        {"tools": registry("one", "three").tools},
        {"tools": dict(reversed([*registry("one", "two").tools.items()]))},
        {"tools": registry("one", "two").tools},
    ],
)
def test_a_registry_is_alike_where_all_of_it_is_the_very_same(other: dict[str, Any]) -> None:
    one = registry("one", "two")
    assert one.is_like(replace(one, tools={**one.tools}))
    assert not one.is_like(replace(one, **other))
