"""What judging a response came to."""

import pytest

from evaltui.core.outcome import Outcome
from evaltui.core.result import CaseStatus


@pytest.mark.parametrize("status", CaseStatus)
def test_only_a_pass_is_a_success(status: CaseStatus) -> None:
    assert Outcome(status, "why").success is (status is CaseStatus.PASSED)
