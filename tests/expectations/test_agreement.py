"""The comparison of calls and accepting them agree with the verdicts."""

import json
from pathlib import Path
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from evaltui.core.errors import UserError
from evaltui.core.json_value import Json
from evaltui.core.response import ToolCall
from evaltui.expectations import ASSERTIONS
from evaltui.expectations.contract_config import ContractConfig
from evaltui.expectations.expected_diff import diff_expected
from evaltui.formats.editing import accept_calls
from tests.expectations.judging import judge, make_case

NAMES = st.lists(st.sampled_from(["a", "b", "c"]), max_size=3)
SETS = st.lists(NAMES | st.just(["__none__"]), min_size=1, max_size=3)
VALUES = st.sampled_from(["", "x", "xy", "1"])
ENTRIES = st.fixed_dictionaries(
    {
        "tool": st.sampled_from(["a", "b"]),
        "paramName": st.sampled_from(["p", "q"]),
        "assertion": st.sampled_from(["equals", "contains", "oneOf", "exists", "notExists"]),
        "value": VALUES,
    }
)
EXPECTS: st.SearchStrategy[dict[str, Json]] = st.fixed_dictionaries(
    {},
    optional={
        "toolsCalled": NAMES,
        "toolsAcceptable": SETS,
        "toolsNotCalled": NAMES,
        "toolParams": st.lists(ENTRIES, max_size=3),
    },
)
PARAMS = st.dictionaries(st.sampled_from(["p", "q"]), VALUES | st.integers(0, 1), max_size=2)
CALLS = st.lists(st.builds(ToolCall, st.sampled_from(["a", "b", "c"]), PARAMS), max_size=3)


def test_the_assertions_that_are_tried_are_those_that_the_comparison_shows() -> None:
    shown = {key for key, assertion in ASSERTIONS.items() if assertion.is_in_diff}
    assert shown == {"toolsCalled", "toolsAcceptable", "toolsNotCalled", "toolParams"}


@given(EXPECTS, CALLS, st.booleans())
async def test_calls_differ_exactly_when_an_assertion_about_them_failed(
    expect: dict[str, Json], calls: list[ToolCall], multiset: bool
) -> None:
    verdicts = await judge(expect, "", *calls, config=ContractConfig(multiset_tools=multiset))
    diff = diff_expected(make_case(expect), calls, verdicts, multiset=multiset)
    assert diff.is_same is not any(verdict.gates for verdict in verdicts)


@given(EXPECTS, CALLS)
async def test_one_assertion_alone_differs_as_it_would_be_judged(
    expect: dict[str, Json], calls: list[ToolCall]
) -> None:
    for key, value in expect.items():
        verdicts = await judge({key: value}, "", *calls)
        diff = diff_expected(make_case({key: value}), calls)
        assert diff.is_same is not any(verdict.gates for verdict in verdicts)


@given(EXPECTS, CALLS)
async def test_accepted_calls_pass_wherever_accepting_writes_something(
    expect: dict[str, Any], calls: list[ToolCall]
) -> None:
    """Of parameters only `equals` is written: the others say what the author means by it."""
    params = [entry for entry in expect.get("toolParams", ()) if entry["assertion"] == "equals"]
    sent = {call.name: call.params or {} for call in reversed(calls)}
    assume(all(entry["paramName"] in sent.get(entry["tool"], {}) for entry in params))
    if "toolParams" in expect:
        expect = {**expect, "toolParams": params}
    content = json.dumps({"cases": [{"id": "c", "expect": expect}]}).encode()
    try:
        after = json.loads(accept_calls(Path("x.json"), content, "c", calls).after)
    except UserError:
        after = json.loads(content)
    accepted = after["cases"][0]["expect"]
    verdicts = await judge(accepted, "", *calls)
    assert [verdict.reason for verdict in verdicts if verdict.gates] == []
    assert diff_expected(make_case(accepted), calls, verdicts).is_same
