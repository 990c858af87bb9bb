"""Names of tools and tiers."""

from evaltui.core.case import Tier
from evaltui.formats.naming import case_tools, tier_of, tool_of, tools_of_ids


def test_metadata_wins_and_is_kept_as_written() -> None:
    assert tool_of("get-weather", "evals/other.golden.json", ["gs-third-001"]) == "get-weather"
    assert tier_of("Labeled", "evals/other.golden.json", ["gs-third-001"]) is Tier.LABELED


def test_unknown_tiers_in_metadata_count_for_nothing() -> None:
    assert tier_of("bronze", "evals/a.regression.json", []) is Tier.REGRESSION
    assert tier_of(3, "evals/a.json", ["ls-a-001"]) is Tier.LABELED


def test_the_commonest_tool_of_the_ids_comes_first() -> None:
    ids = ["gs-a-1", "gs-get-rain-001", "ls-get-rain-002", "free text", "gs-x"]
    assert tools_of_ids(ids) == ("get_rain", "a")


def test_a_case_of_a_file_of_several_tools_is_about_the_one_its_id_names() -> None:
    assert case_tools(("a", "b"), "gs-b-1") == ("b",)
    assert case_tools(("a", "b"), "free text") == ("a", "b")
    assert case_tools(("stated",), "gs-b-1") == ("stated",)
