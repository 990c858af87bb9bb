"""A tools' server that is down is an error before anyone is asked; old tools are told by age."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from evaltui.cli.main import run_command
from evaltui.core.agent import Agent
from evaltui.core.asked import AgentTraits
from evaltui.core.case import Case, CaseKey, ContractCase
from evaltui.core.config import Config
from evaltui.core.errors import SERVER_DOWN, Problem
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.tool import ToolDefinition, ToolRegistry
from evaltui.project import Project
from evaltui.session.down_servers import DownServers, age_of_tools
from tests.projects import ORDERS, make_project, write_suite
from tests.session.test_session import opened
from tests.session.test_session_sources import SERVER, tools

pytest.importorskip("mcp", reason="needs evaltui[mcp]")
REAL, STUBBED = "gs-find-order-001", "gs-find-order-002"


def project(root: Path, *, executes: bool) -> None:
    """Its server answers while there is a file `up`."""
    make_project(root)
    (root / "tools.json").unlink()
    case = {key: value for key, value in ORDERS[0].items() if key != "stubs"}
    write_suite(root, "find_order", [case, {**ORDERS[0], "id": STUBBED}])
    (root / "list").write_text(tools("Looks up an order by its number."))
    (root / "server.py").write_text(
        "import runpy, sys, pathlib\n"
        "sys.exit(3) if not pathlib.Path('up').exists() else None\n"
        f"runpy.run_path({str(SERVER)!r}, run_name='__main__')\n"
    )
    execute = 'execute = "mcp"\n' if executes else ""
    (root / "evaltui.toml").write_text(
        f'agent = "real"\n[agents.real]\ntype = "embedded"\n{execute}'
        f'[[registries]]\ntype = "mcp"\ncommand = {json.dumps(sys.executable)}\nname = "shop"\n'
        'args = ["server.py", "list"]\n'
    )


async def run_once(root: Path) -> dict[str, CaseResult]:
    async with opened(root) as (session, _):
        keys = [case.key for suite in session.store.suites for case in suite.cases]
        await session.run(keys)
        rows = session.store.board(session.agents[0]).rows
        return {key.case: row.result for key, row in rows.items() if row.result}


async def test_without_a_tool_nobody_is_asked(tmp_path: Path) -> None:
    project(tmp_path, executes=False)
    for result in (await run_once(tmp_path)).values():
        assert result.status is CaseStatus.ERROR
        assert result.category == "tools_down"
        assert "the MCP server `shop` cannot be reached" in result.error
        assert result.response is None


@pytest.mark.parametrize("executes", [True, False])
async def test_with_old_tools_only_what_would_be_executed_is_an_error(
    tmp_path: Path, executes: bool
) -> None:
    project(tmp_path, executes=executes)
    (tmp_path / "up").touch()
    before = await run_once(tmp_path)
    assert before[STUBBED].status is CaseStatus.PASSED
    assert before[REAL].response is not None
    (tmp_path / "up").unlink()
    after = await run_once(tmp_path)
    assert after[STUBBED].status is CaseStatus.PASSED
    if executes:
        assert after[REAL].status is CaseStatus.ERROR
        assert after[REAL].response is None
    else:
        assert after[REAL].status is before[REAL].status


def test_a_run_prints_how_old_its_tools_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project(tmp_path, executes=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVALTUI_TRUST", "1")
    (tmp_path / "up").touch()
    assert run_command(["run", "--fail-on", "never"]) == 0
    assert "as listed" not in capsys.readouterr().err
    (tmp_path / "up").unlink()
    assert run_command(["run", "--fail-on", "never"]) == 0
    assert "2 of 2 tools are as listed" in capsys.readouterr().err


class Reader(Agent):
    """One that is shown the registry and executes its calls."""

    name, traits = "reader", AgentTraits(reads_registry=True, executes_tools=True)


def test_of_several_that_are_down_the_first_is_named() -> None:
    down = [Problem("", f"the server `{one}` is down", code=SERVER_DOWN) for one in "ab"]
    project = cast("Project", SimpleNamespace(registry_problems=down))
    servers = DownServers(project, Reader(), Config(Path()))
    outcome = servers.outcome(Case(CaseKey("a.json", "a-1"), ContractCase("hello")))
    assert outcome is not None
    assert "`a` is down" in outcome.reason
    assert "`b`" not in outcome.reason


@pytest.mark.parametrize("traits", ["reads_registry", "executes_tools"])
def test_an_answer_that_is_played_needs_no_server(traits: str) -> None:
    down = [Problem("", "the server is down", code=SERVER_DOWN)]
    project = cast("Project", SimpleNamespace(registry_problems=down))
    reads = traits == "reads_registry"
    agent = cast(
        "Agent",
        SimpleNamespace(
            name="it", traits=AgentTraits(reads_registry=reads, executes_tools=not reads)
        ),
    )
    case = Case(CaseKey("a.json", "a-1"), ContractCase("hello"))
    assert DownServers(project, agent, Config(Path())).outcome(case) is not None
    assert DownServers(project, agent, Config(Path(), recordings="replay")).outcome(case) is None


def test_the_age_of_tools_is_told() -> None:
    named = {name: ToolDefinition(name, "Does it.") for name in ("a", "b", "c")}
    registry = ToolRegistry(named, as_of={"a": 10_000.0, "b": 9_000.0})
    said = age_of_tools(registry, 9_000.0 + 3 * 3600)
    assert said.startswith("2 of 3 tools are as listed 3 h ago (1970-01-01 ")
    assert age_of_tools(ToolRegistry(named)) == ""
