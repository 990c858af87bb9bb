"""The Diff tab says why a case failed: in a row of the comparison, or by the verdict itself."""

import pytest

from evaltui.core.case import Tier
from evaltui.core.json_value import Json
from evaltui.core.response import AgentResponse, ToolCall
from evaltui.core.suite import Suite
from evaltui.expectations.call_diff import DiffTarget
from evaltui.store.row import Row
from evaltui.tui.panes.detail_tabs import Tab, write_tab
from evaltui.tui.panes.shown_case import ShownCase
from evaltui.tui.render.line import Folds
from evaltui.tui.render.look import Look
from evaltui.tui.render.text_builder import TextBuilder
from tests.expectations.judging import judge, make_case
from tests.tui.panes.stage import make_result


@pytest.mark.parametrize(
    ("expect", "is_row"),
    [
        ({"toolsCalled": ["b"]}, True),
        ({"toolsNotCalled": ["a"]}, True),
        ({"toolParams": [{"tool": "a", "paramName": "p", "assertion": "exists"}]}, True),
        ({"toolsCalled": ["a", 5]}, False),
        ({"toolParams": ["nonsense"]}, False),
        ({"responseContains": ["Paris"]}, False),
    ],
)
async def test_the_reason_is_there_once(expect: dict[str, Json], is_row: bool) -> None:
    call = ToolCall("a", {}, success=True)
    verdicts = await judge(expect, "x", call)
    result = make_result(verdicts=verdicts, response=AgentResponse("x", (call,)))
    case = make_case(expect)
    row = Row(case.key, case, Suite("s", "t", Tier.GOLDEN, (case,), "f" * 12), result)
    builder = TextBuilder(Look({}, False), 200, Folds())
    write_tab(builder, Tab.DIFF, ShownCase(row, DiffTarget.EXPECTED, None, lambda: (), 0.0))
    reason = verdicts[-1].reason.partition(": ")[2]
    assert (reason not in builder.plain) is is_row
    assert "the calls do not differ" not in builder.plain or not is_row
