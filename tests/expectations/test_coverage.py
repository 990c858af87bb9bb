"""Which cases touch which tool."""

from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.case import Case, CaseKey, ContractCase, Tier
from evaltui.core.json_value import Json
from evaltui.core.response import ToolCall
from evaltui.core.suite import Suite
from evaltui.core.tool import ToolDefinition, ToolRegistry
from evaltui.expectations.coverage import ToolCoverage, cover, uncovered
from evaltui.expectations.mentions import wanted_tools

TOOLS = ("get_weather", "get_forecast", "send_email")


def suite(tier: Tier, *expects: dict[str, Json], tool: str = "get-weather") -> Suite:
    cases = tuple(
        Case(CaseKey(f"{tier}.json", str(number)), ContractCase("hi", expect=expect), tier)
        for number, expect in enumerate(expects)
    )
    return Suite(f"{tier}.json", tool, tier, cases, "")


def registry(*names: str) -> ToolRegistry:
    return ToolRegistry({name: ToolDefinition(name, "x") for name in names or TOOLS})


def test_a_case_names_tools_in_four_places() -> None:
    case = Case(
        CaseKey("s", "c"),
        ContractCase(
            "hi",
            expect={
                "toolsCalled": ["a"],
                "toolsAcceptable": [["b"], ["__none__"], "junk"],
                "toolsNotCalled": ["no"],
                "toolParams": [{"tool": "c", "paramName": "x"}, 7],
            },
            stubs={"d": {}},
        ),
    )
    assert wanted_tools(case) == {"a", "b", "c", "d", "junk"}


def test_each_way_of_touching_is_kept_apart() -> None:
    suites = [
        suite(
            Tier.GOLDEN,
            {"toolsCalled": ["get_weather"]},
            {"toolsNotCalled": ["send_email"]},
            {"responseNonEmpty": True},
        )
    ]
    calls = {CaseKey("golden.json", "2"): [ToolCall("send_email"), ToolCall("unheard_of")]}
    by_tool = {entry.tool: entry for entry in cover(registry(), suites, calls)}
    assert [key.case for key in by_tool["get_weather"].expecting] == ["0"]
    assert [key.case for key in by_tool["get_weather"].suite_mates] == ["1", "2"]
    assert [key.case for key in by_tool["send_email"].forbidding] == ["1"]
    assert [key.case for key in by_tool["send_email"].calling] == ["2"]
    assert by_tool["get_forecast"].naming == ()
    assert list(by_tool) == [*TOOLS, "unheard_of"]


def test_a_case_that_only_stubs_or_calls_a_tool_does_not_name_it() -> None:
    key = CaseKey("g.json", "1")
    body = ContractCase("hi", expect={"toolsCalled": ["get_weather"]}, stubs={"get-forecast": {}})
    made = Suite("g.json", "get-weather", Tier.GOLDEN, (Case(key, body, Tier.GOLDEN),), "")
    calls = {key: [ToolCall("get_forecast"), ToolCall("send_email")]}
    weather, forecast, email = cover(registry(), [made], calls)
    assert (weather.naming, forecast.naming, email.naming) == ((key,), (), ())
    assert (forecast.stubbing, forecast.calling, email.calling) == ((key,), (), (key,))
    assert forecast.has_routing_eval, "a stub says that it may be called"


def test_a_tool_is_named_in_kebab_and_in_snake_case() -> None:
    suites = [suite(Tier.GOLDEN, {"toolsCalled": ["get-forecast"]})]
    (found,) = (entry for entry in cover(registry(), suites) if entry.tool == "get_forecast")
    assert [key.case for key in found.naming] == ["0"]
    assert [entry.tool for entry in cover(registry(), suites)] == [*TOOLS]


def test_only_golden_and_labeled_cases_cover_a_tool() -> None:
    suites = [
        suite(Tier.REGRESSION, {"toolsCalled": ["get_forecast"]}),
        suite(
            Tier.LABELED, {"toolsAcceptable": [["get_weather"]], "toolsNotCalled": ["send_email"]}
        ),
    ]
    names = [tool.name for tool in uncovered(registry(), cover(registry(), suites))]
    assert names == ["get_forecast", "send_email"]


@given(st.lists(st.lists(st.sampled_from(TOOLS), max_size=3), max_size=5))
def test_every_case_is_counted_once_for_a_tool(called: list[list[str]]) -> None:
    expects: list[dict[str, Json]] = [{"toolsCalled": [*names]} for names in called]
    suites = [suite(Tier.GOLDEN, *expects)]
    for entry in cover(registry(), suites):
        assert len(entry.naming) == len(set(entry.naming))
        expecting = {key.case for key in entry.expecting}
        assert expecting == {str(i) for i, names in enumerate(called) if entry.tool in names}


def test_the_tool_of_a_suite_is_the_one_of_exactly_its_name() -> None:
    for names in (("get_weather", "get-weather"), ("get-weather", "get_weather")):
        suites = [suite(Tier.GOLDEN, {"responseNonEmpty": True}, tool="get_weather")]
        by_tool = {entry.tool: entry for entry in cover(registry(*names), suites)}
        assert len(by_tool["get_weather"].suite_mates) == 1
        assert by_tool["get-weather"].suite_mates == ()


def test_tools_that_only_cases_name_come_last_by_name_and_regressions_cover_nothing() -> None:
    suites = [
        suite(Tier.REGRESSION, {"toolsCalled": ["get_weather", "zzz"]}, tool=""),
        suite(Tier.LABELED, {"toolsCalled": ["aaa"]}, {"toolsNotCalled": ["send_email"]}, tool=""),
    ]
    found = cover(registry(), suites)
    assert [entry.tool for entry in found] == [*TOOLS, "aaa", "zzz"]
    assert [entry.tool for entry in found if entry.has_routing_eval] == ["aaa"]
    assert [tool.name for tool in uncovered(registry(), found)] == [*TOOLS]
    assert all(entry.suite_mates == () for entry in found)
    assert [key.case for key in found[2].naming] == ["1"]


def test_a_tool_of_which_no_case_is_known_is_uncovered() -> None:
    (tool,) = uncovered(registry("a"), [ToolCoverage("a")])
    assert tool.name == "a"
