"""Limits of one agent, set in its profile."""

import asyncio
import json
from pathlib import Path

import pytest

from evaltui.core.errors import BUDGET_SPENT
from evaltui.core.events import Event, ProjectRead
from evaltui.core.sink import Sink
from evaltui.session import Session
from evaltui.settings.load import load_config
from tests.projects import ORDERS, make_project, write_suite
from tests.session.test_session import all_keys, opened

FUNCTION = """
def answer(message):
    return {"response": "done", "toolCalls": [], "usage": {"cost_usd": 0.25}}
"""


def project(root: Path, dear: str, cheap: str = "") -> Path:
    make_project(root)
    write_suite(root, "find_order", [{**ORDERS[0], "id": f"gs-{n}"} for n in range(8)])
    (root / "mine.py").write_text(FUNCTION)
    lines = ['agent = ["dear", "cheap"]', "max_cost_usd = 100"]
    for name, more in (("dear", dear), ("cheap", cheap)):
        lines += [f"[agents.{name}]", 'type = "python"', 'function = "mine.py:answer"', more]
    (root / "evaltui.toml").write_text("\n".join(lines))
    return root


async def test_each_agent_has_a_purse_of_its_own(tmp_path: Path) -> None:
    async with opened(project(tmp_path, "max_cost_usd = 1")) as (session, _):
        await session.run(all_keys(session))
        ran = {
            name: sum(row.result is not None for row in session.store.board(name).rows.values())
            for name in session.agents
        }
        problems = [problem.what for problem in session.store.problems.reported]
        total = len(all_keys(session))
    assert ran == {"dear": 4, "cheap": total}
    assert f"`max_cost_usd` of $1 is spent ($1): {total - 4} cases were not run" in problems


def test_limits_are_no_options_of_the_agent(tmp_path: Path) -> None:
    root = project(tmp_path, "max_requests_per_minute = 30\nmax_cost_usd = 2.5")
    dear, cheap = load_config(root, {}).config.agents
    assert (dear.max_requests_per_minute, dear.max_cost_usd) == (30.0, 2.5)
    assert (cheap.max_requests_per_minute, cheap.max_cost_usd) == (None, None)
    assert dear.options == cheap.options, "a changed limit makes no result stale"


def test_wrong_limits_are_named(tmp_path: Path) -> None:
    root = project(tmp_path, 'max_requests_per_minute = 0\nmax_cost_usd = "much"')
    keys = {problem.key for problem in load_config(root, {}).problems}
    assert keys == {"agents.dear.max_requests_per_minute", "agents.dear.max_cost_usd"}


def test_json_settings_may_be_in_camel_case(tmp_path: Path) -> None:
    make_project(tmp_path)
    profile = {"type": "http", "url": "http://localhost:1", "maxCostUsd": 3}
    text = json.dumps({"agent": "web", "agents": {"web": profile}})
    (tmp_path / "evaltui.config.json").write_text(text)
    (agent,) = load_config(tmp_path, {}).config.agents
    assert agent.max_cost_usd == 3.0


async def test_all_agents_and_all_runs_of_a_session_share_one_budget(tmp_path: Path) -> None:
    root = project(tmp_path, "")
    settings = root / "evaltui.toml"
    settings.write_text(settings.read_text().replace("= 100", "= 1.5"))
    async with opened(root) as (session, _):
        for _ in range(3):
            await session.run(all_keys(session))
        rows = [row for name in session.agents for row in session.store.board(name).rows.values()]
        problems = [problem.what for problem in session.store.problems.reported]
    assert sum(row.result is not None for row in rows) == 6
    assert any("of $1.50 is spent ($1.50)" in problem for problem in problems)


class SaidAtReadings(Sink):
    """The codes of all that is wrong, whenever a save of the settings was taken in."""

    def __init__(self, session: Session) -> None:
        self._problems = session.store.problems
        self.codes: list[list[str]] = []

    def handle(self, event: Event) -> None:
        if isinstance(event, ProjectRead) and event.changed:
            self.codes.append([one.code for one in self._problems.mistakes])


@pytest.mark.parametrize(
    ("limit", "is_said"), [("max_cost_usd = 1.75", 0), ("", 0), ("max_cost_usd = 1.25", 2)]
)
async def test_no_limit_is_said_to_be_spent_once_there_is_money_again(
    limit: str, is_said: int, tmp_path: Path
) -> None:
    root, settings = project(tmp_path, ""), tmp_path / "evaltui.toml"
    settings.write_text(settings.read_text().replace("max_cost_usd = 100", "max_cost_usd = 1.5"))
    async with opened(root) as (session, ear):
        await session.run(all_keys(session))
        assert [one.code for one in session.store.problems.mistakes] == [BUDGET_SPENT] * 2
        said = SaidAtReadings(session)
        session.add_sink(said)
        watching = asyncio.create_task(session.watch())
        settings.write_text(settings.read_text().replace("max_cost_usd = 1.5", limit))
        await ear.until(lambda: bool(said.codes))
        await session.close()
        await watching
    assert said.codes == [[BUDGET_SPENT] * is_said]
