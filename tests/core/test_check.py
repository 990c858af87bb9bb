"""What a check may look at."""

import pytest

from evaltui.core.case import Case, CaseKey, ContractCase
from evaltui.core.check import CheckContext
from evaltui.core.response import AgentResponse
from evaltui.core.verdict import Verdict, VerdictStatus


@pytest.mark.parametrize(
    ("turn", "check", "asked", "is_known"),
    [
        (2, "tone", "abc", True),
        (1, "tone", "abc", False),
        (2, "style", "abc", False),
        (2, "tone", "def", False),
    ],
)
def test_a_verdict_is_known_of_the_same_check_turn_and_question(
    turn: int, check: str, asked: str, is_known: bool
) -> None:
    verdict = Verdict("tone", VerdictStatus.PASSED, "fine", asked="abc")
    case = Case(CaseKey("s", "c"), ContractCase("hi"))
    context = CheckContext(case, AgentResponse("hello"), turn=turn, kept={2: (verdict,)})
    assert context.known(check, asked) == (verdict if is_known else None)
