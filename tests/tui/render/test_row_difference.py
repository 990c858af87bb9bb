"""What a row says of its calls, where they are at hand and where only the history kept words."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.core.comparison import Effect
from evaltui.core.result import CaseStatus
from evaltui.store.row import Row
from evaltui.tui.render.row_difference import RowDifferences
from tests.sample_project import FIND_ORDER, Line, at_the_line, copy_samples
from tests.tui import scene
from tests.tui.render.test_lines import LOOK

CASE = scene.cases_of(scene.suites(6))[0]
OTHER = "gs-find-order-003"
"""Its file is edited so that it fails; the cursor is on another."""
KEPT = 'city "Paris" → "Pariss"'


def row(status: CaseStatus, effect: Effect | None) -> Row:
    light = replace(scene.result(CASE, status), verdicts=(), response=None, in_short=KEPT)
    return Row(CASE.key, CASE, scene.suites(6)[0], light, changed=effect)


def said(of: Row) -> str:
    return RowDifferences().of(of, LOOK, multiset=True)


def test_what_the_history_kept_is_said_of_failures_and_of_what_the_last_save_changed() -> None:
    assert said(row(scene.F, None)) == KEPT
    assert said(row(scene.P, Effect.CALLS_DIFFER)) == KEPT
    assert said(row(scene.P, None)) == ""
    assert said(row(scene.P, Effect.AS_BEFORE)) == ""


EXPECTATIONS: tuple[dict[str, list[str]], ...] = (
    {},
    {"toolsNotCalled": ["play_music"]},
    {"toolsCalled": ["play_music"]},
)


def write_cases(samples: Path) -> None:
    """One that passes, one that fails and one that asserts nothing call `cancel_order`."""
    cases = [
        {
            "id": f"mine-{number}",
            "input": {"message": "Please call off order SO-1042"},
            "expect": expect,
        }
        for number, expect in enumerate(EXPECTATIONS)
    ]
    text = json.dumps({"metadata": {}, "cases": cases})
    (samples / "evals/mine.golden.json").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("is_restarted", [False, pytest.param(True, marks=pytest.mark.slow)])
async def test_a_row_whose_calls_differ_says_from_what_to_what_but_what_fails_what_it_lacks(
    tmp_path: Path, is_restarted: bool
) -> None:
    samples = copy_samples(tmp_path / "samples")
    write_cases(samples)

    async def save(line: Line) -> None:
        line.edit(
            "tools/shop/cancel-order.tool.ts", "cancel or call off a purchase", "eat some cake"
        )
        await line.shows("CALLS DIFFER 3")
        for number, _ in enumerate(EXPECTATIONS):
            is_failed = number == len(EXPECTATIONS) - 1
            told = "play_music → find_order" if is_failed else "cancel_order → find_order"
            await line.row_shows(f"mine-{number}", told)

    async with at_the_line(samples) as line:
        if not is_restarted:
            await save(line)
    if is_restarted:
        async with at_the_line(samples, is_first=False) as line:
            await save(line)


@pytest.mark.slow
async def test_a_row_that_is_better_says_what_it_does_that_it_did_not(tmp_path: Path) -> None:
    samples = copy_samples(tmp_path / "samples")
    tool, good = "tools/calendar/move-event.tool.ts", "reschedule, postpone or"
    async with at_the_line(samples) as line:
        line.edit(tool, good, "reschedule or")
        await line.row_shows("ls-move-event-001", "move_event → cancel_event")
        await line.runs()
        line.edit(tool, "reschedule or", good)
        await line.row_shows("ls-move-event-001", "cancel_event → move_event")
        assert "BETTER 1" in line.driver.text


@pytest.mark.slow
async def test_a_row_says_its_difference_at_once_after_a_restart(tmp_path: Path) -> None:
    samples = copy_samples(tmp_path / "samples")
    right = '"toolsCalled": [\n          "find_order"\n        ]'
    wrong = '"toolsCalled": [\n          "play_music"\n        ]'
    async with at_the_line(samples) as line:
        line.save(FIND_ORDER, line.read(FIND_ORDER).replace(right, wrong))
        await line.row_shows(OTHER, "play_music → find_order")
        await line.runs()
    async with at_the_line(samples, is_first=False) as line:
        result = line.row(OTHER).result
        assert result is not None and result.response is None
        await line.row_shows(OTHER, "play_music → find_order")
