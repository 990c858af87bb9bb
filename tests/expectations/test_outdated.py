"""The contract's staleness warnings, word for word."""

import pytest
from msgspec.structs import replace

from evaltui.core.case import Tier
from evaltui.core.suite import EvalMetadata, Suite
from evaltui.core.tool import ToolDefinition, ToolRegistry, ToolStatus, Unresolved, short_hash
from evaltui.expectations.outdated import UP_TO_DATE, outdated, outdated_suites, title_of

TOOL = ToolDefinition("get_weather", description="Current weather.", version="1.2.0")
METADATA = EvalMetadata("get_weather", "1.0.0", short_hash("Current weather."), 2)


def _suite(metadata: EvalMetadata | None, tool_name: str = "get_weather") -> Suite:
    return Suite("evals/x.golden.json", tool_name, Tier.GOLDEN, (), "f" * 12, metadata)


def _registry(*tools: ToolDefinition) -> ToolRegistry:
    return ToolRegistry({tool.name: tool for tool in tools})


def test_nothing_differs() -> None:
    assert outdated(_suite(METADATA), _registry(TOOL)) == UP_TO_DATE


def test_a_bare_array_is_not_checked() -> None:
    assert outdated(_suite(None), _registry(replace(TOOL, version="9.0.0"))) == UP_TO_DATE


def test_another_description_makes_it_stale() -> None:
    found = outdated(_suite(METADATA), _registry(replace(TOOL, description="Now better.")))
    assert found.is_outdated
    assert found.warnings == (
        f"Evals for get_weather generated against description hash "
        f"{METADATA.description_hash}, current is {short_hash('Now better.')}. "
        "Results may not reflect current routing contract.",
    )


def _many(count: int) -> list[ToolDefinition]:
    return [replace(TOOL, name=f"tool{index}") for index in range(count)]


def test_growth_beyond_half_is_said_and_does_not_make_it_stale() -> None:
    found = outdated(_suite(METADATA), _registry(TOOL, *_many(3)))
    assert found.warnings == (
        "Registry has grown from 2 to 4 tools. "
        "Labeled evals may have under-specified toolsAcceptable sets.",
    )
    assert not found.is_outdated


def test_growth_of_exactly_half_is_not_said_and_removed_tools_do_not_count() -> None:
    gone = replace(TOOL, name="gone", status=ToolStatus.REMOVED)
    assert outdated(_suite(METADATA), _registry(TOOL, *_many(2), gone)) == UP_TO_DATE


def test_another_major_version() -> None:
    found = outdated(_suite(METADATA), _registry(replace(TOOL, version="2.0.0")))
    assert found.warnings == (
        "Tool get_weather is version 2.0.0, evals were generated for 1.0.0. "
        "Schema may have changed.",
    )
    assert not found.is_outdated


@pytest.mark.parametrize(
    ("then", "now", "warns"),
    [("1.0.0", "v1.9", False), ("01.0", "1", False), ("1.0.0", "10.0.0", True)],
)
def test_only_the_major_version_counts(then: str, now: str, warns: bool) -> None:
    metadata = replace(METADATA, tool_version=then)
    found = outdated(_suite(metadata), _registry(replace(TOOL, version=now)))
    assert bool(found.warnings) is warns


@pytest.mark.parametrize("version", ["latest", "1x", "", None])
def test_an_unreadable_version_is_not_fresh(version: str | None) -> None:
    found = outdated(_suite(METADATA), _registry(replace(TOOL, version=version)))
    assert len(found.warnings) == 1
    assert "not checked" in found.warnings[0]


UNREADABLE = Unresolved("description", "describe()", "t.ts", 3)


@pytest.mark.parametrize(
    ("registry", "why"),
    [
        (ToolRegistry(configured=False), "no tool registry"),
        (_registry(replace(TOOL, name="other")), "not in the registry"),
        (_registry(replace(TOOL, status=ToolStatus.REMOVED)), "removed"),
        (_registry(replace(TOOL, description=None)), "could not be read"),
        (_registry(replace(TOOL, unresolved=(UNREADABLE,))), "could not be read"),
    ],
)
def test_what_cannot_be_checked_is_said(registry: ToolRegistry, why: str) -> None:
    found = outdated(_suite(METADATA), registry)
    assert not found.is_outdated
    assert len(found.warnings) == 1
    assert why in found.warnings[0]
    assert "not checked" in found.warnings[0]


def test_kebab_and_snake_names_are_one_tool() -> None:
    metadata = replace(METADATA, tool_name=None)
    changed = _registry(replace(TOOL, description="Now better."))
    assert outdated(_suite(metadata, "get-weather"), changed).is_outdated


def test_without_a_hash_in_the_file_it_is_not_checked() -> None:
    unknown = replace(METADATA, description_hash=None)
    found = outdated(_suite(unknown), _registry(TOOL))
    assert not found.is_outdated
    (warning,) = found.warnings
    assert "the eval file's metadata has no descriptionHash" in warning


def test_a_file_that_says_no_version_is_of_any_version() -> None:
    unknown = replace(METADATA, tool_version=None)
    assert outdated(_suite(unknown), _registry(replace(TOOL, version="9.0.0"))) == UP_TO_DATE


def test_those_that_are_outdated_are_named() -> None:
    other = replace(_suite(METADATA, "other"), id="evals/y.golden.json", metadata=None)
    changed = _registry(replace(TOOL, description="Now better."))
    assert outdated_suites((other, _suite(METADATA)), changed) == ("evals/x.golden.json",)
    assert outdated_suites((other, _suite(METADATA)), _registry(TOOL)) == ()


@pytest.mark.parametrize(
    ("then", "now", "is_another"),
    [("01.2", "1.0.0", False), ("0.9", "00.1", False), ("0.9", "1.0", True), ("1.0", "10.0", True)],
)
def test_a_major_version_is_a_number_however_it_is_written(
    then: str, now: str, is_another: bool
) -> None:
    metadata = replace(METADATA, tool_version=then)
    found = outdated(_suite(metadata), _registry(replace(TOOL, version=now)))
    assert ("Schema may have changed" in "".join(found.warnings)) is is_another


def test_what_leaves_a_suite_in_force_is_told_with_the_field_it_is_about() -> None:
    newer = replace(TOOL, version="2.0.0")
    found = outdated(_suite(METADATA), _registry(newer, *_many(3)))
    assert [field for field, _ in found.doubts] == ["registrySize", "toolVersion"]
    assert tuple(said for _, said in found.doubts) == found.warnings
    unread = outdated(_suite(METADATA), _registry(replace(TOOL, version="latest")))
    assert unread.doubts == (), "that it was not checked is no doubt"


def test_each_kind_of_warning_has_a_title() -> None:
    metadata = replace(METADATA, description_hash="0")
    other = outdated(_suite(metadata), _registry(replace(TOOL, version="2.0.0"), *_many(3)))
    unchecked = outdated(_suite(METADATA), _registry(replace(TOOL, description=None, version=None)))
    assert [title_of(said) for said in (*other.warnings, *unchecked.warnings)] == [
        "Outdated evals",
        "Registry has grown",
        "Another version of the tool",
        "Staleness not checked",
        "Version not checked",
    ]
    assert title_of("Something else.") == "About these evals"
