"""Options that shape no answer make no other agent; those that do make one."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.agents import make_agent
from evaltui.agents.files_as_read import FilesAsRead
from evaltui.core.tool import short_hash
from tests.session.test_session import all_keys, opened
from tests.simulated_agent import Simulated, simulate, simulated_project

PROFILES: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "http": (
        {"url": "http://localhost:1/chat"},
        {"is_free": False, "retries": 3},
        {"headers": {"x": "y"}},
    ),
    "command": ({"command": ["sh", "a.sh"]}, {"is_free": True}, {"env": {"MODE": "other"}}),
    "langgraph": (
        {"base_url": "http://localhost:1"},
        {"is_free": True, "retries": 2},
        {"assistant_id": "other"},
    ),
    "python": (
        {"function": "mine:answer"},
        {"is_free": True, "start_timeout": 5.0},
        {"env": {"MODE": "other"}},
    ),
}


@pytest.mark.parametrize("type_", PROFILES)
def test_how_an_answer_is_got_is_no_part_of_the_fingerprint(type_: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def answer(message): ...\n")
    plain, got, shaped = PROFILES[type_]

    def made(**more: Any) -> Any:
        return make_agent(type_, "mine", {**plain, **more}, root=tmp_path)

    agent, same, other = made(), made(**got), made(**shaped)
    assert agent.fingerprint == same.fingerprint != other.fingerprint
    files = FilesAsRead(agent.files, tmp_path).digests if type_ == "python" else ()
    text = json.dumps([type_, {**plain, **got}], sort_keys=True)
    assert same.former_fingerprint == short_hash("\n".join((text, *files))), "as it once was"
    assert agent.former_fingerprint == ""
    assert agent.parameters == same.parameters != other.parameters, "recordings are found by it"
    assert same.former_parameters["fingerprint"] == same.former_fingerprint
    assert agent.former_parameters is None


async def test_results_of_then_stay_in_force(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulate(monkeypatch)
    root = simulated_project(tmp_path, 2)
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
    own = Simulated.__init__

    async def stale(former: str) -> int:
        def init(self: Simulated, *args: Any) -> None:
            own(self, *args)
            self.fingerprint, self.former_fingerprint = "now", former

        monkeypatch.setattr(Simulated, "__init__", init)
        async with opened(root) as (session, _):
            return len(session.requests.due_keys("mine"))

    assert await stale("mine") == 0
    assert await stale("") == 2
