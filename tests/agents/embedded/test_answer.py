"""Answers hold what the stubs and parameters hold, and nothing else."""

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from evaltui.agents.embedded.answer import NO_TOOL, answer
from evaltui.core.json_value import Json
from evaltui.core.response import ToolCall

keys = st.sampled_from(["city", "windKph", "fetched_at", "items", "a b", "x1"])
texts = st.text(alphabet="abc XYZ-é", max_size=8)
leaves = st.none() | st.booleans() | st.integers() | texts
values: st.SearchStrategy[Json] = st.recursive(
    leaves | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=12,
)


def said(result: Json, **params: Json) -> str:
    return answer([ToolCall("get_weather", params, success=True, result=result)])


def words_in(value: Json) -> set[str]:
    """Every word that may be said: those of keys and leaves."""
    if isinstance(value, dict):
        split = [re.sub(r"(?<=[a-z])(?=[A-Z0-9])", " ", key) for key in value]
        found = {w.lower() for key in [*value, *split] for w in re.split(r"[\s_]+", key)}
        return found.union(*map(words_in, value.values()))
    if isinstance(value, list):
        return set().union(*map(words_in, value))
    if isinstance(value, bool):
        return {str(value).lower()}
    if isinstance(value, float):
        return {str(value), str(int(value))}
    return {w.lower() for w in str(value).split()}


@given(values, values)
def test_nothing_is_said_that_neither_stub_nor_parameters_hold(result: Json, param: Json) -> None:
    text = said(result, city=param)
    allowed = words_in(result) | words_in(param) | {"get", "weather", "city", ""}
    for word in re.split(r"[\s:;,]+", text.lower()):
        assert word.rstrip(".") in allowed or word in allowed


@given(values)
def test_raw_json_never_shows(result: Json) -> None:
    stubs = [result]
    if isinstance(result, dict | list | str):
        stubs.append(json.dumps(result))
    for stub in stubs:
        text = said(stub)
        assert not re.search(r'[{}\[\]"]', text)
        assert "null" not in text
        assert "None" not in text


def test_fields_are_flattened_in_words() -> None:
    stub: Json = {"temperature": 18.0, "wind": {"speedKph": 15}, "tags": ["dry", "calm"], "x": None}
    expected = "Get weather: city Paris; temperature 18; wind speed kph 15; tags dry, calm"
    assert said(stub, city="Paris") == expected


def test_a_value_in_both_is_said_once() -> None:
    assert said({"city": "Paris"}, city="Paris") == "Get weather: city Paris"


def test_lists_of_objects_repeat_their_label() -> None:
    stub: Json = {"rows": [{"id": "a"}, {"id": "b"}]}
    assert said(stub) == "Get weather: rows id a; rows id b"


def test_one_line_a_call_and_a_fixed_sentence_without() -> None:
    assert answer([]) == NO_TOOL
    lines = answer([ToolCall("a_b", {}), ToolCall("c", {"x": True})]).splitlines()
    assert lines == ["A b.", "C: x true"]


def test_huge_and_deep_stubs_end() -> None:
    deep: Json = "end"
    for _ in range(500):
        deep = {"a": deep}
    assert said(deep)
    assert len(said({"text": "x" * 100_000})) <= 20_000
