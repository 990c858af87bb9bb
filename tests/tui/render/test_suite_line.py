"""Figures of a suite that have no room are not left out in silence."""

from evaltui.store.counts import Counts
from evaltui.store.row_status import RowMark, RowStatus
from evaltui.tui.render.clip import width_of
from evaltui.tui.render.suite_line import count_segments, named_line
from tests.tui.render.test_lines import LOOK


def line_of(width: int) -> str:
    counts = Counts()
    counts.by_status[RowStatus.PASSED], counts.by_status[RowStatus.FAILED] = 27, 8
    counts.by_mark[RowMark.DUE], counts.by_mark[RowMark.OUTDATED] = 21, 6
    return "".join(part.text for part in named_line("All suites", counts, LOOK, width, on=""))


def test_a_name_without_room_is_a_shorter_one_before_it_is_cut() -> None:
    def said(width: int) -> str:
        line = named_line("All suites", Counts(), LOOK, width, on="", short="All")
        return "".join(part.text for part in line).split()[0]

    assert (said(40), said(18)) == ("All", "All")
    assert "…" not in said(14)


def test_figures_without_room_give_way_to_a_mark_that_says_so() -> None:
    assert line_of(40).endswith(" ✓27 ✗8 · ◷21 ⚠6 ")
    for width in range(8, 40):
        line = line_of(width)
        assert width_of(line) == width
        assert ("⚠6" in line) is not line.endswith(" … "), line
    assert line_of(17).endswith(" ✓27✗8·◷21⚠6 ")
    assert line_of(15).endswith(" ✓27✗8◷21⚠6 "), "a figure is worth more than the dot"
    assert line_of(14).endswith(" ✓27✗8 … ")


def test_the_line_of_all_suites_has_every_figure_of_the_header_at_160_columns() -> None:
    counts = Counts()
    numbers = dict(zip(RowStatus, (1, 2, 2, 8, 1, 32), strict=True))
    counts.by_status.update(numbers)
    counts.by_mark.update({RowMark.REGRESSED: 2, RowMark.IMPROVED: 1, RowMark.DUE: 12})
    counts.by_mark[RowMark.OUTDATED] = 12
    parts = named_line("›All suites", counts, LOOK, 28, on="", short="›All")
    line = "".join(part.text for part in parts)
    header = "".join(part.text for part in count_segments(counts, LOOK, ""))
    assert line.replace(" ", "").endswith("…" + header.replace(" ", "").replace("·↓", "↓"))
    assert "↑1" in header
    counts.by_status.update({RowStatus.NOT_RUN: 0, RowStatus.MUTED: 0})
    parts = named_line("›All suites", counts, LOOK, 28, on="", short="›All")
    assert "".join(part.text for part in parts) == "›All   ✓32✗8!2○1·↓2↑1◷12⚠12 "
