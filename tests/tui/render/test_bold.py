"""Bold is for what needs the eye now; a name that is fine is not bold."""

from collections.abc import Iterable

import pytest
from rich.segment import Segment

from evaltui.store.counts import Counts
from evaltui.store.row_status import RowStatus
from evaltui.tui.order import SaveGroup
from evaltui.tui.render.case_columns import Columns
from evaltui.tui.render.case_line import case_line
from evaltui.tui.render.header_facts import Facts
from evaltui.tui.render.header_line import header_line
from evaltui.tui.render.suite_line import group_line, named_line
from tests.tui import scene
from tests.tui.render.test_lines import LOOK, STORE

COLUMNS = Columns(20, 0, 0, 40)


def bold(line: Iterable[Segment]) -> str:
    return " ".join(part.text.strip() for part in line if part.style and part.style.bold)


@pytest.mark.parametrize("on", ["background", "cursor", "cursor-blurred"])
@pytest.mark.parametrize("status", [RowStatus.PASSED, RowStatus.FAILED, RowStatus.ERROR])
def test_names_of_cases_and_suites(status: RowStatus, on: str) -> None:
    is_bold = status is not RowStatus.PASSED or on != "background"
    rows = STORE.board(scene.AGENT).rows.values()
    row = next(row for row in rows if row.status is status and not row.is_due)
    assert (row.key.case in bold(case_line(row, COLUMNS, LOOK, now=0.0, on=on))) is is_bold
    counts = Counts()
    counts.by_status[status] = 3
    assert ("get_weather" in bold(named_line("get_weather", counts, LOOK, 40, on=on))) is is_bold


def test_headings_of_what_a_save_did() -> None:
    for name, is_bold in (("WORSE", True), ("BETTER", False), ("AS BEFORE", False)):
        line = group_line(SaveGroup(name, ()), LOOK, 40, "", is_folded=False)
        assert (name in bold(line)) is is_bold


def test_of_the_header_failures_and_what_stops_watching() -> None:
    board = STORE.board(scene.AGENT)
    said = bold(header_line(Facts("watching", board, (), scene.NOW), 160, LOOK))
    assert "✗" in said
    assert "✓" not in said and "WATCH" not in said
    assert "PAUSED" in bold(header_line(Facts("paused", board, (), scene.NOW), 160, LOOK))
