"""Text that may be JSON: read when it is, kept as it stands when it is not."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.json_or_text import json_or_text


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists))
def test_json_is_read(value: object) -> None:
    assert json_or_text(json.dumps(value)) == value


@pytest.mark.parametrize("text", ["", "{", '{"a": 1', "nothing of the kind", "[" * 100_000])
def test_other_text_stays(text: str) -> None:
    assert json_or_text(text) == text
