"""Recording and replaying through the whole line."""

import sys
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from tests.projects import make_project, with_description, write_tools

ANSWER = """
import json, pathlib, sys
pathlib.Path("asked").touch()
message = json.load(sys.stdin)["message"]
name = "play_music" if "song" in message else "find_order"
call = {"name": name, "success": True, "durationMs": 1, "params": {}}
json.dump({"response": "done", "toolCalls": [call]}, sys.stdout)
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(make_project(tmp_path))
    (tmp_path / "agent.py").write_text(ANSWER)
    command = f'command = ["{sys.executable}", "agent.py"]'
    settings = ('agent = "mine"', "[agents.mine]", 'type = "command"', command)
    (tmp_path / "evaltui.toml").write_text("\n".join(settings))
    return tmp_path


def test_a_recorded_run_is_replayed_without_its_agent(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["run", "--cassettes", "record"]) == 0
    (project / "asked").unlink()
    capsys.readouterr()
    assert run_command(["run", "--cassettes", "replay"]) == 0
    assert capsys.readouterr().out.count("✓") == 3
    assert not (project / "asked").exists()
    assert run_command(["run"]) == 0
    assert (project / "asked").exists(), "without the recording the agent is asked"


def test_an_answer_of_another_program_is_not_replayed(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_command(["run", "--cassettes", "auto"])
    (project / "agent.py").write_text(ANSWER.replace("find_order", "cancel_order"))
    capsys.readouterr()
    assert run_command(["run", "--cassettes", "replay"]) == 1
    assert "`files` was" in capsys.readouterr().out
    assert run_command(["run", "--cassettes", "auto"]) == 1, "it is asked, and chooses wrongly"
    assert "cancel_order" in capsys.readouterr().out
    (project / "agent.py").write_text(ANSWER)
    assert run_command(["run", "--cassettes", "replay"]) == 0, "its own answers are there still"


@pytest.mark.parametrize("command", [[sys.executable, "-m", "pack"], ["sh", "-c", "sh run.sh"]])
def test_so_is_none_of_a_program_whose_command_names_no_file(
    project: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    (project / "pack").mkdir()
    (project / "pack" / "__main__.py").write_text("import pack.deep")
    (project / "run.sh").write_text(f"exec '{sys.executable}' pack/deep.py")
    (project / "pack" / "deep.py").write_text(ANSWER)
    settings = f'agent = "mine"\n[agents.mine]\ntype = "command"\ncommand = {command}\n'
    (project / "evaltui.toml").write_text(settings)
    assert run_command(["run", "--cassettes", "auto"]) == 0
    other = ANSWER.replace("find_order", "cancel_order")
    (project / "pack" / "deep.py").write_text(other)
    (project / "run.sh").write_text("true; " + (project / "run.sh").read_text())
    capsys.readouterr()
    assert run_command(["run", "--cassettes", "replay"]) == 1
    assert "`files` was" in capsys.readouterr().out
    assert run_command(["run", "--cassettes", "auto"]) == 1, "it is asked, and chooses wrongly"


@pytest.mark.parametrize("reads", [True, False])
def test_an_answer_of_other_tools_is_not_replayed(
    project: Path, capsys: pytest.CaptureFixture[str], reads: bool
) -> None:
    """The program is given no tools: it may have them from the same files all the same."""
    if not reads:
        with (project / "evaltui.toml").open("a") as settings:
            settings.write("\nreads_registry = false\n")
    run_command(["run", "--cassettes", "auto"])
    write_tools(project, with_description("find_order", "Finds an order."))
    (project / "asked").unlink()
    capsys.readouterr()
    assert run_command(["run", "--cassettes", "replay"]) == int(reads)
    printed = capsys.readouterr().out
    assert ("tool find_order.description differs" in printed) is reads
    assert run_command(["run", "--cassettes", "auto"]) == 0
    assert (project / "asked").exists() is reads


def test_a_miss_in_replay_is_loud_and_names_what_differs(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_command(["run", "--cassettes", "record"])
    evals = project / "evals" / "find_order.golden.json"
    evals.write_text(evals.read_text().replace("Look up order SO-1", "Look up order SO-7"))
    capsys.readouterr()
    assert run_command(["run", "--cassettes", "replay"]) == 1
    printed = capsys.readouterr().out
    assert "! gs-find-order-001" in printed
    assert "message" in printed.split("! gs-find-order-001")[1].split("\n")[1]


@pytest.mark.parametrize("agent", ["mine", "embedded"])
def test_the_embedded_agent_is_never_recorded(project: Path, agent: str) -> None:
    assert run_command(["run", "--cassettes", "record", "--agent", agent]) == 0
    assert any((project / "evals" / "cassettes").glob("**/*")) is (agent == "mine")
