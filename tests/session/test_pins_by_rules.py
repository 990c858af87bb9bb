"""A pin that was judged by other rules of judging: judged again, or no ground for a regression."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.core.check import CheckContext, Plan
from evaltui.core.outcome import Outcome
from evaltui.core.result import CaseStatus
from evaltui.session import Session
from evaltui.store.row_status import RowMark
from tests.projects import make_project
from tests.session.test_session import AGENT, all_keys, opened

CODE = "baseline-other-rules"


def by_next_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """An update of evaltui that raises the version of its rules of judging."""
    for place in ("project.project", "disk.baselines.baseline_reading", "disk.baselines.pinned"):
        monkeypatch.setattr(f"evaltui.{place}.RULES", "next")


@pytest.fixture
async def pinned(tmp_path: Path) -> Path:
    """All three cases passed by the rules of now, and are pinned."""
    make_project(tmp_path)
    async with opened(tmp_path) as (session, _):
        await session.run(all_keys(session))
        await session.baselines.pin(all_keys(session), AGENT)
    return tmp_path


@pytest.fixture
def stricter(pinned: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An update of evaltui by whose rules no answer passes any more."""

    async def judge(plan: Plan, context: CheckContext) -> Outcome:  # noqa: ARG001
        return Outcome(CaseStatus.FAILED, "stricter", "assertion", assertions_run=1)

    for place in ("judging.rejudge", "runner.attempt"):
        monkeypatch.setattr(f"evaltui.{place}.judge", judge)
    by_next_rules(monkeypatch)
    return pinned


def copies(root: Path) -> Iterator[Path]:
    return (root / "evals" / "baselines").glob("*/*/*.json")


def without_answers(root: Path) -> None:
    """As copies of a version that kept none."""
    for path in copies(root):
        text = json.loads(path.read_text())
        for case in text["cases"]:
            del case["response"], case["toolCalls"], case["agentResponse"]
        path.write_text(json.dumps(text))


def said(session: Session) -> list[str]:
    return [one.what for one in session.store.problems.reported if one.code == CODE]


async def test_a_pin_is_judged_by_the_rules_of_now_and_its_case_does_not_regress(
    stricter: Path,
) -> None:
    async with opened(stricter) as (session, _):
        await session.run(all_keys(session))
        rows = session.store.board(AGENT).rows.values()
        assert [row.result.status for row in rows if row.result] == [CaseStatus.FAILED] * 3
        assert [row.against for row in rows] == [None] * 3, "only evaltui changed"
        assert [row.baseline.words for row in rows if row.baseline] == ["failed"] * 3
        assert said(session) == []


async def test_a_pin_whose_answer_is_not_kept_is_no_ground_and_that_is_said(stricter: Path) -> None:
    without_answers(stricter)
    async with opened(stricter) as (session, _):
        await session.run(all_keys(session))
        rows = session.store.board(AGENT).rows.values()
        assert [row.against for row in rows] == [None] * 3
        words = {row.baseline.words for row in rows if row.baseline}
        assert words == {"passed by other rules of judging"}
        assert said(session) == [
            "3 pinned cases of `embedded/2`, judged by the rules of another version of evaltui,"
            " cannot be judged again from what is kept: nothing regresses against that"
        ]
        await session.baselines.pin(all_keys(session), AGENT)
        assert said(session) == []
        session.undo.undo()
        assert said(session), "the pins of then are in force again"


async def test_a_pin_of_an_expectation_that_was_edited_since_is_no_ground(stricter: Path) -> None:
    """What it was held against is kept nowhere."""
    path = stricter / "evals" / "play_music.golden.json"
    path.write_text(path.read_text().replace('"noToolErrors": true', '"noToolErrors": false'))
    async with opened(stricter) as (session, _):
        await session.run(all_keys(session))
        assert [row.against for row in session.store.board(AGENT).rows.values()] == [None] * 3
        assert [what[:13] for what in said(session)] == ["1 pinned case"]


async def test_a_case_that_falls_by_the_same_rules_regresses(
    pinned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_next_rules(monkeypatch)
    tools = pinned / "tools.json"
    tools.write_text(tools.read_text().replace("play_music", "order_pizza"))
    async with opened(pinned) as (session, _):
        await session.run(all_keys(session))
        marks = [row.against for row in session.store.board(AGENT).rows.values()]
        assert marks.count(RowMark.REGRESSED) == 1, "its pin was judged again, and passed"


def run_it(root: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.chdir(root)
    return run_command(["run", "--fail-on", "regressions"])


def test_the_command_line_fails_for_no_case_that_only_evaltui_judges_otherwise(
    stricter: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_it(stricter, monkeypatch) == 0
    assert "REGRESS" not in capsys.readouterr().out


def test_where_nothing_can_be_judged_again_the_command_line_says_that_nothing_was_compared(
    stricter: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without_answers(stricter)
    assert run_it(stricter, monkeypatch) == 2
    assert "judged by other rules of judging" in capsys.readouterr().err
