"""A conversation that is over is told by the scenario as it was, whatever became of that since."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.case import CaseKey
from evaltui.scenarios.run_output import conversation_id
from tests.cli.test_runs import TIGHT, runs
from tests.cli.test_scenario import COUNT, FILE, LENGTH, LINES, TOOL, run, write
from tests.projects import write_tools
from tests.session.test_session import AGENT, all_keys, opened

ANN: dict[str, Any] = {"name": "Ann", "lines": LINES}
TOLD = ("scenario", "persona", "result", "output", "messages")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_tools(tmp_path, (TOOL,))
    (tmp_path / "evals").mkdir()
    return tmp_path


def held(root: Path, capsys: Any) -> Any:
    """At its limit of messages, so that its score is 0."""
    write(root, LENGTH, persona=ANN, maxMessages=4)
    (told,) = run(root, capsys, "run")[1]
    assert (told["output"]["maxMessagesReached"], told["result"]["score"]) == (True, 0)
    return told


def facts(told: Any) -> Any:
    return {key: told[key] for key in ("id", *TOLD)}


def test_an_edited_scenario_changes_nothing_of_what_was_held(root: Path, capsys: Any) -> None:
    told = held(root, capsys)
    write(root, LENGTH, persona={**ANN, "name": "Bob"}, maxMessages=10)
    (listed,) = runs(root, capsys, "list", "--json")
    assert facts(listed) == facts(told)
    assert facts(runs(root, capsys, "show", told["id"], "--json")) == facts(told)


@pytest.mark.parametrize("is_there", [True, False], ids=["renamed", "its file is gone"])
def test_what_is_called_otherwise_or_gone_was_held_all_the_same(
    root: Path, capsys: Any, is_there: bool
) -> None:
    told = held(root, capsys)
    (root / FILE).unlink()
    if is_there:
        write(root, LENGTH, name="Snow", persona=ANN)
    (listed,) = runs(root, capsys, "list", "--json", "--scenario", "rain")
    assert facts(listed) == facts(told)
    if is_there:
        (new,) = run(root, capsys, "run")[1]
        names = [one["scenario"]["name"] for one in runs(root, capsys, "list", "--json")]
        assert (new["scenario"]["name"], names) == ("Snow", ["Snow", "Rain"])


def test_without_its_journal_only_that_is_told_which_is_known(root: Path, capsys: Any) -> None:
    told = held(root, capsys)
    for one in (root / ".evaltui").rglob("*.jsonl"):
        one.unlink()
    (listed,) = runs(root, capsys, "list", "--json")
    assert facts(listed) == facts(told), "the scenario is the same"
    write(root, LENGTH, persona={**ANN, "name": "Bob"}, maxMessages=3)
    (listed,) = runs(root, capsys, "list", "--json")
    assert (listed["id"], listed["messages"]) == (told["id"], told["messages"])
    assert "persona" not in listed
    assert "score" not in listed["result"]
    assert "maxMessagesReached" not in listed["output"]
    assert listed["result"]["reason"] == told["result"]["reason"]
    (root / FILE).unlink()
    assert runs(root, capsys, "list", "--json") == []
    assert run_command(["runs", "show", told["id"], "-C", str(root)]) == 2
    assert "There is no run" in capsys.readouterr().err


def test_a_journal_that_cannot_be_read_is_none(root: Path, capsys: Any) -> None:
    told = held(root, capsys)
    for one in (root / ".evaltui").rglob("*.jsonl"):
        lines = one.read_text().splitlines(keepends=True)
        lines[0] = lines[0][: len(lines[0]) // 2] + "\n"
        one.write_text("".join(lines))
    (listed,) = runs(root, capsys, "list", "--json")
    assert listed["id"] == told["id"]


def test_cases_that_are_no_scenarios_are_no_conversations(root: Path, capsys: Any) -> None:
    held(root, capsys)
    golden = root / "evals" / "weather.golden.json"
    golden.write_text(json.dumps([{"id": "a", "input": {"message": "hello"}, "expect": {}}]))
    run_command(["run", "-C", str(root)])
    golden.unlink()
    capsys.readouterr()
    listed = runs(root, capsys, "list", "--json")
    assert {one["scenario"]["case"] for one in listed} == {"Rain"}


def test_a_conversation_that_is_judged_again_is_no_other_one(root: Path, capsys: Any) -> None:
    told = held(root, capsys)
    write(root, COUNT, LENGTH, persona=ANN, maxMessages=4)
    again = [asyncio.run(judged_again(root)) for _ in range(21)]  # more than are looked at else
    (listed,) = runs(root, capsys, "list", "--json")
    assert facts(listed) == facts(told)
    shown = runs(root, capsys, "show", conversation_id(*again[-1]), "--json")
    assert shown["messages"] == told["messages"]
    assert ("metrics" in shown["output"], "metrics" in told["output"]) == (True, False)


def test_a_line_says_where_it_was_judged_again_otherwise(root: Path, capsys: Any) -> None:
    def written(evaluator: Any) -> None:
        write(root, evaluator, persona=ANN, maxMessages=2)  # one turn: the verdict ends no other

    written(LENGTH)
    run(root, capsys, "run")
    written(TIGHT)
    asyncio.run(judged_again(root))
    (line,) = runs(root, capsys, "list").splitlines()
    assert "✓ passed" in line and "judged again since: ✗ failed" in line
    written(LENGTH)
    asyncio.run(judged_again(root))
    assert "judged again since" not in runs(root, capsys, "list"), "it is as it was"


async def judged_again(root: Path) -> tuple[str, str, CaseKey]:
    """What names the judgement."""
    async with opened(root) as (session, _):
        (key,) = all_keys(session)
        (finished,) = await session.run([key], is_rejudging=True)
        return finished.run_id, AGENT, key
