"""Nesting is counted as the strict parser counts it, whatever stands in strings."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.errors import Problem
from evaltui.core.json_value import Json
from evaltui.json_text import json_document
from evaltui.json_text.json_document import MOST_LEVELS, read_json

_TEXTS = st.text(alphabet='[]{}"\\ax', max_size=4)
_VALUES = st.recursive(
    _TEXTS | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=20,
)


def _levels(value: Json) -> int:
    if not isinstance(value, list | dict):
        return 0
    inner = value.values() if isinstance(value, dict) else value
    return 1 + max(map(_levels, inner), default=0)


@given(_VALUES, st.integers(0, 5))
def test_levels_are_those_of_the_value(value: Json, most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_document, "MOST_LEVELS", most)
        is_shallow = json_document._is_shallow(json.dumps(value).encode())
    assert is_shallow == (_levels(value) <= most)


@pytest.mark.parametrize("levels", [MOST_LEVELS, MOST_LEVELS + 2])
def test_lists_and_objects_count_alike(levels: int) -> None:
    half = levels // 2
    read = read_json("deep.json", b'[{"a":' * half + b"1" + b"}]" * half)
    assert isinstance(read, Problem) == (levels > MOST_LEVELS)
