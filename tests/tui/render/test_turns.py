"""The conversation of a scenario on the screen: turn by turn, verdicts below, calls folded."""

import pytest
from msgspec.structs import replace

from evaltui.core.response import AgentResponse, Message, ToolCall, Turn, Usage
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.tui.render.turns import write_turns
from evaltui.tui.render.words import tokens
from tests.tui.panes.stage import HOSTILE
from tests.tui.render.test_detail_renderers import WIDTHS, written

CALL = ToolCall("find_order", {"id": 7}, True, 1.0, {"state": "sent"}, id="1")
MESSAGES = (
    Message("user", "where is it?"),
    Message("assistant", "", (CALL,)),
    Message("tool", '{"state": "sent"}', tool_call_id="1"),
    Message("assistant", "on its way"),
    Message("user", "thanks"),
    Message("assistant", "bye"),
)
GOOD = Verdict("regex", VerdictStatus.PASSED, "it matches", "Regex")
BAD = Verdict("regex", VerdictStatus.FAILED, "it does not match", "Regex", category="assertion")
RESPONSE = AgentResponse(
    "bye",
    (CALL,),
    messages=MESSAGES,
    conversation=(
        Turn(1, 4, 12.0, Usage(3, 4), verdicts=(GOOD,)),
        Turn(5, 6, 5.0, verdicts=(BAD,)),
    ),
)


def lines(response: AgentResponse = RESPONSE, *, opened: bool = False) -> list[str]:
    return written(lambda p: write_turns(p, response), opened=opened).plain.splitlines()


def place(shown: list[str], text: str) -> int:
    return next(at for at, line in enumerate(shown) if text in line)


def test_verdicts_stand_below_their_turn_and_before_the_next_line() -> None:
    shown = lines()
    order = ["where is it?", "turn 1 of 2", "on its way", "it matches", "thanks", "turn 2 of 2"]
    places = [place(shown, text) for text in (*order, "bye", "it does not match")]
    assert places == sorted(places)
    assert "12ms" in shown[place(shown, "turn 1 of 2")]
    assert "3 tokens in, 4 out" in shown[place(shown, "turn 1 of 2")]
    assert "ended it" in shown[place(shown, "turn 2 of 2")]


def test_what_was_noted_stands_in_full_behind_the_last_turn() -> None:
    note = "`maxMessages` (6) was reached: 1 of 3 persona lines was never said"
    messages = (Message("user", "hello"), Message("assistant", "hi"))
    response = AgentResponse("hi", messages=messages, conversation=(Turn(1, 2),), notes=(note,))
    shown = written(lambda p: write_turns(p, response), 100).plain
    assert shown.index("turn 1 of 1") < shown.index(note)


def test_calls_are_folded_and_hold_input_and_output() -> None:
    folded = "\n".join(lines())
    assert "calls find_order" in folded
    assert "sent" not in folded
    shown = lines(opened=True)
    assert "7" in shown[place(shown, "input")]
    assert "sent" in shown[place(shown, "output")]


def test_a_result_that_no_call_tells_is_shown() -> None:
    untold = Message("assistant", "", (ToolCall("find_order", {"id": 7}, id="1"),))
    messages = (MESSAGES[0], untold, *MESSAGES[2:])
    shown = lines(replace(RESPONSE, messages=messages))
    assert place(shown, "calls find_order") < place(shown, "sent") < place(shown, "on its way")


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_breaks_out_of_the_pane(width: int) -> None:
    hostile = ToolCall(HOSTILE, {"a": HOSTILE}, False, error=HOSTILE)
    messages = (Message("user", HOSTILE), Message("assistant", HOSTILE, (hostile,)))
    verdict = Verdict(HOSTILE, VerdictStatus.ERROR, HOSTILE, HOSTILE)
    turn = Turn(1, 9, verdicts=(verdict,))
    response = AgentResponse(HOSTILE, messages=messages, conversation=(turn,))
    for opened in (False, True):
        assert written(lambda p: write_turns(p, response), width, opened=opened).lines


@pytest.mark.parametrize(
    ("usage", "said"),
    [
        (Usage(1_200, 30), "1,200 tokens in, 30 out"),
        (Usage(3), "3 tokens in, — out"),
        (Usage(told_total=90), "90 tokens"),
        (Usage(cost_usd=5), ""),
    ],
)
def test_tokens_that_are_not_known_are_shown_as_such(usage: Usage, said: str) -> None:
    assert tokens(usage) == said
