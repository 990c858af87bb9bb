"""What breaks a schema is said in words that name what to write."""

from typing import Any

import pytest

from evaltui.evaluators.built_in.response_length import response_length
from evaltui.evaluators.config_schema import ConfigSchema, schema_of

EITHER = '"min" or "max" is a required property'
UNKNOWN = "Additional properties are not allowed ('maximum' was unexpected)"


@pytest.mark.parametrize(
    ("config", "said"),
    [({}, [EITHER]), ({"maximum": 4}, [EITHER, UNKNOWN]), ({"max": 4}, [])],
)
def test_keys_of_which_one_is_needed_are_named(config: dict[str, Any], said: list[str]) -> None:
    schema = response_length.config_schema
    assert schema is not None
    assert sorted(one.what for one in ConfigSchema(schema).mistakes(config)) == said


def test_other_alternatives_stay_in_the_words_of_the_validator() -> None:
    schema = ConfigSchema({"anyOf": [{"type": "string"}, {"required": ["b"]}]})
    (only,) = schema.mistakes({})
    assert "'anyOf'" in only.what


def test_format_is_an_annotation_and_the_dialect_is_that_of_2020_unless_it_says_otherwise() -> None:
    assert [*ConfigSchema({"type": "string", "format": "email"}).mistakes("nobody")] == []
    pair = {"prefixItems": [{"type": "string"}]}
    assert len([*ConfigSchema(pair).mistakes([1])]) == 1
    older = {"$schema": "http://json-schema.org/draft-07/schema#", **pair}
    assert [*ConfigSchema(older).mistakes([1])] == []


def test_a_schema_that_many_cases_have_is_made_once() -> None:
    made = schema_of('{"type": "string"}')
    assert schema_of('{"type": "string"}') is made
    assert [one.what for one in made.mistakes(1)] == ['1 is not of type "string"']
