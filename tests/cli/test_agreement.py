"""What is asked before a command spends."""

from pathlib import Path

import pytest

from evaltui.cli.agreement import agree
from evaltui.core.config import Config
from evaltui.core.errors import UserError
from evaltui.session.money.estimate import Estimate


@pytest.mark.parametrize(
    ("estimate", "asks"),
    [
        (Estimate(72, 0.01, None), False),
        (Estimate(72, None, None), False),
        (Estimate(72, 3.0, None, asks_first=True), True),
        (Estimate(72, None, None, asks_first=True), True),
        (Estimate(72, None, None, asks_first=True, is_untold=True), True),
        (Estimate(72, None, None, may_tell_costs=True), False),
        (Estimate(72, None, None, is_taken_free=True), False),
        (Estimate(72, None, None, asks_first=True, may_tell_costs=True, is_taken_free=True), True),
    ],
)
def test_many_calls_are_agreed_to_unless_they_are_said_or_known_to_be_cheap(
    estimate: Estimate, asks: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agree("12 cases", estimate, Config(tmp_path), is_agreed=True)
    if not asks:
        agree("12 cases", estimate, Config(tmp_path), is_agreed=False)
    else:
        with pytest.raises(UserError, match="Nothing was run") as refused:
            agree("12 cases", estimate, Config(tmp_path), is_agreed=False)
        is_named = "`is_free = true`" in refused.value.hint
        assert is_named == (estimate.is_taken_free or estimate.is_untold)
        is_unknown = estimate.cost_usd is None
        assert ("`evaltui run`" in refused.value.hint) == (is_unknown and not estimate.is_untold)
        assert ("told no cost" in refused.value.hint) == estimate.is_untold
        assert ("`confirm_above`" in refused.value.what) == (not is_unknown)
    assert "12 cases: 72 trials, " in capsys.readouterr().err
