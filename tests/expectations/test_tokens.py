"""Tokens: what is one, what it stands for, and what happens when it stands for nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.json_value import Json
from evaltui.expectations.javascript import to_string
from evaltui.expectations.tokens import (
    UNRESOLVED,
    Token,
    find_tokens,
    lookup,
    resolve,
    sole_token,
    unresolved_tokens,
)

SEED: Json = {
    "holdings": {"equities": [{"symbol": "AAPL", "shares": 150, "name": "Apple Inc."}]},
    "totals": {"portfolioValue": 125000, "rate": 2.0, "up": True, "none": None, "zero": 0},
    "empty": "",
    "list": ["a", None, [1, 2]],
    "S&P 500": {"value": 1},
    "looping": "{{seed:empty}}",
}
SNAPSHOT: Json = {"prices": {"AAPL": {"current": 178.50}}}


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("plain", "plain"),
        ("{{seed:holdings.equities[0].symbol}}", "AAPL"),
        ("{{seed:holdings.equities[0].shares}}", "150"),
        ("{{seed:totals.portfolioValue}}", "125000"),
        ("{{snapshot:prices.AAPL.current}}", "178.5"),
        ("{{seed:totals.rate}}", "2"),
        ("{{seed:totals.up}}", "true"),
        ("{{seed:totals.zero}}", "0"),
        ("{{seed:empty}}", ""),
        ("{{seed:list}}", '["a",null,[1,2]]'),
        ("{{seed:holdings.equities[0]}}", '{"symbol":"AAPL","shares":150,"name":"Apple Inc."}'),
        ("{{seed:holdings.equities.0.symbol}}", "AAPL"),
        ("{{seed:list.length}}", "3"),
        ("{{seed:S&P 500.value}}", "1"),
        ("${{seed:totals.portfolioValue}} of {{seed:list[0]}}!", "$125000 of a!"),
        ("{{seed:looping}}", "{{seed:empty}}"),
        ("{{env:HOME}} {{name}} {{SEED:x}}", "{{env:HOME}} {{name}} {{SEED:x}}"),
        ("{{ seed:empty }}", "{{ seed:empty }}"),
        ("{{seed: empty}}", "{{seed: empty}}"),
        ("{{seed:}}", "{{seed:}}"),
        ("{{seed:empty}", "{{seed:empty}"),
    ],
)
def test_resolution(text: str, resolved: str) -> None:
    assert resolve(text, SEED, SNAPSHOT) == resolved


@pytest.mark.parametrize(
    "path",
    [
        "missing",
        "totals.none",
        "totals.none.x",
        "list[1]",
        "list[3]",
        "list.3",
        "list.00",
        "list.-1",
        "totals[0]",
        "empty[0]",
        "empty.length",
        "constructor",
        "totals.__class__",
        "holdings.equities[٠].symbol",
        "list[" + "9" * 5000 + "]",
        "list." + "9" * 5000,
        "a..b",
    ],
)
def test_a_path_that_leads_nowhere(path: str) -> None:
    assert lookup(Token("seed", path), SEED, None) is UNRESOLVED
    assert resolve(f"x {{{{seed:{path}}}}}", SEED, None) is UNRESOLVED


def test_one_unresolved_token_makes_the_whole_text_unresolved() -> None:
    text = "{{seed:totals.up}} {{snapshot:prices}}"
    assert resolve(text, SEED, None) is UNRESOLVED
    assert unresolved_tokens(text, SEED, None) == (Token("snapshot", "prices"),)


def test_no_manifest_at_all_resolves_nothing() -> None:
    assert resolve("{{seed:x}}", None, None) is UNRESOLVED
    assert resolve("{{seed:x}}", [1], None) is UNRESOLVED


def test_finding() -> None:
    assert find_tokens("{{seed:a}}{{snapshot:b[0]}} {{x}}") == (
        Token("seed", "a"),
        Token("snapshot", "b[0]"),
    )
    assert str(Token("seed", "a.b")) == "{{seed:a.b}}"
    assert sole_token("{{seed:a}}") == Token("seed", "a")
    assert sole_token("{{seed:a}} ") is None


KEYS = st.text("abcXYZ_09 é-", min_size=1).filter(lambda key: key == key.strip())
VALUES = st.integers() | st.floats(allow_nan=False) | st.booleans() | st.text()


@given(st.lists(KEYS, min_size=1, max_size=5), VALUES)
def test_any_nested_value_is_found_under_its_path(keys: list[str], value: Json) -> None:
    seed: Json = value
    for key in reversed(keys):
        seed = {key: seed}
    expected = to_string(value)
    assert resolve(f"<{{{{seed:{'.'.join(keys)}}}}}>", seed, None) == f"<{expected}>"


@given(st.lists(VALUES, min_size=1), st.data())
def test_list_items_by_bracket_and_by_dot(items: list[Json], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(items) - 1))
    seed: Json = {"list": items}
    by_bracket = resolve(f"{{{{seed:list[{index}]}}}}", seed, None)
    assert by_bracket == to_string(items[index])
    assert resolve(f"{{{{seed:list.{index}}}}}", seed, None) == by_bracket


@given(st.text())
def test_text_without_tokens_stays_as_it_is(text: str) -> None:
    if not find_tokens(text):
        assert resolve(text, None, None) == text
