"""`o` opens the case, `O` the tool that it is about, whichever suite the case stands in."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.core.case import ContractCase
from evaltui.core.events import ProjectRead
from evaltui.core.tool import ToolDefinition, ToolRegistry
from evaltui.tui.actions import editing
from tests.driver import driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession


def session(*tools: str) -> FakeSession:
    """One case in a suite of `get_weather` that expects `tools`, and a registry of all tools."""
    (suite,) = scene.suites(1, 1)
    (case,) = suite.cases
    case = replace(case, body=ContractCase("Which?", expect={"toolsCalled": list(tools)}))
    read, *others = scene.opened([replace(suite, cases=(case,))])
    assert isinstance(read, ProjectRead)
    lines = {name: number for number, name in enumerate(scene.TOOLS, 1)}
    registry = ToolRegistry(
        {name: ToolDefinition(name, file=f"{name}.ts", line=line) for name, line in lines.items()}
    )
    return FakeSession(on_open=[replace(read, registry=registry), *others])


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """What the editor was given."""
    calls: list[tuple[str, int]] = []

    def open_in_editor(_: object, file: Path, line: int) -> str:
        calls.append((file.name, line))
        return ""

    monkeypatch.setattr("evaltui.tui.editor.open_in_editor", open_in_editor)
    return calls


async def test_the_case_is_opened_at_its_own_line(opened: list[tuple[str, int]]) -> None:
    async with driving(FakeSession(on_open=[*scene.opened(scene.suites(8, 1))])) as driver:
        row = driver.app.dashboard.controller.row
        assert row is not None and row.case.line == 37
        await driver.press("o")
        assert opened == [("get_weather.golden.json", 37)]
        await driver.click("gs-get-weather-005")
        await driver.press("o")
        assert opened[1:] == [("get_weather.golden.json", 55)]


async def test_the_tool_that_is_expected_and_not_that_of_the_suite(
    opened: list[tuple[str, int]],
) -> None:
    async with driving(session("send_email")) as driver:
        await driver.press("O")
        assert opened == [("send_email.ts", 2)]


async def test_of_several_one_is_chosen(opened: list[tuple[str, int]]) -> None:
    async with driving(session("send_email", "create_issue")) as driver:
        await driver.press("O")
        driver.sees("Open which tool?", "send_email.ts:2", "create_issue.ts:3")
        await driver.press("down", "enter")
        assert opened == [("create_issue.ts", 3)]


async def test_a_tool_nobody_defines_is_said(opened: list[tuple[str, int]]) -> None:
    async with driving(session("nowhere")) as driver:
        assert editing.no_tool(driver.app.dashboard.controller) == (
            "the registry has no tool `nowhere`"
        )
        await driver.press("O")
        assert opened == []
