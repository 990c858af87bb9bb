"""Reports count cases as the board does."""

from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.events import ProjectRead
from evaltui.core.mutes import with_mute
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.tool import ToolRegistry
from evaltui.reporters.muted_failures import Mutes
from evaltui.reporters.tally import tally
from evaltui.store.counts import Counts
from evaltui.store.row import Row
from tests.reporters.scene import suite

ONE = suite("a", [f"c-{number}" for number in range(8)])
OUTCOMES = st.tuples(st.sampled_from(CaseStatus), st.integers(0, 1), st.booleans())


@given(st.lists(OUTCOMES, max_size=len(ONE.cases)))
def test_every_figure_is_that_of_the_board(outcomes: list[tuple[CaseStatus, int, bool]]) -> None:
    results, rows, reasons = [], [], dict[str, str]()
    for case, (status, asserted, is_muted) in zip(ONE.cases, outcomes, strict=False):
        result = CaseResult(case.key, "run-1", "mine", status, assertions_run=asserted)
        row = Row(case.key, case, ONE, result)
        if is_muted:
            row.muted = "waits"
            reasons = with_mute(reasons, case.key, "waits")
        results.append(result)
        rows.append(row)
    mutes = Mutes()
    mutes.handle(ProjectRead((ONE,), ToolRegistry(), (), mutes=reasons))
    found, board = tally(results, mutes), Counts.of(rows)
    assert (found.muted, found.errors, found.failed, found.nothing_asserted, found.passed) == (
        board.muted,
        board.errors,
        board.failed,
        board.nothing_asserted,
        board.passed,
    )
