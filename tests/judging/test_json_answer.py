"""The JSON object in what a model said."""

import pytest

from evaltui.judging.json_answer import json_answer


@pytest.mark.parametrize(
    "text", ['{"a": 1}', 'Sure!\n```json\n{"a": 1}\n```', '<think>so</think> {"a": 1} done']
)
def test_it_goes_from_the_first_brace_to_the_last(text: str) -> None:
    assert json_answer(text) == {"a": 1}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no JSON object"),
        ("} {", "no JSON object"),
        ('{"a": 1} or {"a": 0}', "cannot be read"),
        ('{"a": 1, "a": 0}', "a key twice"),
        ('{"a": NaN}', "`NaN` is not a number"),
        ('{"a": -Infinity}', "`-Infinity` is not a number"),
        ('{"a": ' + "[" * 100_000 + "}", "nested too deeply"),
        ("{'a': 1}", "cannot be read"),
    ],
)
def test_anything_else_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        json_answer(text)
