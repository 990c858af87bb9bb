"""Tools that a case talks about."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.case import Case, CaseKey, ContractCase
from evaltui.expectations.mentions import mentioned_tools


def mentioned(expect: Any, stubs: Any = None) -> set[str]:
    return set(
        mentioned_tools(
            Case(CaseKey("s", "a"), ContractCase("m", expect=expect, stubs=stubs), description="")
        )
    )


def test_every_place_where_a_tool_is_named() -> None:
    expect = {
        "toolsCalled": ["a"],
        "toolsAcceptable": [["b", "c"], ["__none__"]],
        "toolsNotCalled": ["d"],
        "toolParams": [{"tool": "e", "paramName": "x"}],
        "responseContains": ["no tool"],
    }
    assert mentioned(expect, {"f": {}}) == {"a", "b", "c", "d", "e", "f"}


def test_nothing_is_mentioned() -> None:
    assert (
        mentioned(None) == mentioned({}) == mentioned({"toolsAcceptable": [["__none__"]]}) == set()
    )


@given(
    st.dictionaries(
        st.sampled_from(["toolsCalled", "toolsAcceptable", "toolsNotCalled", "toolParams"]),
        st.recursive(
            st.none() | st.integers() | st.text(),
            lambda inner: st.lists(inner) | st.dictionaries(st.just("tool"), inner),
        ),
    )
)
def test_wrong_types_are_survived(expect: Any) -> None:
    assert all(isinstance(name, str) for name in mentioned(expect))
