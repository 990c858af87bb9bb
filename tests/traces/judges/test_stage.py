"""Which judges are asked, and what is said of settings that are none."""

import pytest

from evaltui.core.errors import UserError
from evaltui.traces.judges import DEFAULT, stage_of


def test_the_replay_contract_is_always_first_and_nobody_is_asked_twice() -> None:
    assert [one.name for one in stage_of()] == ["replay_contract", *DEFAULT, "expected_output"]
    assert [one.name for one in stage_of(("regex", "regex"))] == ["replay_contract", "regex"]


def test_settings_that_are_no_object_are_refused_with_what_to_do() -> None:
    with pytest.raises(UserError) as raised:
        stage_of(("policy",), {"policy": [5]})
    assert raised.value.what == "The settings of the judge `policy` are no object."
    assert raised.value.hint == "Write `{…}`."


def test_an_unknown_judge_is_refused_with_the_one_that_was_meant() -> None:
    with pytest.raises(UserError) as raised:
        stage_of(("polcy",))
    assert (raised.value.what, raised.value.hint) == (
        *("There is no judge `polcy`.", "Did you mean `policy`?"),
    )
