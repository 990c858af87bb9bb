"""`evaltui check --json` lists what the dashboard shows as wrong with the project, and no more."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.errors import Problem
from evaltui.reporters.problem_json import problem_json
from tests.project.diagnostics.test_edited import git
from tests.project.diagnostics.test_edited import pytestmark as needs_git
from tests.projects import MUSIC, ORDERS, case, make_project, write_suite
from tests.session.test_outdated_suites import KEY, written_for
from tests.session.test_pins_by_rules import by_next_rules
from tests.session.test_session import AGENT, all_keys, opened, watched

pytestmark = needs_git
SETTINGS = """agent = ["embedded", "mine"]
registry = "tools.json"
evaluators = ["./length.py"]
colour = "blue"
[agents.mine]
type = "http"
url = "http://localhost:1"
retrys = 2
[mute]
"evals/gone.golden.json::x" = "long gone"
"""
EACH = {
    "baseline-left-behind",
    "baseline-other-rules",
    "baseline-unreadable",
    "config",
    "edited-regression",
    "not-trusted",
    "outdated-metadata",
    "unknown-mute",
    "unknown-tool",
}


async def spoil(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave one of each kind of problem."""
    make_project(root)
    write_suite(root, "broken", MUSIC)
    write_suite(root, "left", [{**case("gs-left-001", "Play Help", "play_music")}])
    fixed = root / "evals" / "fixed.regression.json"
    fixed.write_text(json.dumps([case("rg-a-001", "Play Help", "play_music")]))
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
        await session.baselines.pin(all_keys(session), AGENT)
    git(root, "init", "-q")
    git(root, "add", "evals/fixed.regression.json")
    git(root, "commit", "-qm", "x")
    by_next_rules(monkeypatch)
    monkeypatch.delenv("EVALTUI_TRUST", raising=False)
    (root / "evaltui.toml").write_text(SETTINGS)
    (root / "length.py").write_text("")
    written_for(root, "0" * 12)
    fixed.write_text(json.dumps([case("rg-a-001", "Play another", "play_music")]))
    (root / "evals" / "left.golden.json").rename(root / "evals" / "found.golden.json")
    (root / "evals" / "broken.golden.json").write_text("{")
    (copy,) = (root / "evals" / "baselines").glob("*/*/*broken*")
    copy.write_text("{")
    unknown = {**ORDERS[0], "id": "gs-a-001", "expects": {}}
    write_suite(root, "other", [unknown, case("gs-a-002", "Sing", "sing")])
    path = root / "evals" / "play_music.golden.json"
    document = json.loads(path.read_text())
    document["metadata"]["registrySize"] = 1
    path.write_text(json.dumps(document))


def place(problem: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(problem[key] for key in ("code", "file", "line", "severity", "message"))


async def test_both_tell_each_problem_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    await spoil(tmp_path, monkeypatch)
    async with watched(tmp_path) as (session, ear):
        store = session.store
        await ear.until(
            lambda: any(one.code == "edited-regression" for one in store.problems.reported)
        )
        shown: tuple[Problem, ...] = store.problems.shown
        assert store.outdated == {KEY.suite}, "which the list marks at its cases"
    capsys.readouterr()
    await asyncio.to_thread(run_command, ["check", "--json", "-C", str(tmp_path)])
    told = json.loads(capsys.readouterr().out)["problems"]
    outdated = [one for one in told if one["code"] == "outdated"]
    assert [one["file"] for one in outdated] == [KEY.suite]
    found = {place(one) for one in told if one not in outdated}
    assert found == {place(problem_json(one)) for one in shown}
    assert {code for code, *_ in found} >= EACH
