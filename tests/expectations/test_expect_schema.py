"""The schema of `expect`: what it lets through can be judged."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from evaltui.core.json_value import Json
from evaltui.expectations import ASSERTIONS
from evaltui.expectations.contract import contract_plan
from evaltui.expectations.verdicts import Invalid
from evaltui.formats.contract_model import EvalCase
from tests.expectations.judging import make_case
from tests.expectations.test_contract import EVERYTHING, JSON_VALUES


def is_readable(expect: dict[str, Json]) -> bool:
    plan = contract_plan(make_case(expect))
    return not any(isinstance(check, Invalid) for stage in plan for check in stage)


@pytest.fixture(scope="module")
def schema() -> Any:
    expect, _ = EvalCase.model_json_schema()["properties"]["expect"]["anyOf"]
    return expect


@pytest.fixture(scope="module")
def validator(schema: Any) -> Any:
    return Draft202012Validator(schema)


def test_it_speaks_of_every_assertion(schema: Any, validator: Any) -> None:
    properties = schema["properties"]
    assert list(properties) == list(ASSERTIONS)
    assert all(each["description"] for each in properties.values())
    assert validator.is_valid(EVERYTHING)
    assert validator.is_valid({"x-other": 1})


ENTRIES = st.fixed_dictionaries(
    {"tool": st.just("t"), "paramName": st.just("p")},
    optional={
        "assertion": st.sampled_from(["equals", "oneOf", "exists", "matches", "is"]),
        "value": st.text() | st.integers() | st.none() | st.lists(st.text() | st.none()),
    },
)


@given(st.sampled_from(list(ASSERTIONS)), JSON_VALUES | st.lists(ENTRIES, min_size=1))
def test_what_it_lets_through_can_be_judged(validator: Any, key: str, value: Json) -> None:
    if value is not None and validator.is_valid({key: value}):
        assert is_readable({key: value}), value


@pytest.mark.parametrize(
    "expect",
    [
        {"toolsCalled": "a"},
        {"toolsAcceptable": []},
        {"toolParams": [{"tool": "t", "paramName": "p", "assertion": "equals"}]},
        {"toolParams": [{"tool": "t", "paramName": "p", "assertion": "oneOf", "value": []}]},
        {"toolParams": [{"tool": "t", "paramName": "p", "assertion": "is", "value": "x"}]},
        {"maxTokens": "9"},
    ],
)
def test_what_cannot_be_judged_is_refused(validator: Any, expect: dict[str, Json]) -> None:
    assert not validator.is_valid(expect)
    assert not is_readable(expect)
