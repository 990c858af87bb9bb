"""What a row says of its calls, where they are at hand and where only the history kept words."""

from pathlib import Path

from msgspec.structs import replace

from evaltui.core.comparison import Effect
from evaltui.core.result import CaseStatus
from evaltui.store.row import Row
from evaltui.tui.render.row_difference import RowDifferences
from tests.sample_project import FIND_ORDER, at_the_line, copy_samples
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
