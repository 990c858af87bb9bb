"""Accepting what happened, and capturing it as a regression case."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.core.case import Case, CaseKey, ContractCase
from evaltui.core.errors import UserError
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.response import ToolCall
from evaltui.formats.editing import (
    accept_calls,
    accept_description_hash,
    capture_regression,
    regression_file,
)

FILE = Path("evals/get_weather.labeled.json")
CONTENT = b"""\xef\xbb\xbf{
  "metadata": { "toolName": "get_weather", "descriptionHash": "000000000000", "registrySize": 2 },
  "cases": [
    {
      "id": "ls-get-weather-001",
      "input": { "message": "Paris?" },
      "expect": {
        "toolsCalled": ["get_forecast"],
        "toolsNotCalled": ["gw", "get_tides"],
        "toolParams": [
          { "tool": "gw", "paramName": "city", "assertion": "equals", "value": "Pariss" },
          { "tool": "gw", "paramName": "days", "assertion": "equals", "value": "{{seed:d}}" },
          { "tool": "gw", "paramName": "n", "assertion": "contains", "value": "1" }
        ]
      }
    },
    { "id": "ls-get-weather-002", "expect": { "toolsAcceptable": [["a", "b"]] } },
    { "id": "rg-get-weather-001", "expect": {} }
  ]
}
"""
CALLS = (ToolCall("gw", {"city": "Paris", "days": 3, "n": 2}), ToolCall("b", {}))


def changed(before: bytes, after: bytes) -> list[tuple[str, str]]:
    pairs = zip(before.decode().splitlines(), after.decode().splitlines(), strict=True)
    return [(old.strip(), new.strip()) for old, new in pairs if old != new]


def test_accept_calls_touches_three_lines() -> None:
    edit = accept_calls(FILE, CONTENT, "ls-get-weather-001", CALLS)
    assert changed(CONTENT, edit.after) == [
        ('"toolsCalled": ["get_forecast"],', '"toolsCalled": ["gw", "b"],'),
        ('"toolsNotCalled": ["gw", "get_tides"],', '"toolsNotCalled": ["get_tides"],'),
        (
            '{ "tool": "gw", "paramName": "city", "assertion": "equals", "value": "Pariss" },',
            '{ "tool": "gw", "paramName": "city", "assertion": "equals", "value": "Paris" },',
        ),
    ]
    assert '+        "toolsCalled": ["gw", "b"],' in edit.diff
    assert edit.diff[2].startswith("@@ -5,")


def test_accept_adds_an_acceptable_set() -> None:
    edit = accept_calls(FILE, CONTENT, "ls-get-weather-002", CALLS[:1])
    assert b'"toolsAcceptable": [["a", "b"], ["gw"]]' in edit.after
    assert b"toolsCalled" not in edit.after.splitlines()[17]
    none = accept_calls(FILE, CONTENT, "ls-get-weather-002", ())
    assert b'[["a", "b"], ["__none__"]]' in none.after
    with pytest.raises(UserError, match="already"):
        accept_calls(FILE, CONTENT, "ls-get-weather-002", (ToolCall("b"), ToolCall("a")))


def test_accept_refuses_what_makes_no_sense() -> None:
    with pytest.raises(UserError, match="regression case"):
        accept_calls(FILE, CONTENT, "rg-get-weather-001", CALLS)
    with pytest.raises(UserError, match="no longer"):
        accept_calls(FILE, CONTENT, "gone", CALLS)
    after = accept_calls(FILE, CONTENT, "ls-get-weather-001", CALLS).after
    with pytest.raises(UserError, match="already"):
        accept_calls(FILE, after, "ls-get-weather-001", CALLS)


def test_accept_in_a_bare_array_without_expect() -> None:
    edit = accept_calls(FILE, b'[{"id":"x"}]', "x", ())
    assert edit.after == b'[{"id":"x","expect":{"toolsCalled":[]}}]'


@pytest.mark.parametrize(
    ("stubs", "said"),
    [
        ('{"gw": {}}', ("It still fails: `b` was called but has no stub.",)),
        ('{"gw": {}, "b": {}}', ()),
        ("null", ()),
    ],
)
def test_accept_tells_which_call_fails_all_the_same(stubs: str, said: tuple[str, ...]) -> None:
    expect = '{"toolsCalled": ["x"], "noToolErrors": true}'
    content = f'[{{"id": "y", "stubs": {stubs}, "expect": {expect}}}]'.encode()
    assert accept_calls(FILE, content, "y", CALLS).still_fails == said
    other = content.replace(b"true", b"false")
    assert accept_calls(FILE, other, "y", CALLS).still_fails == ()


def test_accept_description_hash() -> None:
    edit = accept_description_hash(FILE, CONTENT, "111111111111", "2.0.0", 5)
    assert changed(CONTENT, edit.after) == [
        (
            '"metadata": { "toolName": "get_weather", "descriptionHash": "000000000000",'
            ' "registrySize": 2 },',
            '"metadata": { "toolName": "get_weather", "descriptionHash": "111111111111",'
            ' "registrySize": 5, "toolVersion": "2.0.0" },',
        )
    ]
    with pytest.raises(UserError, match="already"):
        accept_description_hash(FILE, CONTENT, "000000000000")
    with pytest.raises(UserError, match="no metadata"):
        accept_description_hash(FILE, b"[]", "000000000000")


EXPECT: JsonObject = {
    "toolsCalled": ["get_weather"],
    "responseContains": ["18", "{{snapshot:t}}"],
    "responseContainsAny": [["{{snapshot:t}}"], ["a", "{{snapshot:t}}"]],
    "toolParams": [{"tool": "gw", "paramName": "city", "assertion": "exists"}],
}
CASE = Case(
    CaseKey("evals/get_weather.golden.json", "gs-get-weather-004"),
    ContractCase("How warm in Zürich?", expect=EXPECT, stubs={"get_weather": {"t": 1}}),
    description="umbrella",
)


def capture(content: bytes | None, **more: str) -> bytes:
    target = regression_file(Path("evals/get-weather.golden.json"), "get_weather")
    assert target == Path("evals/get-weather.regression.json")
    return capture_regression(
        target,
        content,
        CASE,
        tool_name="get_weather",
        created_at="2026-01-02T03:04:05Z",
        bug_ref=more.get("bug_ref", "#12"),
        case_id=more.get("case_id", ""),
        metadata={"toolVersion": "1.0.0"},
    ).after


def test_capture_makes_a_file() -> None:
    content = capture(None)
    value = json.loads(content)
    assert value["metadata"] == {
        "toolName": "get_weather", "tier": "regression", "toolVersion": "1.0.0"
    }  # fmt: skip
    expected: dict[str, Json] = {
        "id": "rg-get-weather-001",
        "description": "regression — umbrella",
        "difficulty": "regression",
        "createdAt": "2026-01-02T03:04:05Z",
        "bugRef": "#12",
        "input": {"message": "How warm in Zürich?"},
        "stubs": {"get_weather": {"t": 1}},
        "expect": {
            "toolsCalled": ["get_weather"],
            "responseContains": ["18"],
            "responseContainsAny": [["a"]],
            "toolParams": [{"tool": "gw", "paramName": "city", "assertion": "exists"}],
        },
    }
    assert value["cases"] == [expected]
    assert content.endswith(b"}\n")
    assert "Zürich" in content.decode()


def test_capture_appends_with_the_next_free_id() -> None:
    once = capture(None)
    twice = capture(once)
    assert [case["id"] for case in json.loads(twice)["cases"]] == [
        "rg-get-weather-001",
        "rg-get-weather-002",
    ]
    assert len(set(once.splitlines()) - set(twice.splitlines())) <= 1
    assert json.loads(capture(b"[]"))[0]["id"] == "rg-get-weather-001"
    gap = b'[{"id": "rg-get-weather-041"}, {"id": "rg-get-weather-x"}]'
    assert json.loads(capture(gap))[-1]["id"] == "rg-get-weather-042"


def test_capture_refuses() -> None:
    with pytest.raises(UserError, match="bug reference"):
        capture(None, bug_ref=" ")
    with pytest.raises(UserError, match="already"):
        capture(capture(None), case_id="rg-get-weather-001")
    with pytest.raises(UserError, match="not valid JSON"):
        capture(b"{")
    with pytest.raises(UserError, match="asserts nothing"):
        capture_regression(
            FILE,
            None,
            replace(CASE, body=ContractCase("?")),
            tool_name="x",
            created_at="",
            bug_ref="1",
        )


def test_regression_file_stays_beside_the_suite() -> None:
    assert regression_file(Path("evals/golden/all.json"), "../x/y").parent == Path("evals/golden")
