"""Results and recordings belong to what the variables of an agent's settings stood for."""

import json
import sys
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.core.staleness import Degree
from tests.projects import make_project
from tests.session.test_session import all_keys, opened, watched

ANSWER = """
import json, os, sys
message = json.load(sys.stdin)["message"]
order = "find_order" if os.environ["FINDS"] == "yes" else "cancel_order"
name = "play_music" if "song" in message else order
call = {"name": name, "success": True, "durationMs": 1, "params": {}}
json.dump({"response": "done", "toolCalls": [call]}, sys.stdout)
"""
CHANGED = (Degree.AFFECTED, ("variables of the agent changed",))


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(make_project(tmp_path))
    (tmp_path / "agent.py").write_text(ANSWER)
    (tmp_path / "evaltui.toml").write_text(
        'agent = "mine"\n[agents.mine]\ntype = "command"\nis_free = true\n'
        f'command = ["{sys.executable}", "agent.py"]\n'
        'env = { FINDS = "${FINDS}", API_KEY = "${MY_KEY}" }\n'
    )
    fill(tmp_path, "yes", "abcdefgh")
    return tmp_path


def fill(root: Path, finds: str, key: str) -> None:
    (root / ".env").write_text(f"FINDS={finds}\nMY_KEY={key}\n")


async def test_another_value_makes_results_due_and_another_key_does_not(root: Path) -> None:
    async with opened(root) as (session, _):
        await session.run(all_keys(session))

    async def due() -> set[tuple[Degree, tuple[str, ...]]]:
        async with opened(root) as (session, _):
            cases = session._queues.by_name["mine"].due.cases
            return {(case.degree, case.reasons) for case in cases}

    assert await due() == set()
    fill(root, "yes", "12345678")
    assert await due() == set()
    fill(root, "no", "12345678")
    assert await due() == {CHANGED}


async def test_a_result_that_does_not_know_is_not_asked_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr("evaltui.agents.variables.variables_print", lambda *_: "")
        async with opened(root) as (session, _):
            await session.run(all_keys(session))
    async with opened(root) as (session, _):
        assert session._queues.by_name["mine"].agent.variables
        assert session.requests.due_keys("mine") == ()


async def test_saving_the_value_runs_what_it_makes_due(root: Path) -> None:
    async with watched(root) as (session, ear):
        await session.run(all_keys(session))
        before, runs = session._queues.by_name["mine"].agent, len(ear.runs())
        fill(root, "no", "abcdefgh")
        await ear.until(lambda: len(ear.runs()) > runs)
        assert ear.started()[-1].trigger == (".env",)
        assert {key.case for key in ear.started()[-1].cases} == {
            key.case for key in all_keys(session)
        }
        rows = session.store.board("mine").rows.values()
        assert {row.result.status for row in rows if row.result} == {"passed", "failed"}
        assert session._queues.by_name["mine"].agent is not before


def printed(capsys: pytest.CaptureFixture[str], mode: str, code: int) -> str:
    capsys.readouterr()
    assert run_command(["run", "--cassettes", mode]) == code
    return capsys.readouterr().out


def test_an_answer_of_another_server_is_not_replayed(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed(capsys, "auto", 0)
    fill(root, "no", "another key")
    said = printed(capsys, "replay", 1)
    assert "variables in its settings stand for something else" in said
    assert "cancel_order" in printed(capsys, "auto", 1), "it is asked, and chooses wrongly"
    fill(root, "yes", "a third key")
    printed(capsys, "replay", 0)  # its own answers are there still
    kept = "".join(path.read_text() for path in (root / "evals/cassettes").rglob("*.json"))
    asked = [json.loads(path.read_text()) for path in (root / "evals/cassettes").rglob("*.json")]
    assert {len(one["entries"]) for one in asked} == {2}
    assert "abcdefgh" not in kept
    assert "another key" not in kept


def test_without_the_variables_a_replay_takes_what_there_is(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed(capsys, "auto", 0)
    (root / ".env").unlink()
    printed(capsys, "replay", 0)


def test_without_the_variables_nobody_knows_of_which_of_two_servers_it_is(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed(capsys, "auto", 0)
    fill(root, "no", "abcdefgh")
    printed(capsys, "auto", 1)
    (root / ".env").unlink()
    assert "variables in its settings are not set here" in printed(capsys, "replay", 1)


def test_a_recording_that_does_not_know_is_replayed_and_replaced(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As earlier versions made it."""
    with monkeypatch.context() as earlier:
        earlier.setattr("evaltui.agents.variables.variables_print", lambda *_: "")
        printed(capsys, "record", 0)
    files = sorted((root / "evals/cassettes").rglob("*.json"))
    assert all("variables" not in path.read_text() for path in files)
    fill(root, "no", "abcdefgh")
    printed(capsys, "auto", 0)
    printed(capsys, "record", 1)
    assert {len(json.loads(path.read_text())["entries"]) for path in files} == {1}
    printed(capsys, "replay", 1)
