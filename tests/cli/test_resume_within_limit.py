"""`evaltui run --resume` goes on within the limit of the run that was interrupted."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.disk.file_lock import lock
from evaltui.session.interrupted_runs import InterruptedRuns
from evaltui.session.running.run_request import RunRequest
from tests.cli.test_resume import CASES, asked, interrupt, make

AGENT = """
import pathlib

def answer(message):
    here = pathlib.Path(__file__)
    with here.with_name("asked.txt").open("a") as asked:
        asked.write(message + "\\n")
    cost = here.with_name("cost.txt").read_text()
    told = {"cost_usd": float(cost)} if cost else {}
    return {"response": "yes", "toolCalls": [], "usage": {"input_tokens": 1, **told}}
"""
PROFILE = """
[agents.NAME]
type = "python"
function = "agent.py:answer"
"""


def limited(root: Path, usd: float, *names: str) -> None:
    agents = ", ".join(f'"{name}"' for name in names or ("mine",))
    settings = f"agent = [{agents}]\nmax_cost_usd = {usd}\n"
    settings += "".join(PROFILE.replace("NAME", name) for name in names or ("mine",))
    (root / "evaltui.toml").write_text(settings)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    make(tmp_path)
    (tmp_path / "agent.py").write_text(AGENT)
    (tmp_path / "cost.txt").write_text("0.1")
    limited(tmp_path, 0.25)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def resumed(root: Path) -> int:
    """How many answers were asked for."""
    run_command(["run", "--resume"])
    return len(asked(root))


def test_a_limit_that_is_reached_stays_so(root: Path) -> None:
    run_command(["run"])
    assert len(asked(root)) == 2
    assert [resumed(root), resumed(root)] == [0, 0]
    limited(root, 0.45)
    assert [resumed(root), resumed(root)] == [2, 0], "what all of the runs spent counts"


def test_a_price_that_is_not_known_is_asked_for_once(root: Path) -> None:
    (root / "cost.txt").write_text("")
    run_command(["run"])
    assert len(asked(root)) == 1
    assert [resumed(root), resumed(root)] == [0, 0]
    settings = (root / "evaltui.toml").read_text()
    (root / "evaltui.toml").write_text(settings + "is_free = true\n")
    assert resumed(root) >= CASES - 1, "nothing has to be known of what is free"


def test_what_a_killed_run_spent_is_at_least_what_its_answers_told(root: Path) -> None:
    limited(root, 1.0)
    run_command(["run"])
    asked(root)
    interrupt(root, lambda number, _: number <= 2)
    limited(root, 0.35)
    assert [resumed(root), resumed(root)] == [1, 0]


SLOW = """
import pathlib, time

def answer(message):
    here = pathlib.Path(__file__)
    with here.with_name("asked.txt").open("a") as asked:
        asked.write(message + "\\n")
    time.sleep(600 if here.with_name("asked.txt").read_text().count("\\n") == 3 else 0)
    return {"response": "yes", "toolCalls": [], "usage": {"input_tokens": 1, "cost_usd": 0.1}}
