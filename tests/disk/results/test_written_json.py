"""An object that is kept as text is the object, and is written as it stood."""

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.json_value import Json
from evaltui.core.response import AgentResponse
from evaltui.disk.codec import decode, encode, read
from evaltui.disk.results.response_wire import WrittenObject, written_object
from evaltui.disk.results.result_wire import CaseWire, from_wire, to_wire
from tests.disk.samples import passed

TEXTS = st.text(st.characters(codec="utf-8"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=8,
)


@given(st.dictionaries(TEXTS, VALUES))
def test_any_object_is_what_its_text_says_and_is_written_again(value: dict[str, Json]) -> None:
    text = encode(value)
    kept = written_object(text)
    assert kept == value and value == kept
    assert (list(kept), len(kept), bool(kept)) == (list(value), len(value), bool(value))
    assert encode({"why": kept}) == b'{"why":' + text + b"}"


@pytest.mark.parametrize(
    ("text", "value", "written"),
    [
        (b'{"a" :\n 1}', {"a": 1}, b'{"a":1}'),
        (b'{"a": "\\ud800"}', {"a": "\ufffd"}, '{"a":"\ufffd"}'.encode()),
        (b'{"a": "\xff"}', {}, b"{}"),
        (b"[1]", {}, b"{}"),
        (b"null", {}, b"{}"),
    ],
    ids=["two lines", "half a pair", "no text", "a row", "null"],
)
def test_a_text_of_another_program_never_spoils_a_file(
    text: bytes, value: Mapping[str, Json], written: bytes
) -> None:
    kept = written_object(text)
    assert kept == value
    assert encode(kept) == written


def test_why_an_answer_came_about_is_carried_without_being_read() -> None:
    why: dict[str, Json] = {"tools": [{"name": "a", "p": 0.25}], "called": ["a"]}
    case = replace(passed(), response=AgentResponse("Hello.", explanation=why))
    line = encode(to_wire(case))
    key = case.key
    found = from_wire(decode(CaseWire, line), suite=key.suite, run_id="run-1", agent=case.agent)
    assert found.response is not None
    explanation = found.response.explanation
    assert isinstance(explanation, WrittenObject) and "_values" not in vars(explanation)
    assert encode(to_wire(found)) == line
    assert "_values" not in vars(explanation)
    assert explanation["called"] == ["a"] and found == case


def test_a_wrong_value_beside_it_costs_only_itself() -> None:
    case = replace(passed(), response=AgentResponse("Hello.", explanation={"called": ["a"]}))
    written = json.loads(encode(to_wire(case)))
    written["agentResponse"]["turns"] = "three"
    found = from_wire(read(CaseWire, encode(written)), suite="s", run_id="r", agent="a")
    assert found.response is not None
    assert (found.response.turns, found.response.explanation) == (1, {"called": ["a"]})
