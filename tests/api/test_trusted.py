"""Nothing of a project runs before somebody agreed to it; reading goes on."""

from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.files import is_there
from tests.api.served import RAIN, ended, serving

CHECK = """
import pathlib
from evaltui import define_evaluator, passed
pathlib.Path({marker!r}).touch()
@define_evaluator("polite", label="Polite", kind="assertion")
def polite(ctx):
    return passed("It is.")
"""


@pytest.fixture
def marker(
    root: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """There once the project's evaluator was loaded."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.delenv("EVALTUI_TRUST")
    path = root / "loaded"
    (root / "check.py").write_text(CHECK.format(marker=str(path)))
    (root / "evaltui.toml").write_text('evaluators = ["./check.py"]\n')
    return path


async def test_before_that_nothing_is_run_and_it_is_said_what_to_do(
    root: Path, marker: Path
) -> None:
    polite = {**RAIN, "name": "Polite", "evaluators": [{"type": "polite"}]}
    async with serving(root) as client:
        status = (await client.get("/api/status")).json()
        assert status["isTrusted"] is False
        assert [one["isAgreed"] for one in status["grants"]] == [False]
        types = (await client.get("/api/evaluator-types")).json()
        assert {one["builtin"] for one in types} == {True}
        assert len((await client.get("/api/scenarios")).json()) == 1
        for answer in (
            await client.post("/api/runs", json={}),
            await client.post("/api/scenarios", json=polite),
            await client.put("/api/scenarios/Returns", json=polite),
        ):
            error = answer.json()["error"]
            assert (answer.status_code, error["code"]) == (403, "not-trusted")
            assert "`evaltui trust`" in error["hint"]
            assert "check.py" in error["problems"][0]["message"]
        assert (await client.get("/api/runs")).json() == []
    assert not is_there(marker)
    assert not is_there(root / "evals/polite.scenario.json")


async def test_once_somebody_agreed_it_is_known_without_a_new_start(
    root: Path, marker: Path
) -> None:
    polite = {**RAIN, "name": "Polite", "evaluators": [{"type": "polite"}]}
    async with serving(root) as client:
        assert (await client.post("/api/scenarios", json=polite)).status_code == 403
        run_command(["trust", "--yes", "-C", str(root)])
        assert (await client.get("/api/status")).json()["isTrusted"] is True
        types = (await client.get("/api/evaluator-types")).json()
        assert [one["type"] for one in types if not one["builtin"]] == ["polite"]
        assert (await client.post("/api/scenarios", json=polite)).status_code == 201
        (row,) = (await client.post("/api/runs", json={"filter": "Polite"})).json()["runs"]
        (one,) = (await ended(client, row["id"]))["cases"]
        assert one["run"]["output"]["evaluatorResults"][0]["reason"] == "It is."
    assert is_there(marker)


async def test_no_variable_that_is_filled_in_is_told(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "sk-very-secret-0123456789")
    agent = '[agents.mine]\ntype = "http"\nurl = "http://127.0.0.1:9/chat"\n'
    headers = '[agents.mine.headers]\nAuthorization = "Bearer ${MY_KEY}"\n'
    (root / "evaltui.toml").write_text(f'agent = "mine"\n{agent}{headers}')
    async with serving(root, trust=True) as client:
        (row,) = (await client.post("/api/runs", json={})).json()["runs"]
        await ended(client, row["id"])
        for path in ("status", "evals", "runs", f"runs/{row['id']}", f"runs/{row['id']}/events"):
            answer = await client.get(f"/api/{path}")
            assert answer.status_code == 200
            assert "sk-very" not in answer.text, path
        assert "MY_KEY" in (await client.get("/api/status")).text
