"""`evaltui run --resume` goes on within the limit of the run that was interrupted."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
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
