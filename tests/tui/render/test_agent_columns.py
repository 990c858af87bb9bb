"""Columns of agents: aligned, exactly as wide as the pane, whatever there is to say."""

import time

from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment

from evaltui.core.result import CaseStatus
from evaltui.store.counts import Counts
from evaltui.store.row import Phase, Row
from evaltui.store.row_status import RowMark, RowStatus
from evaltui.tui.render.agent_columns import lay_out_agents, place_at, verdict_cells
from evaltui.tui.render.agent_counts import count_cells
from evaltui.tui.render.agent_heading import agent_heading, compared_heading, counts_heading
from evaltui.tui.render.case_columns import Needs, lay_out_compared
from evaltui.tui.render.case_line import case_line
from evaltui.tui.render.clip import width_of
from evaltui.tui.render.look import Look
from tests.tui import scene

LOOK = Look({})
SUITE = scene.suites(4, 1)[0]
names_of = st.lists(st.text("abc/東:-", min_size=1, max_size=20), min_size=2, max_size=9)
counts_of = st.fixed_dictionaries(dict.fromkeys(RowStatus, st.integers(0, 30_000))).map(Counts)


def plain(segments: list[Segment]) -> str:
    return "".join(segment.text for segment in segments)


@st.composite
def row_of(draw: st.DrawFn) -> Row | None:
    status = draw(st.none() | st.sampled_from(list(CaseStatus)))
    case = SUITE.cases[0]
    row = Row(case.key, case, SUITE, phase=draw(st.sampled_from(list(Phase))))
    row.result = scene.result(case, status) if status else None
    if status is CaseStatus.FAILED:
        row.against = draw(st.none() | st.just(RowMark.REGRESSED))
    return draw(st.sampled_from([row, row, row, None]))


@given(st.data(), names_of, st.integers(30, 200), st.integers(0, 40))
def test_every_line_is_as_wide_as_the_pane(
    data: st.DataObject, names: list[str], width: int, need: int
) -> None:
    shown = data.draw(st.integers(0, len(names) - 1))
    columns = lay_out_compared(width, Needs(need, 12, 10), names, shown)
    assert shown in columns.agents.agents
    assert len(columns.agents.agents) + columns.agents.hidden == len(names)
    counts = data.draw(st.lists(counts_of, min_size=len(names), max_size=len(names)))
    steps = st.none() | st.tuples(st.integers(0, 20_000), st.integers(1, 20_000))
    progress = data.draw(st.lists(steps, min_size=len(names), max_size=len(names)))
    rows = data.draw(st.lists(row_of(), min_size=len(names), max_size=len(names)))
    row = Row(SUITE.cases[0].key, SUITE.cases[0], SUITE)
    lines = (
        agent_heading(names, columns, LOOK, width),
        counts_heading(counts, progress, 7, 20_000, columns, LOOK, width),
        compared_heading(SUITE, counts, columns, LOOK, width, on="", is_folded=False),
        case_line(row, columns, LOOK, now=time.time(), others=rows),
    )
    assert [width_of(plain(line)) for line in lines] == [width] * 4


@given(names_of, st.integers(12, 120), st.data())
def test_cells_fill_their_columns(names: list[str], room: int, data: st.DataObject) -> None:
    columns = lay_out_agents(room, names, len(names) - 1, 18)
    rows = data.draw(st.lists(row_of(), min_size=len(names), max_size=len(names)))
    assert width_of(plain(verdict_cells(rows, columns, LOOK, ""))) == columns.cells
    assert columns.cells <= max(room, columns.width + 1 + 4)
    for at, place in enumerate(columns.agents):
        assert place_at(at * (columns.width + 1), columns) == place
    assert place_at(-1, columns) is None
    assert place_at(columns.cells, columns) is None


def test_totals_are_said_in_one_way_for_all() -> None:
    zeroes = dict.fromkeys(RowStatus, 0)
    one = Counts(zeroes | {RowStatus.PASSED: 18, RowStatus.FAILED: 20, RowStatus.ERROR: 3})
    other = Counts(zeroes | {RowStatus.PASSED: 41})
    names = ["one", "other"]
    said = {
        width: plain(
            count_cells([one, other], lay_out_agents(width, names, 0, 18), LOOK, "")
        ).split()
        for width in (60, 26, 12)
    }
    assert said == {
        60: ["✓18", "✗20", "!3", "✓41"],
        26: ["✓18/41", "✓41/41"],
        12: ["✓43%", "✓100%"],
    }


def test_every_state_has_a_glyph_and_a_word() -> None:
    case = SUITE.cases[0]
    results = (None, *(scene.result(case, status) for status in CaseStatus))
    rows = [Row(case.key, case, SUITE, result=result) for result in results]
    columns = lay_out_agents(200, [str(place) for place in range(len(rows))], 0, 18)
    text = plain(verdict_cells(rows, columns, LOOK, ""))
    assert text.split("  ")[0].strip() == "· none"
    for told in ("✓ pass", "✗ fail", "! error", "○ skip"):
        assert told in text


def test_what_stands_above_short_ids_is_whole() -> None:
    heads = ("", "")
    for width in (100, 160, 200):
        columns = lay_out_compared(width, Needs(6, 0, 0), ["desk", "desk2"], 0)
        heads = (
            plain(agent_heading(["desk", "desk2"], columns, LOOK, width)),
            plain(counts_heading([Counts()] * 2, [None] * 2, 6, 21, columns, LOOK, width)),
        )
        assert "2 agents" in heads[0] and ("6 of 21 differ" in heads[1] or "6/21" in heads[1])
        assert LOOK.symbols.cut not in "".join(heads), heads
    assert "2 agents, @ next" in heads[0]