"""


def test_what_a_killed_run_had_asked_counts_though_its_answer_never_came(root: Path) -> None:
    (root / "agent.py").write_text(SLOW)
    limited(root, 0.55)
    words = [sys.executable, "-m", "evaltui", "run", "--trust", "--concurrency=1"]
    with subprocess.Popen(words, cwd=root, stdout=subprocess.DEVNULL) as run:
        until = time.monotonic() + 30
        while (root / "asked.txt").read_text().count("\n") < 3 if is_asked(root) else True:
            assert time.monotonic() < until
            time.sleep(0.02)
        run.kill()
    asked(root)
    (root / "agent.py").write_text(AGENT)
    assert resumed(root) == 2, "three of five were asked before"


def is_asked(root: Path) -> bool:
    return (root / "asked.txt").exists()


def test_what_one_agent_spent_counts_for_the_others(root: Path) -> None:
    limited(root, 0.25, "one", "two")
    run_command(["run"])
    assert len(asked(root)) == 2
    assert [resumed(root), resumed(root)] == [0, 0]


def test_a_run_that_is_not_resumed_begins_anew(root: Path) -> None:
    run_command(["run"])
    asked(root)
    run_command(["run"])
    assert len(asked(root)) == 2


def test_what_an_agent_spent_counts_for_another_that_is_gone_on_with_alone(root: Path) -> None:
    limited(root, 0.25, "one", "two")
    run_command(["run"])
    assert len(asked(root)) == 2
    for name in ("one", "two", "one"):
        run_command(["run", "--resume", "--agent", name])
        assert asked(root) == [], "two were asked within the limit that they share"
    limited(root, 0.35, "one", "two")
    run_command(["run", "--resume", "--agent", "two"])
    assert len(asked(root)) == 1
    assert resumed(root) == 0


@pytest.mark.slow
def test_what_was_spent_is_known_though_few_journals_are_kept(root: Path) -> None:
    limited(root, 0.45, "one", "two", "three")
    settings = (root / "evaltui.toml").read_text()
    (root / "evaltui.toml").write_text(f"keep_runs = 1\n{settings}")
    run_command(["run"])
    messages = asked(root)
    assert len(messages) == 4
    assert [resumed(root), resumed(root)] == [0, 0]
    (root / "evaltui.toml").write_text("keep_runs = 1\n" + settings.replace("0.45", "9"))
    assert resumed(root) == 3 * CASES - 4, "what had finished is not asked again"


def test_one_at_a_time_goes_on(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_command(["run"])
    asked(root)
    limited(root, 1.0)
    (one,) = (root / ".evaltui" / "spent").iterdir()
    with one.open("ab") as other:
        assert lock(other)
        assert run_command(["run", "--resume"]) == 2
    assert asked(root) == []
    assert "Another process is working on this run" in capsys.readouterr().err
    assert run_command(["run", "--resume"]) == 0
    assert len(asked(root)) == CASES - 2


JUDGE = """
import pathlib

def judge(message):
    with pathlib.Path(__file__).with_name("judged.txt").open("a") as judged:
        judged.write("1")
    told = {"input_tokens": 1, "cost_usd": 0.1}
    return {"response": '{"score": 1, "rationale": "fine"}', "toolCalls": [], "usage": told}
"""


def rubric(root: Path, criteria: str) -> None:
    of_each = [{"dimension": "kind", "maxScore": 1, "criteria": criteria}]
    cases = [{"id": f"r{n}", "input": {"message": f"r{n}"}, "rubric": of_each} for n in range(9)]
    (root / "evals" / "c.rubric.json").write_text(json.dumps({"cases": cases}))


@pytest.mark.slow
def test_what_judging_again_spent_counts_though_nothing_was_asked_after_it(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = InterruptedRuns.go_on

    async def interrupted(runs: InterruptedRuns, rest: Mapping[str, RunRequest]) -> object:
        """Once kept answers were judged."""
        if any(not one.is_rejudging for one in rest.values()):
            raise asyncio.CancelledError
        return await go_on(runs, rest)

    for suite in "ab":
        (root / "evals" / f"{suite}.golden.json").unlink()
    (root / "judge.py").write_text(JUDGE)
    limited(root, 0.45)
    settings = (root / "evaltui.toml").read_text()
    settings += '[judge]\ntype = "python"\nfunction = "judge.py:judge"\nis_free = false\n'
    (root / "evaltui.toml").write_text(settings)
    rubric(root, "1: kind. 0: else.")
    run_command(["run"])
    (root / "evaltui.toml").write_text(settings.replace("0.45", "0.65"))
    assert [len(asked(root)), len((root / "judged.txt").read_text())] == [2, 2]
    with monkeypatch.context() as context:
        context.setattr(InterruptedRuns, "go_on", interrupted)
        for number in range(3):
            rubric(root, f"1: kind. 0: else. {number}")
            run_command(["run", "--resume"])
    assert len((root / "judged.txt").read_text()) == 4, "$0.2 of them within the new limit"
    assert asked(root) == []
