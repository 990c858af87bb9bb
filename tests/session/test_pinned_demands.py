"""Evals that were weakened since they were pinned pass no gate, wherever it stands."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.evidence.gates.gate_decision import GateDecision
from evaltui.reporters.evidence import write_pack
from evaltui.session import Session
from tests.evidence.made_packs import made_pack, read, says, suite_of
from tests.projects import MUSIC, make_project, write_suite
from tests.session.test_board_sides import decided, pinned, write_gate
from tests.session.test_rubrics import KEY, SETTINGS, FakeJudge, write_rubric
from tests.session.test_rubrics import judge as judge  # a fixture
from tests.session.test_session import AGENT, all_keys, opened
from tests.simulated_agent import simulate, simulated_project

CASE = "evals/play_music.golden.json::gs-play-music-001"
WEAKER = {"toolsCalled": ["play_music"]}
MORE = {**MUSIC[0]["expect"], "toolsNotCalled": ["find_order"]}
LESS = f"cases assert less than in the baseline, or other things: {CASE} (noToolErrors)"
UNKNOWN = "it is not known whether cases assert less than in the baseline (run or pin them again): "


async def pack_of(session: Session, place: Path) -> None:
    (run,) = await session.run(all_keys(session))
    write_pack(run, place, {suite.id: suite for suite in session.project.suites}, ())


def expects(root: Path, expect: dict[str, Any]) -> None:
    write_suite(root, "play_music", [{**MUSIC[0], "expect": expect}])


def forget(root: Path, key: str) -> None:
    """As a version before wrote the pins."""
    for copy in (root / "evals/baselines/default").rglob("*.json"):
        found = json.loads(copy.read_text())
        for case in found["cases"]:
            del case[key]
        copy.write_text(json.dumps(found))


async def on_the_board(root: Path, change: Callable[[], None]) -> GateDecision:
    write_gate(make_project(root), max_regressed_cases=0, min_pass_rate=0.9)
    async with opened(root) as (session, _):
        await pinned(session)
    change()
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
        decision = await decided(session)
    assert decision is not None
    return decision


async def by_command(
    root: Path, change: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """Why the gate does not pass the pack of a later run."""
    async with opened(make_project(root)) as (session, _):
        await pinned(session)
    change()
    async with opened(root) as (session, _):
        await pack_of(session, root / "later")
    monkeypatch.chdir(root)
    return gated()


def gated() -> list[str]:
    compared = ["compare", "--baseline", "default", "--candidate", "later"]
    assert run_command(compared) == 0
    argv = ["gate", "--compare", "later/compare/baseline_delta.json", "--min-pass-rate", "0.9"]
    ended = run_command(argv)
    failures: list[str] = read(Path("later/compare/gate_decision.json"))["failures"]
    assert ended == bool(failures)
    return failures


@pytest.mark.parametrize(
    ("expect", "why"), [(WEAKER, [LESS]), (MORE, []), (MUSIC[0]["expect"], [])]
)
async def test_a_pin_knows_what_was_asserted(
    expect: dict[str, Any], why: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, command = tmp_path / "board", tmp_path / "command"
    board.mkdir()
    command.mkdir()
    decision = await on_the_board(board, lambda: expects(board, expect))
    assert [*decision.failures] == why
    assert await by_command(command, lambda: expects(command, expect), monkeypatch) == why


async def test_a_pin_that_does_not_tell_it_passes_no_pack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (failed,) = await by_command(tmp_path, lambda: forget(tmp_path, "asserted"), monkeypatch)
    assert failed.startswith(UNKNOWN)
    assert CASE in failed


async def test_on_the_board_an_unchanged_case_asserts_what_it_did(tmp_path: Path) -> None:
    decision = await on_the_board(tmp_path, lambda: forget(tmp_path, "asserted"))
    assert decision.passed

    def edited() -> None:
        forget(tmp_path, "asserted")
        expects(tmp_path, WEAKER)

    decision = await on_the_board(tmp_path, edited)
    assert [*decision.failures] == [f"{UNKNOWN}{CASE}"]


async def test_of_a_run_in_the_settings_the_cases_are_compared(tmp_path: Path) -> None:
    write_gate(make_project(tmp_path), min_pass_rate=0.9)
    async with opened(tmp_path) as (session, _):
        (run,) = await session.run(all_keys(session))
    for expect, why in ((MUSIC[0]["expect"], []), (WEAKER, [f"{UNKNOWN}{CASE}"])):
        expects(tmp_path, expect)
        async with opened(tmp_path, baseline_run_id=run.run_id) as (session, _):
            await session.run(all_keys(session))
            decision = await decided(session)
        assert decision is not None
        assert [*decision.failures] == why


async def test_a_result_of_the_case_before_its_edit_tells_nothing(tmp_path: Path) -> None:
    write_gate(make_project(tmp_path), min_pass_rate=0.9)
    async with opened(tmp_path) as (session, _):
        await session.run(all_keys(session))
    expects(tmp_path, WEAKER)
    async with opened(tmp_path) as (session, _):
        await session.baselines.pin(all_keys(session), AGENT)
        await session.run(all_keys(session))
        decision = await decided(session)
    assert decision is not None
    assert [*decision.failures] == [f"{UNKNOWN}{CASE}"]


def test_a_summary_says_nothing_of_its_cases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made_pack(Path("b"), suite_of(Path("b.json"), says("x", "yes")))
    made_pack(Path("c"), suite_of(Path("c.json"), {**says("x", "no"), "regex_patterns": ["."]}))
    assert run_command(["compare", "--baseline", "b/run/summary.json", "--candidate", "c"]) == 0
    gated = ["gate", "--compare", "c/compare/baseline_delta.json", "--min-pass-rate", "0.9"]
    assert run_command(gated) == 1
    (why,) = read(Path("c/compare/gate_decision.json"))["failures"]
    assert why.startswith("one side says nothing about its cases")


async def test_a_report_about_pins_that_was_edited_is_held_against_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        await pinned(session)
    expects(tmp_path, {**MUSIC[0]["expect"], "toolsNotCalled": ["play_music"]})
    async with opened(tmp_path) as (session, _):
        await pack_of(session, tmp_path / "later")
    monkeypatch.chdir(tmp_path)
    assert any(one.startswith("candidate pass_rate") for one in gated())
    assert any("`case_regressions` differs" in one for one in gated_after(forgotten))


def forgotten(report: dict[str, Any]) -> None:
    """As if the pin had failed before."""
    report["case_regressions"] = []
    report["new_hard_fail_case_ids"] = []


def gated_after(edit: Callable[[dict[str, Any]], None]) -> list[str]:
    place = Path("later/compare/baseline_delta.json")
    report = read(place)
    edit(report)
    place.write_text(json.dumps(report))
    assert run_command(["gate", "--compare", str(place), "--max-regressed-cases", "0"]) == 1
    failures: list[str] = read(place.with_name("gate_decision.json"))["failures"]
    return failures


RUBRIC_CASE = str(KEY)
GRADED = [
    {"dimension": "tone", "maxScore": 2, "criteria": "2: kind. 0: rude."},
    {"dimension": "accuracy", "maxScore": 1, "criteria": "1: right. 0: wrong."},
]


@pytest.mark.parametrize(
    ("after", "reasons"),
    [
        ("threshold = 0.5", []),
        ("threshold = 0.3", [f"{RUBRIC_CASE} (judge)"]),
        ("threshold = 0.5\nvotes = 3", [f"{RUBRIC_CASE} (judge)"]),
        ("", [f"{RUBRIC_CASE} (judge, rubric/tone)"]),
    ],
)
@pytest.mark.parametrize("is_known", [True, False])
async def test_a_judge_that_is_set_otherwise_than_at_the_pin_lets_nothing_pass(
    after: str, reasons: list[str], is_known: bool, tmp_path: Path, judge: FakeJudge
) -> None:
    judge.score = 1
    write_gate(make_project(tmp_path), min_pass_rate=0.5)
    write_rubric(tmp_path, rubric=GRADED)
    settings = tmp_path / "evaltui.toml"
    settings.write_text(f"{SETTINGS}threshold = 0.5\n")
    async with opened(tmp_path, trust=True) as (session, _):
        await pinned(session)
    settings.write_text(f"{SETTINGS}{after}\n")
    if not is_known:
        forget(tmp_path, "asserted")
    async with opened(tmp_path, trust=True) as (session, _):
        await session.run(all_keys(session))
        decision = await decided(session)
    assert decision is not None
    unknown = [f"{UNKNOWN}{RUBRIC_CASE}"]
    lost = [f"cases assert less than in the baseline, or other things: {one}" for one in reasons]
    assert [*decision.failures] == (lost if is_known else unknown)


FEWER = (
    "fewer attempts than in the baseline, any of which can fail a case (`trials`): "
    "evals/find_order.golden.json::gs-000"
)


@pytest.mark.parametrize(("made", "trials", "why"), [(0, 1, [FEWER]), (0, 3, []), (20, 1, [])])
async def test_a_pin_knows_how_often_a_run_asks_but_not_what_was_made_to_be_pinned(
    made: int, trials: int, why: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulate(monkeypatch)
    root = simulated_project(tmp_path, 1)
    async with opened(root, trials=made or 3) as (session, _):
        if made:
            await session.fresh_pins.pin(all_keys(session), "mine", made)
        else:
            await session.run(all_keys(session))
            await session.baselines.pin(all_keys(session), "mine")
    async with opened(root, trials=trials) as (session, _):
        await pack_of(session, root / "later")
    monkeypatch.chdir(root)
    assert gated() == why
