"""Time that an attempt waits for us."""

import pytest

from evaltui.core.on_wait import waiting_for_us


def test_a_wait_is_told_at_its_begin_and_at_its_end_whatever_happens() -> None:
    told: list[bool] = []
    with waiting_for_us(told.append):
        assert told == [True]
    assert told == [True, False]
    with pytest.raises(KeyError), waiting_for_us(told.append):
        raise KeyError
    assert told == [True, False] * 2


def test_nobody_has_to_be_told() -> None:
    with waiting_for_us(None):
        pass
