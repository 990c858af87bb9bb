"""A replay asks nobody and starts nothing, so that it needs nobody's agreement."""

import json
import sys
from pathlib import Path

import pytest

from evaltui.agents import make_agent
from evaltui.cli.main import run_command
from evaltui.core.config import AgentProfile, Config
from evaltui.core.errors import AgentError
from evaltui.net.secret_sources import SecretSources
from evaltui.project import missing_grants, trusted_agent
from tests.agents.model_agents import request
from tests.agents.test_keyless import PROFILES, type_of
from tests.projects import make_project

ANSWER = """
import json, sys
from pathlib import Path
Path("started").touch()
message = json.load(sys.stdin)["message"]
name = "play_music" if "song" in message else "find_order"
call = {"name": name, "success": True, "durationMs": 1, "params": {}}
json.dump({"response": "done", "toolCalls": [call]}, sys.stdout)
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Recorded with agreement; nobody agrees from here on."""
    monkeypatch.chdir(make_project(tmp_path))
    monkeypatch.setenv("THE_KEY", "t0ken-1234")
    (tmp_path / "agent.py").write_text(ANSWER)
    words = json.dumps([sys.executable, "agent.py"])
    settings = ('agent = "mine"', "[agents.mine]", 'type = "command"', f"command = {words}")
    lines = (*settings, 'env = { KEY = "${THE_KEY}" }')
    (tmp_path / "evaltui.toml").write_text("\n".join(lines))
    assert run_command(["run", "--cassettes", "record", "--trust"]) == 0
    (tmp_path / "started").unlink()
    return tmp_path


def test_it_runs_without_and_nothing_else_does(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert run_command(["run", "--cassettes", "replay"]) == 0
    assert capsys.readouterr().out.count("✓") == 3
    for mode in ("off", "record", "auto"):
        assert run_command(["run", "--cassettes", mode]) == 2
        assert "not trusted" in capsys.readouterr().err
    assert not (project / "started").exists()


def test_what_is_not_recorded_is_a_miss_and_is_not_asked_for(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evals = project / "evals" / "find_order.golden.json"
    evals.write_text(evals.read_text().replace("Look up order SO-1", "Look up order SO-7"))
    capsys.readouterr()
    assert run_command(["run", "--cassettes", "replay"]) == 1
    assert "nothing is recorded for this request" in capsys.readouterr().out
    assert not (project / "started").exists()


def test_a_snapshot_that_runs_needs_agreement_still(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (project / "evaltui.toml").read_text()
    command = f"{sys.executable} agent.py"
    (project / "evaltui.toml").write_text(
        f'snapshot_enabled = true\nsnapshot = "{command}"\n{text}'
    )
    assert run_command(["run", "--cassettes", "replay"]) == 2
    assert "(snapshot)" in capsys.readouterr().err
    assert not (project / "started").exists()


@pytest.mark.parametrize("name", PROFILES)
async def test_no_variable_is_looked_up_for_an_agent_that_is_only_replayed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text("def f(message): ...\n")
    profile = AgentProfile("mine", type_of(name), PROFILES[name])
    config = Config(tmp_path, agents=(profile,), recordings="replay")
    looked_up: list[str] = []

    def read(_: SecretSources) -> dict[str, str]:
        looked_up.append(name)
        return {}

    monkeypatch.setattr(SecretSources, "_read", read)
    assert missing_grants(config) == ()
    agent = trusted_agent(config, profile, may_lack_secrets=True)
    assert looked_up == []
    with pytest.raises(AgentError, match="Nobody agreed to this agent"):
        await agent.respond(request())
    await agent.close()


def test_it_is_made_as_one_that_was_agreed_to(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def f(message): ...\n")
    for name, options in PROFILES.items():
        agreed, unasked = (
            make_agent(
                type_of(name), "mine", options, root=tmp_path, may_lack_secrets=True,
                is_never_asked=is_never_asked,
            )
            for is_never_asked in (False, True)
        )  # fmt: skip
        assert (agreed.name, agreed.parameters) == (unasked.name, unasked.parameters), name
