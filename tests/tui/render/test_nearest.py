"""The cases of a tool that are nearest to another choice."""

from msgspec.structs import replace

from evaltui.core.json_value import Json, JsonObject
from evaltui.core.response import AgentResponse
from evaltui.core.result import CaseStatus
from evaltui.expectations.coverage import ToolCoverage
from evaltui.store.store import Store
from evaltui.tui.render.look import Look
from evaltui.tui.render.text_builder import TextBuilder
from evaltui.tui.render.tool_page import write_tool_page
from tests.tui import scene

TOOL = "get_weather"


def sure(chosen: str, p: float, other: str, other_p: float) -> JsonObject:
    weighed: list[Json] = [{"name": chosen, "p": p}, {"name": other, "p": other_p}]
    return {"called": [chosen], "callAt": 0.1, "tools": weighed}


def test_a_tool_lists_the_cases_nearest_to_flipping_nearest_first() -> None:
    (suite,) = scene.suites(4, 1)
    store = Store()
    for event in scene.opened([suite]):
        store.handle(event)
    board = store.board(scene.AGENT)
    said = [
        sure(TOOL, 0.8, "send_email", 0.2),
        sure("send_email", 0.5, TOOL, 0.45),
        sure("send_email", 0.5, "create_issue", 0.49),
        sure(TOOL, 0.6, "send_email", 0.4),
    ]
    for case, explanation in zip(suite.cases, said, strict=True):
        made = scene.result(case, CaseStatus.PASSED)
        board.rows[case.key].result = replace(
            made, response=AgentResponse("", explanation=explanation)
        )
    entry = ToolCoverage(TOOL, expecting=tuple(case.key for case in suite.cases))
    builder = TextBuilder(Look({}), 100)
    write_tool_page(builder, entry, scene.registry().get(TOOL), board)
    lines = builder.plain.splitlines()
    at = next(index for index, line in enumerate(lines) if "nearest to flipping" in line)
    end = next(index for index, line in enumerate(lines) if "definition" in line)
    listed = [line.split() for line in lines[at + 1 : end] if "gs-" in line]
    assert [(words[1][-3:], words[2]) for words in listed] == [
        ("001", "+0.05"),
        ("003", "+0.20"),
        ("000", "+0.60"),
    ], "neither of the two of 002 is this tool"
