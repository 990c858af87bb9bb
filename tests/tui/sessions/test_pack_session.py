"""`evaltui PACK`: a pack at the dashboard, compared, gated, followed, and never written."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.config import Config
from evaltui.evidence.run_config import RunConfig
from evaltui.evidence.score_suite import score_suite
from evaltui.traces.reading import read_suite
from evaltui.tui.exit_summary import exit_summary
from evaltui.tui.sessions.pack_session import PackSession
from tests.driver import driving

DECISION = {"passed": False, "failures": ["pass_rate drop 1.0"], "thresholds": {"x": 0.1}}


def suite(tool: str) -> bytes:
    events = [
        {"idx": 0, "actor": "user", "type": "message", "input": "Refund it"},
        {"idx": 1, "actor": "agent", "type": "tool_call", "tool": tool, "input": {}},
        {"idx": 2, "actor": "tool", "type": "tool_result", "tool": tool, "output": {}},
        {"idx": 3, "actor": "assistant", "type": "message", "output": "Done"},
    ]
    case = {"case_id": "one", "trace": events, "policy": {"forbidden_tools": ["cancel"]}}
    return json.dumps({"dataset_id": "d", "cases": [case]}).encode()


async def write(out: Path, tool: str) -> None:
    config = RunConfig("d", (), run_id=out.name)
    await score_suite(read_suite(suite(tool)), out, config, judges=(), folder=out.parent)


@pytest.fixture
def candidate(tmp_path: Path) -> Path:
    asyncio.run(write(tmp_path / "base", "refund"))
    asyncio.run(write(tmp_path / "cand", "cancel"))
    (tmp_path / "cand/compare/gate_decision.json").write_text(json.dumps(DECISION))
    return tmp_path / "cand"


def beside(candidate: Path) -> tuple[str, ...]:
    return "--baseline", str(candidate.parent / "base"), "--candidate", str(candidate)


def contents(folder: Path) -> dict[str, Any]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


async def test_it_is_shown_gated_compared_and_only_read(candidate: Path) -> None:
    before = contents(candidate.parent)
    session = PackSession(Config(candidate.parent), candidate)
    async with driving(session, is_alone=False) as driver:
        await driver.sees_soon("4 events")
        driver.sees("PACK cand", "gate ✗ failed", "forbidden tools used cancel", "✗1")
        await driver.press("r")
        driver.sees("read-only evidence pack")
        await driver.click("gate ✗ failed")
        driver.sees("pass_rate drop 1.0")
        await driver.press("escape", "equals_sign", "enter")
        await driver.sees_soon("base → cand")
        await driver.press("n", "enter")  # whatever stands above the first case
        await driver.sees_soon("calls cancel")
        driver.sees("calls refund", "passed → failed hard")
        await driver.press("escape")
    assert contents(candidate.parent) == before


async def test_the_case_under_the_cursor_stays_in_sight_in_a_smaller_terminal(
    candidate: Path,
) -> None:
    session = PackSession(Config(candidate.parent), candidate)
    async with driving(session, is_alone=False) as driver:
        await driver.sees_soon("4 events")
        await driver.press("d")
        driver.sees("one result of each case")
        await driver.press("equals_sign", "enter")
        await driver.sees_soon("base → cand")
        await driver.press("n")
        driver.sees("▸ ↓ one", "passed → failed hard")
        await driver.resize(70, 16)
        driver.sees("passed → failed hard")


async def test_a_run_that_is_written_there_is_shown(candidate: Path) -> None:
    session = PackSession(Config(candidate.parent), candidate)
    async with driving(session, is_alone=False) as driver:
        await driver.sees_soon("✗1")
        await write(candidate, "refund")
        os.utime(candidate / "manifest.json", (1, 1))  # whatever the clock's grain
        await driver.sees_soon("1 better")
        driver.sees("✓1")


def test_without_a_terminal_it_says_what_it_holds(
    candidate: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command([str(candidate)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "cand: 0 of 1 passed"
    assert "gate failed" in told


async def test_what_stays_in_the_terminal_is_no_command_for_a_project(candidate: Path) -> None:
    session = PackSession(Config(candidate.parent), candidate)
    await session.open()
    lines = exit_summary(session)
    assert lines[-1] == f"evidence: {candidate}"
    assert not any("evaltui run" in line or "results:" in line for line in lines)


async def test_a_pack_that_was_changed_says_so_in_the_header(candidate: Path) -> None:
    (candidate / "run/events.jsonl").write_text("")
    async with driving(PackSession(Config(candidate.parent), candidate), is_alone=False) as driver:
        await driver.sees_soon("changed since it was written")


async def test_a_decision_is_withheld_once_a_file_was_changed_while_it_is_shown(
    candidate: Path,
) -> None:
    await asyncio.to_thread(run_command, ["compare", *beside(candidate)])
    compared = str(candidate / "compare" / "baseline_delta.json")
    gate = ["gate", "--compare", compared, "--max-regressed-cases", "1"]
    assert await asyncio.to_thread(run_command, gate) == 0
    session = PackSession(Config(candidate.parent), candidate)
    async with driving(session, is_alone=False) as driver:
        await driver.sees_soon("gate ✓ passed")
        verdicts = candidate / "cases" / "one" / "verdicts.json"
        verdicts.write_text(verdicts.read_text().replace("cancel", "cancelled"))
        await driver.sees_soon("gate ✗ failed")
        driver.sees("changed since it was written")
        verdicts.write_text(verdicts.read_text().replace("cancelled", "cancel"))
        await driver.sees_soon("gate ✓ passed")


@pytest.mark.parametrize("name", ["base", "cand"])
async def test_traces_that_were_changed_are_not_shown_side_by_side(
    name: str, candidate: Path
) -> None:
    session = PackSession(Config(candidate.parent), candidate)
    changed = candidate.parent / name / "cases" / "one" / "trajectory.json"
    changed.write_bytes(changed.read_bytes() + b" ")
    async with driving(session, is_alone=False) as driver:
        await driver.sees_soon("4 events")
        await driver.press("equals_sign", "enter")
        await driver.sees_soon("relied")  # on: one word, as the toast wraps


def test_a_pack_that_was_changed_says_so_and_ends_with_1(
    candidate: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (candidate / "run/events.jsonl").write_text("")
    assert run_command([str(candidate)]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[1].startswith("It is not as it was written")
    assert "run/events.jsonl" in told[2]


def test_a_folder_that_is_no_pack_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in (tmp_path, tmp_path / "nothing"):
        assert run_command([str(name)]) == 2
        assert "is not an evidence pack" in capsys.readouterr().err
    assert run_command(["chekc"]) == 2, "a word is a command"
    assert "invalid choice" in capsys.readouterr().err
