"""Rows of asserted parameters, with the verdicts that the contract's own checks make."""

from evaltui.core.case import Case, CaseKey, ContractCase, Tier
from evaltui.core.check import CheckContext
from evaltui.core.param_assertions import judge_params, param_assertions
from evaltui.core.param_diff import ParamState
from evaltui.core.response import AgentResponse, ToolCall
from evaltui.expectations.contract import contract_plan
from evaltui.judging.run_plan import run_plan


def asserting(**values: str) -> Case:
    entries = [
        {"tool": "move", "paramName": name, "assertion": "equals", "value": value}
        for name, value in values.items()
    ]
    return Case(CaseKey("s", "c"), ContractCase("m", expect={"toolParams": entries}), Tier.LABELED)


async def test_rows_carry_what_the_checks_judged() -> None:
    case = asserting(id="EV-1", date="6", time="7")
    call = ToolCall("move", {"id": "EV-1", "date": "5", "time": "7"})
    context = CheckContext(case, AgentResponse("", (call,)))
    verdicts = await run_plan(contract_plan(case), context)
    rows = judge_params(call, param_assertions(case.expect), verdicts)
    assert [(row.path, row.state, row.note) for row in rows] == [
        ("id", ParamState.SAME, ""),
        ("date", ParamState.CHANGED, ""),
        ("time", ParamState.SAME, "not judged, compared here"),
    ]
