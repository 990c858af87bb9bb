"""Evaluators of one's own in a session: a save judges kept answers again and asks nobody."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.events import EvaluatorPrinted, ProjectRead
from evaltui.core.result import CaseStatus
from evaltui.core.verdict import Kind
from evaltui.tui.log import EventLog
from tests.evaluators.loaded import evaluator, write
from tests.projects import write_suite
from tests.session.running.test_rejudging import AGENT, asked, orders, project, statuses, watching
from tests.session.test_session import Ear, all_keys, opened, written_by

LONG_ENOUGH = """
length = len(ctx.last_response)
return passed('long enough') if length >= LEAST else failed(f'{length} characters')
"""
USES = [{"type": "long-enough"}, {"type": "tool-call-count"}]


def threshold(least: int) -> str:
    text = evaluator(LONG_ENOUGH.strip(), "long_enough")
    return f"LEAST = {least}\n" + text.replace("('long_enough'", "('long-enough'")


def judged(root: Path, count: int = 5, uses: Sequence[dict[str, Any]] = USES) -> Path:
    """A project of so many cases whose answers an evaluator of its own judges."""
    project(root, count)
    settings = (root / "evaltui.toml").read_text()
    write(root, "evaltui.toml", f'evaluators = ["./checks/length.py"]\n{settings}')
    write(root, "checks/length.py", threshold(5))
    suite(root, count, uses)
    return root


def suite(root: Path, count: int, uses: Sequence[dict[str, Any]]) -> None:
    write_suite(root, "find_order", [{**one, "evaluators": uses} for one in orders(count)])


def problems(ear: Ear) -> list[str]:
    read = [event for event in ear.heard if isinstance(event, ProjectRead)]
    return [str(problem) for problem in read[-1].problems if problem.code.startswith("evaluator")]


async def test_a_new_threshold_gives_new_verdicts_and_asks_nobody(tmp_path: Path) -> None:
    root = judged(tmp_path)
    async with watching(root) as (session, ear):
        assert set(statuses(session)) == {CaseStatus.PASSED}
        before = asked(root)
        write(root, "checks/length.py", threshold(500))
        await ear.until(lambda: bool(ear.runs()))
        assert statuses(session) == [CaseStatus.FAILED] * 5
        assert session.requests.due_keys(AGENT) == ()
    assert asked(root) == before == 5
    (started,), (finished,) = ear.started(), ear.runs()
    assert started.is_rejudging
    assert started.trigger == ("checks/length.py",)
    assert "evaluator long-enough changed" in started.reason
    case = written_by(finished)["cases"][0]
    assert case["error"] == "long-enough: 12 characters"
    assert case["metrics"] == {"tool-call-count": 1.0}


async def test_a_changed_setting_of_one_judges_its_cases_again(tmp_path: Path) -> None:
    root = judged(tmp_path, uses=[{"type": "response-length", "config": {"max": 50}}])
    async with watching(root) as (session, ear):
        suite(root, 5, [{"type": "response-length", "config": {"max": 5}}])
        await ear.until(lambda: bool(ear.runs()))
        assert statuses(session) == [CaseStatus.FAILED] * 5
    assert asked(root) == 5


@pytest.mark.parametrize("expected", ["It is there.", "It is gone."])
async def test_one_that_cannot_judge_any_more_is_an_error_whatever_was_answered(
    tmp_path: Path, expected: str
) -> None:
    uses = [{"type": "response-length", "config": {"max": 50}}]
    wrong = [{"type": "response-length", "config": {"max": "many"}}]
    root = judged(tmp_path)

    def save(uses: Sequence[dict[str, Any]]) -> None:
        cases = orders(1, responseContains=[expected])
        write_suite(root, "find_order", [{**one, "evaluators": uses} for one in cases])

    save(uses)
    async with watching(root) as (session, ear):
        before = statuses(session)
        save(wrong)
        await ear.until(lambda: len(ear.runs()) == 1)
        assert statuses(session) == [CaseStatus.ERROR]
        assert session.requests.due_keys(AGENT) == ()
        save(uses)
        await ear.until(lambda: len(ear.runs()) == 2)
        assert statuses(session) == before
    assert asked(root) == 1


async def test_a_broken_save_keeps_the_last_good_one_and_says_so(tmp_path: Path) -> None:
    root = judged(tmp_path)
    async with watching(root) as (session, ear):
        write(root, "checks/length.py", "def f(:\n")
        await ear.until(lambda: bool(ear.all(ProjectRead)))
        (problem,) = problems(ear)
        assert problem.startswith("checks/length.py:1: Evaluator plugin")
        assert "stays in use" in problem
        assert set(statuses(session)) == {CaseStatus.PASSED}
        assert session.requests.due_keys(AGENT) == ()
        await session.run(all_keys(session))
        assert set(statuses(session)) == {CaseStatus.PASSED}
        ear.heard.clear()
        write(root, "checks/length.py", threshold(500))
        await ear.until(lambda: bool(ear.runs()))
        assert statuses(session) == [CaseStatus.FAILED] * 5
        assert problems(ear) == []


async def test_verdicts_of_metrics_decide_nothing(tmp_path: Path) -> None:
    root = judged(tmp_path, 1)
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
        (row,) = session.store.board(AGENT).rows.values()
        assert row.result is not None
        *_, own, metric = row.result.verdicts
        assert (own.check, own.label, own.kind) == ("long-enough", "Mine", Kind.ASSERTION)
        assert (metric.kind, metric.value) == (Kind.METRIC, 1.0)
        assert "tool-call-count" in row.result.metrics


async def test_what_one_prints_is_an_event_and_stands_in_the_log(tmp_path: Path) -> None:
    root = judged(tmp_path, 1)
    write(root, "checks/length.py", threshold(5).replace("length =", "print('look'); length =", 1))
    async with opened(root) as (session, ear):
        await session.run(all_keys(session))
        (printed,) = ear.all(EvaluatorPrinted)
    assert isinstance(printed, EvaluatorPrinted)
    assert (printed.entry, printed.text) == ("./checks/length.py", "long-enough: look")
    log = EventLog(session.store)
    log.handle(printed)
    assert [text for _, text in log.lines] == ["printed by long-enough: look"]


async def test_evaluators_wait_until_the_assertions_hold(tmp_path: Path) -> None:
    root = judged(tmp_path, 1)
    cases = [{**one, "evaluators": USES} for one in orders(1, responseContains=["gone"])]
    write_suite(root, "find_order", cases)
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
        (row,) = session.store.board(AGENT).rows.values()
        assert row.result is not None
        assert "long-enough" not in [verdict.check for verdict in row.result.verdicts]


async def test_nothing_of_them_runs_before_somebody_agrees(
    tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.delenv("EVALTUI_TRUST")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "mine").mkdir()
    root = judged(tmp_path / "mine", 1)
    write(root, "checks/length.py", "open('ran.log', 'w').write('x')\n" + threshold(5))
    async with opened(root) as (session, _):
        told = [str(one) for one in session.grants()]
        assert any("evaluators of `./checks/length.py`" in one for one in told)
    assert not (root / "ran.log").exists()


def test_unknown_types_and_wrong_settings_are_told_at_their_place(
    tmp_path: Path, capsys: Any
) -> None:
    uses: list[dict[str, Any]] = [
        {"type": "long-enoug"},
        {"type": "regex", "config": {"pattern": 5}},
        *[{"type": "token-usage"}] * 2,
    ]
    root = judged(tmp_path, 1, uses)
    assert run_command(["check", "--json", "--config", str(root / "evaltui.toml")]) == 2
    found = json.loads(capsys.readouterr().out)["problems"]
    told = {one["pointer"]: one for one in found if "/evaluators/" in one["pointer"]}
    assert "stands twice" in told["/cases/0/evaluators/3/type"]["message"]
    assert told["/cases/0/evaluators/0/type"]["hint"] == "Did you mean `long-enough`?"
    trace = {"case_id": "a", "evaluators": [{"type": "token-usage"}] * 2}  # each has its own name
    write(root, "evals/a.trace.json", json.dumps({"dataset_id": "d", "cases": [trace]}))
    run_command(["check", "--json", "--config", str(root / "evaltui.toml")])
    found = json.loads(capsys.readouterr().out)["problems"]
    twice = [one["file"] for one in found if "stands twice" in one["message"]]
    assert len(twice) == 1 and "trace" not in twice[0]
    wrong = told["/cases/0/evaluators/1/config/pattern"]
    assert wrong["line"] > 1
    assert '5 is not of type "string"' in wrong["message"]


COUNTED = """
import subprocess, sys
PRINT = "import os; print(len([one for one in os.listdir('limits')]))"
LEAST = 500 * int(subprocess.check_output([sys.executable, "-c", PRINT], text=True))
"""


@pytest.mark.parametrize("by", ["run", "rerun", "rejudge"])
async def test_who_asks_for_a_run_is_told_by_evaluators_that_are_loaded_for_it(
    tmp_path: Path, by: str
) -> None:
    """Nobody sees what a program reads that an evaluator starts while it is loaded."""
    root = judged(tmp_path)
    (root / "limits").mkdir()
    write(root, "checks/length.py", threshold(0).replace("LEAST = 0", COUNTED))
    async with watching(root) as (session, ear):
        await session.run(all_keys(session))
        assert set(statuses(session)) == {CaseStatus.PASSED}
        write(root, "limits/most.json", "{}")
        ear.heard.clear()
        if by == "run":
            await session.run(all_keys(session))
        else:
            getattr(session.requests, by)(all_keys(session))
            await ear.until(lambda: bool(ear.runs()))
        assert statuses(session) == [CaseStatus.FAILED] * 5


async def test_a_run_by_a_save_does_not_load_them_again(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    root, told = judged(tmp_path / "mine", 1), tmp_path / "loaded"
    count = "with open('../loaded', 'a') as log: log.write('x')\n"
    write(root, "checks/length.py", count + threshold(5))
    async with watching(root) as (_, ear):
        loaded = told.read_text()
        for most in (50, 60):
            ear.heard.clear()
            suite(root, 1, [{"type": "response-length", "config": {"max": most}}, *USES])
            await ear.until(lambda: bool(ear.runs()))
        assert told.read_text() == loaded
