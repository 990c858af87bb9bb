"""What is old is dim: a result that is due, never a fresh one, whatever its suite is."""

import pytest
from msgspec.structs import replace

from evaltui.core.response import ToolCall
from evaltui.core.staleness import Degree, DueCase
from evaltui.store.row import Phase, Row
from evaltui.store.row_status import RowMark, RowStatus
from evaltui.tui.render.case_columns import Columns
from evaltui.tui.render.case_line import case_line
from tests.tui import scene
from tests.tui.render.test_lines import LOOK, STORE

COLUMNS = Columns(24, 0, 0, 120)


@pytest.mark.parametrize("is_outdated", [False, True])
@pytest.mark.parametrize("is_due", [False, True])
def test_a_row_is_dim_and_has_its_age_where_it_is_due(is_due: bool, is_outdated: bool) -> None:
    rows = STORE.board(scene.AGENT).rows.values()
    failed = next(row for row in rows if row.status is RowStatus.FAILED and not row.is_due)
    stale = DueCase(failed.key, Degree.AFFECTED, ("x changed",)) if is_due else None
    row = replace(failed, due=stale, is_outdated=is_outdated)
    line = case_line(row, COLUMNS, LOOK, now=scene.NOW + 38)
    name = next(part for part in line if row.key.case in part.text)
    dim = LOOK.style("aged").color
    assert name.style is not None and (name.style.color == dim) is is_due
    said = "".join(part.text for part in line)
    assert (" ago" in said) is is_due
    assert ("outdated" in said) is is_outdated
    reason = next(part for part in line if "expected" in part.text)  # it is there in any case
    assert reason.style is not None and (reason.style.color == dim) is is_due


@pytest.mark.parametrize("phase", Phase)
def test_a_row_keeps_its_last_reason_dimmed_while_it_waits_and_while_it_runs(phase: Phase) -> None:
    rows = STORE.board(scene.AGENT).rows.values()
    failed = next(row for row in rows if row.status is RowStatus.FAILED and not row.is_due)
    row = replace(failed, phase=phase, live_text="Let me", live_calls=[ToolCall("get_weather")])
    line = case_line(row, COLUMNS, LOOK, now=scene.NOW + 38)
    reason = next(part for part in line if "expected" in part.text)
    dim = LOOK.style("aged").color
    assert reason.style is not None and (reason.style.color == dim) is (phase is not Phase.IDLE)
    assert "Let me" not in "".join(part.text for part in line)


def test_a_first_run_says_what_it_is_doing() -> None:
    row = next(iter(STORE.board(scene.AGENT).rows.values()))
    doing = [(replace(row, result=None, phase=Phase.RUNNING, live_text="Let\nme"))]
    doing.append(replace(doing[0], live_calls=[ToolCall("get_weather")]))
    said = [
        "".join(part.text for part in case_line(one, COLUMNS, LOOK, now=scene.NOW)) for one in doing
    ]
    assert "running: Let me" in said[0] and "running: get_weather" in said[1]


@pytest.mark.parametrize(
    ("cells", "said"), [(27, "no call · outdated  38s ago"), (26, "no call · ⚠        38s ago")]
)
def test_an_age_leaves_the_mark_of_an_outdated_suite_its_room(cells: int, said: str) -> None:
    case = scene.suites(1, 1)[0].cases[0]
    result = replace(scene.result(case, scene.F), error="no call")
    stale = DueCase(case.key, Degree.AFFECTED, ())
    row = Row(case.key, case, scene.suites(1, 1)[0], result, due=stale, is_outdated=True)
    line = case_line(row, Columns(18, 0, 0, cells), LOOK, now=scene.NOW + 38)
    assert "".join(part.text for part in line).endswith(f"000  {said}")


@pytest.mark.parametrize("against", [None, RowMark.REGRESSED, RowMark.MOVED])
def test_a_row_that_is_due_says_so_by_a_glyph_however_narrow_it_is(against: RowMark | None) -> None:
    rows = STORE.board(scene.AGENT).rows.values()
    failed = next(row for row in rows if row.status is RowStatus.FAILED and not row.is_due)
    stale = DueCase(failed.key, Degree.AFFECTED, ("x changed",))

    def signs(row: Row) -> str:
        line = case_line(row, Columns(10, 0, 0, 0), LOOK, now=scene.NOW + 38)
        return "".join(part.text for part in line)[2:6]

    fresh = replace(failed, against=against)
    mark = {None: "  ", RowMark.REGRESSED: "↓ ", RowMark.MOVED: "↓?"}[against]
    assert signs(fresh) == f"✗ {mark}"
    assert signs(replace(fresh, due=stale)) == f"✗◷{mark}"
    assert signs(replace(fresh, due=stale, phase=Phase.QUEUED)) == f"✗ {mark}"
