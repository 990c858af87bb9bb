"""A comparison of calls in a few words: the first difference, and how many there are besides."""

from typing import Any

import pytest

from evaltui.core.response import ToolCall
from evaltui.expectations.call_diff import DiffTarget, diff_calls
from evaltui.expectations.expected_diff import diff_expected
from evaltui.expectations.in_short import in_short
from tests.expectations.judging import make_case


def call(name: str = "move", **params: Any) -> ToolCall:
    return ToolCall(name, params)


def previous(before: list[ToolCall], now: list[ToolCall]) -> str:
    return in_short(diff_calls(before, now, DiffTarget.PREVIOUS))


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        ([call()], [call()], ""),
        ([call()], [], "move → no call"),
        ([call(), call("look")], [call("look")], "move no longer called"),
        ([call()], [call("cancel")], "move → cancel"),
        ([call()], [call(), call("look")], "look called too"),
        ([], [call("look")], "no call → look"),
        ([call(), call("look")], [call("look"), call()], "order of 2 calls"),
        ([call(city="Paris")], [call(city="Pariss")], 'city "Paris" → "Pariss"'),
        ([call(n=3)], [call(n=4)], "n 3 → 4"),
        ([call(n=3)], [call()], "n no longer sent (3)"),
        ([call()], [call(n=3)], "n 3 sent too"),
        ([call(a=1, b=2)], [call(a=2, b=3)], "a 1 → 2 +1"),
        ([call(day="2026-10-06")], [call(day="2026-10-05")], 'day "…-06" → "…-05"'),
        ([call(day="10-06")], [call(day="10-05")], 'day "10-06" → "10-05"'),
        (
            [call(id="204518637269")],
            [call(id=7204518637261)],
            'id "204518637269" → 7204518637261',
        ),
        (
            [call(id=7204518637261)],
            [call(id="204518637269")],
            'id 7204518637261 → "204518637269"',
        ),
        (
            [call(id="a-204518637261")],
            [call(id="b-204518637261")],
            'id "a-204518637261" → "b-204518637261"',
        ),
        (
            [call(id="7-204518637261")],
            [call(id="7-504518637261")],
            'id "7-204518637261" → "7-504518637261"',
        ),
        ([call(a="x" * 40)], [call(a="y" * 40)], f'a "{"x" * 22}… → "{"y" * 22}…'),
    ],
)
def test_against_the_run_before(before: list[ToolCall], now: list[ToolCall], said: str) -> None:
    assert previous(before, now) == said


@pytest.mark.parametrize(
    ("expect", "now", "said"),
    [
        ({"toolsCalled": ["move"]}, [], "no call, move wanted"),
        ({"toolsCalled": ["move"]}, [call("cancel")], "move → cancel"),
        ({"toolsCalled": ["move", "look"]}, [call("look")], "move not called"),
        ({"toolsNotCalled": ["cancel"]}, [call("cancel")], "cancel besides"),
        (
            {"toolParams": [{"tool": "move", "paramName": "day", "assertion": "exists"}]},
            [call()],
            "day not sent",
        ),
    ],
)
def test_against_what_was_expected(expect: dict[str, Any], now: list[ToolCall], said: str) -> None:
    assert in_short(diff_expected(make_case(expect), now)) == said


def test_where_only_ascii_may_be_printed() -> None:
    diff = diff_calls([call(day="2026-10-06")], [call(day="2026-10-05")], DiffTarget.PREVIOUS)
    assert in_short(diff, arrow="->", cut="~") == 'day "~-06" -> "~-05"'
