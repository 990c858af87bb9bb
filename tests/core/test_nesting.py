"""How deep values may be nested."""

from collections.abc import Callable
from typing import Any

import pytest

from evaltui.core.nesting import MOST_DEEP, is_too_deep


@pytest.mark.parametrize("wrap", [lambda it: [it], lambda it: (it,), lambda it: {"a": it}])
def test_what_is_nested_as_deep_as_may_be_is_kept_and_one_more_is_not(
    wrap: Callable[[Any], Any],
) -> None:
    value: Any = "text"
    assert not is_too_deep(value)
    for _ in range(MOST_DEEP):
        value = wrap(value)
    assert not is_too_deep(value)
    assert is_too_deep(wrap(value))
    assert is_too_deep([1, "beside", wrap(value)])
