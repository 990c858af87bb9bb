"""Lines of header, footer and cases: as wide as asked, cut with a mark, in every theme's names."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.baseline import Baseline, BaselineCase
from evaltui.core.case import Case, CaseKey, ContractCase, Tier
from evaltui.core.case_body import EvaluatorUse
from evaltui.core.events import CaseFinished, CasesStale, RunEnd, RunFinished, RunStarted
from evaltui.core.response import AgentResponse
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.suite import Suite
from evaltui.store.board import Board
from evaltui.store.headline import Headline
from evaltui.store.reach import Reach
from evaltui.store.row import Row
from evaltui.store.row_status import RowMark, RowStatus
from evaltui.store.store import Store
from evaltui.tui.commands import COMMANDS
from evaltui.tui.render.case_columns import Needs, lay_out
from evaltui.tui.render.case_line import case_line
from evaltui.tui.render.case_note import note_of
from evaltui.tui.render.clip import fit, fit_middle, width_of
from evaltui.tui.render.footer_line import Chip, footer_line
from evaltui.tui.render.header_facts import Facts
from evaltui.tui.render.header_line import header_line
from evaltui.tui.render.header_run import WIDEST_BAR
from evaltui.tui.render.look import Look
from evaltui.tui.render.words import ago, clock, duration, span
from evaltui.tui.themes import load_theme_named
from tests.tui import scene

THEME = load_theme_named("dark")
LOOK = Look({**THEME.colors, **THEME.variables})
PLAIN = Look({**THEME.colors, **THEME.variables}, is_ascii=True)


def a_store(done: int | None = 30) -> Store:
    store = Store()
    made = scene.suites(48)
    for event in scene.opened(made):
        store.handle(event)
    for event in scene.run(scene.cases_of(made), done=done):
        store.handle(event)
    return store


STORE = a_store()


@given(st.text(max_size=60), st.integers(0, 50))
def test_fit_is_exact_and_harmless(text: str, width: int) -> None:
    for made in (fit(text, width), fit_middle(text, width)):
        assert width_of(made) == width
        assert "\x1b" not in made
        assert "\n" not in made


def test_what_is_cut_has_a_mark() -> None:
    assert fit("abcdef", 4) == "abc…"
    assert fit("abcd", 4) == "abcd"
    assert fit("東京タワー", 4) == "東 …"
    assert fit_middle("gs-search-documents-003", 14) == "gs-search…-003"


def test_a_row_says_how_its_answer_came_about() -> None:
    key = CaseKey("evals/a.golden.json", "a-1")
    row = Row(key, Case(key, ContractCase("hi")), Suite(key.suite, "a", Tier.GOLDEN, (), ""))
    came = AgentResponse("", source="replayed", retries=2, queued_ms=1240.0)
    for status, error, note in (
        (CaseStatus.PASSED, "", "replayed · 2 retries, 1.2 s waited"),
        (CaseStatus.FAILED, "no call", "no call · replayed · 2 retries, 1.2 s waited"),
    ):
        row.result = CaseResult(
            key, "run", "mine", status, assertions_run=1, error=error, response=came
        )
        assert note_of(row)[0] == note


@pytest.mark.parametrize(
    ("error", "note"),
    [
        ("toolsCalled: no call", "no call"),
        ("timeout: no complete answer", "no complete answer"),
        ("polite: 0 word(s)", "polite: 0 word(s)"),
        ("watering-advice: none", "watering-advice: none"),
    ],
)
def test_a_row_names_the_evaluator_that_failed_as_reports_do(error: str, note: str) -> None:
    key = CaseKey("evals/a.golden.json", "a-1")
    uses = (EvaluatorUse("polite", {}), EvaluatorUse("watering-advice", {}))
    case = Case(key, ContractCase("hi", evaluators=uses))
    row = Row(key, case, Suite(key.suite, "a", Tier.GOLDEN, (), ""))
    row.result = CaseResult(key, "run", "mine", CaseStatus.FAILED, assertions_run=1, error=error)
    assert note_of(row)[0] == note


@pytest.mark.parametrize("look", [LOOK, PLAIN])
@given(width=st.integers(34, 220), index=st.integers(0, 47))
def test_a_case_line_is_as_wide_as_its_pane(look: Look, width: int, index: int) -> None:
    row = list(STORE.board(scene.AGENT).rows.values())[index]
    line = case_line(row, lay_out(width, Needs(26, 16, 5)), look, now=time.time())
    assert sum(width_of(segment.text) for segment in line) == width


@pytest.mark.parametrize("look", [LOOK, PLAIN])
@given(width=st.integers(20, 240))
def test_the_header_is_as_wide_as_the_screen(look: Look, width: int) -> None:
    board = STORE.board(scene.AGENT)
    facts = Facts("watching", board, ("a.ts", "b.json", "c.json"), scene.NOW + 7, "embedded")
    line = header_line(facts, width, look)
    assert sum(width_of(segment.text) for segment in line) == width


def test_counts_and_state_outlive_the_rest_of_the_header() -> None:
    board = STORE.board(scene.AGENT)
    facts = Facts("watching", board, ("tools.exports.ts",), scene.NOW + 7)
    text = "".join(segment.text for segment in header_line(facts, 46, LOOK))
    assert "✗6" in text
    assert "30/48" in text


@pytest.mark.parametrize("width", [60, 80, 100])
def test_a_run_for_a_save_names_its_file_however_narrow_it_is(width: int) -> None:
    store = a_store(30)
    keys = [*store.board(scene.AGENT).rows][:12]
    degrees = [*[Degree.AFFECTED] * 4, *[Degree.POSSIBLY] * 8]
    stale = tuple(
        DueCase(key, degree, ("find_order.description changed",))
        for key, degree in zip(keys, degrees, strict=True)
    )
    files = ("tools/find-order.tool.ts",)
    store.handle(CasesStale(scene.AGENT, stale, 48, files, stale))
    store.handle(RunStarted("run-9", scene.AGENT, 90, tuple(keys), "a reason", files))
    board = store.board(scene.AGENT)
    text = "".join(
        segment.text for segment in header_line(Facts("watching", board, files, 0.0), width, LOOK)
    )
    assert "find-order.tool.ts" in text and "0/12" in text, text


def test_a_run_that_asks_nobody_says_so() -> None:
    board = a_store(30).board(scene.AGENT)
    assert board.runs.last is not None
    facts = Facts("watching", board, (), scene.NOW + 7)
    for is_rejudging in (False, True):
        board.runs.last.is_rejudging = is_rejudging
        for width in (80, 160):
            text = "".join(segment.text for segment in header_line(facts, width, LOOK))
            assert ("judging again" in text) is is_rejudging, text


def test_a_save_tells_those_that_were_asked_from_those_that_were_judged_again() -> None:
    store = a_store(None)
    asked, judged, *_ = store.board(scene.AGENT).rows.values()
    store.handle(CasesStale(scene.AGENT, (), 48, ("a.json",)))
    for run_id, row, is_rejudging, said in (
        ("run-8", judged, True, "a.json  1 judged again · 0 worse"),
        ("run-9", asked, False, "a.json  1 ran · 1 judged again · 0 worse"),
        ("run-10", judged, False, "a.json  2 ran · 0 worse"),
        ("run-11", judged, True, "a.json  2 ran · 0 worse"),
    ):
        started = RunStarted(
            run_id, scene.AGENT, 1, (row.key,), "", ("a.json",), is_rejudging=is_rejudging
        )
        assert row.result is not None
        for event in (
            started,
            CaseFinished(run_id, replace(row.result, run_id=run_id)),
            RunFinished(run_id, scene.AGENT, RunEnd.COMPLETED, 1.0),
        ):
            store.handle(event)
        facts = Facts("watching", store.board(scene.AGENT), ("a.json",), scene.NOW + 7)
        text = "".join(segment.text for segment in header_line(facts, 200, LOOK))
        assert said in text, text


def test_two_points_held_against_each_other_are_no_doing_of_the_later_run() -> None:
    board = a_store(None).board(scene.AGENT)
    assert board.counts.all.ran
    facts = Facts("past", board, (), scene.NOW + 7, past="#2 to #42", is_between=True)
    text = "".join(segment.text for segment in header_line(facts, 160, LOOK))
    assert "◀ #2 to #42  " in text
    assert f"  {board.counts.all.ran} compared · " in text
    assert " ran" not in text and "run #" not in text, text


def test_a_run_of_the_past_tells_no_cost_that_later_runs_took_cases_from() -> None:
    board = a_store(None).board(scene.AGENT)
    assert board.runs.last is not None
    board.runs.last.spent_usd = 1.5
    for past, is_told in (("", True), ("#1 18:04", False)):
        facts = Facts("past" if past else "watching", board, (), scene.NOW + 7, past=past)
        text = "".join(segment.text for segment in header_line(facts, 160, LOOK))
        assert ("$1.50" in text) is is_told, text


def test_what_gave_way_comes_back_where_there_is_room() -> None:
    board = STORE.board(scene.AGENT)
    facts = Facts("watching", board, ("tools.exports.ts",), scene.NOW + 7)
    for width in range(60, 200):
        text = "".join(segment.text for segment in header_line(facts, width, LOOK))
        free = width - len(text.rstrip())
        if "WATCH" not in text:
            assert free < len(" WATCH"), text
        elif "run #42" not in text:
            assert free < len("run "), text


def test_agent_and_baseline_go_after_the_number_of_the_run_and_before_all_else() -> None:
    board = a_store(None).board(scene.AGENT)
    suites = scene.suites(48)
    then = BaselineCase(CaseStatus.PASSED)
    pins = [
        Baseline(
            suite.id, "run-0", "main", {"a": then, "b": then}, scene.NOW - 3 * 3600 - index * 60
        )
        for index, suite in enumerate(suites[:2])
    ]
    board.compare_with(pins)
    facts = Facts("watching", board, ("tools.exports.ts",), scene.NOW, only_agent="sonnet")
    said = "agent sonnet · vs main, 4 pinned 3h ago"

    def text(width: int) -> str:
        return "".join(segment.text for segment in header_line(facts, width, LOOK))

    assert said in text(200)
    narrow = next(width for width in range(200, 20, -1) if "agent sonnet" not in text(width))
    kept = text(200).replace(f"  {said}", "").replace("run #42", "").split()
    assert text(narrow).split() == kept
    assert said not in text(narrow + 1)
    assert "agent sonnet" in text(narrow + 1)
    board.compare_with(())
    assert "agent sonnet" in text(200)
    assert "vs main" not in text(200)


@pytest.mark.parametrize(
    ("reach", "said", "short"),
    [
        (Reach(42, 5), "5 of 42 affected", "5 affected"),
        (Reach(42, 5, 3), "5 of 42 affected, 3 possibly", "5 affected, 3 possibly"),
        (Reach(42, 0, 3), "3 of 42 possibly affected", "3 possibly affected"),
        (Reach(42, 0, 0, 2), "changes no result", "changes no result"),
    ],
)
def test_what_is_affected_for_certain_and_what_possibly_is_said_apart(
    reach: Reach, said: str, short: str
) -> None:
    board = Board("embedded", headline=Headline(reach=reach))
    facts = Facts("watching", board, ("a.ts",), scene.NOW)

    def text(width: int) -> str:
        return "".join(part.text for part in header_line(facts, width, LOOK))

    assert f"  {said} " in text(80)
    assert f"  {short} " in text(len(f" ● WATCH  {short} "))


@pytest.mark.parametrize("trigger", [("a.ts",), ("find-order.tool.ts", "orders.labeled.json")])
def test_the_number_of_the_run_goes_before_anything_else_and_regressions_last(
    trigger: tuple[str, ...],
) -> None:
    facts = Facts("watching", a_store(None).board(scene.AGENT), trigger, scene.NOW, only_agent="a")

    def words(width: int) -> list[str]:
        text = "".join(part.text for part in header_line(facts, width, LOOK))
        return text.replace("·", " · ").split()

    whole = words(250)
    assert "#42" in whole
    for width in range(250, 30, -1):
        assert "↓3" in words(width), width
        assert "#42" not in words(width) or words(width) == whole, width


@given(st.integers(20, 240), st.lists(st.text(max_size=40), max_size=3))
def test_help_never_leaves_the_footer(width: int, chips: list[str]) -> None:
    rows = sorted((row for row in COMMANDS if row.footer), key=lambda row: -row.footer)
    keys = [(row.keys[0], row.label, row.id) for row in rows]
    line, spots = footer_line(keys, [Chip(text) for text in chips], width, LOOK)
    text = "".join(segment.text for segment in line)
    assert text.startswith(" ? help")
    assert sum(width_of(segment.text) for segment in line) == width
    assert spots[0][2] == "app.help"
    assert all(start < end <= width for start, end, _ in spots)


def test_words() -> None:
    assert [duration(x) for x in (12, 999.6, 1400, 125_000)] == ["12ms", "1.0s", "1.4s", "2m05"]
    assert [span(x) for x in (4, 240, 7200, 200_000, 9e6, 9e7)] == [
        "4s",
        "4m",
        "2h",
        "2d",
        "14w",
        "2y",
    ]
    assert [clock(x) for x in (7, 760, 3723)] == ["00:07", "12:40", "1:02:03"]
    assert [ago(x) for x in (-1, 2, 240)] == ["0s ago", "2s ago", "4m ago"]


def test_the_bar_takes_the_room_that_nothing_else_wants() -> None:
    board = a_store(16).board(scene.AGENT)
    facts = Facts("watching", board, ("tools.exports.ts",), scene.NOW + 7)
    bar: re.Match[str] | None = None
    for width in range(80, 240):
        text = "".join(segment.text for segment in header_line(facts, width, LOOK))
        free = width - len(text.rstrip())
        bar = re.search("▕([█░]+)▏", text)
        if bar is not None:
            assert len(bar[1]) == WIDEST_BAR or free <= 1, text
            assert len(bar[1]) >= 8
    assert bar is not None and len(bar[1]) == WIDEST_BAR


@pytest.mark.parametrize("breadcrumb", ["", "2 Cases", "3 Detail › ls-get-weather-004"])
def test_counts_and_what_the_save_did_outlive_all_else_and_the_cause_the_word_of_the_state(
    breadcrumb: str,
) -> None:
    board = a_store(None).board(scene.AGENT)
    facts = Facts(
        "watching", board, ("book-telescope.tool.ts",), scene.NOW, "sonnet", breadcrumb=breadcrumb
    )
    for width in range(60, 160):
        text = "".join(part.text for part in header_line(facts, width, LOOK))
        assert "3 in error" in text, text
        assert "✗6" in text and "↓3" in text, text
        if "›" not in breadcrumb:
            assert "book-tele" in text, text
            assert "book-telescope.tool.ts" in text or "WATCH" not in text, text


def test_below_80_cells_the_header_names_the_file_that_was_saved_and_not_the_list() -> None:
    board = a_store(None).board(scene.AGENT)
    facts = Facts("watching", board, ("move-event.tool.ts",), scene.NOW, breadcrumb="Cases")

    def text(width: int) -> str:
        return "".join(part.text for part in header_line(facts, width, LOOK))

    assert text(60) == " ● WATCH  move-event.tool.ts  3 in error  ✓36 ✗6 !3 ○3·↓3 ↑3"
    assert text(50) == " ●  move-event.to…  3 in error  ✓36 ✗6 !3 ○3·↓3 ↑3"
    assert "Cases" in text(160)


def test_a_mark_is_not_said_again_in_words_where_the_description_has_room() -> None:
    rows = STORE.board(scene.AGENT).rows.values()
    passed = next(row for row in rows if row.status is RowStatus.PASSED and not row.is_due)
    for mark, sign in ((RowMark.IMPROVED, "↑ "), (RowMark.MOVED_UP, "↑?")):
        row = replace(passed, against=mark, changed=None)
        line = case_line(row, lay_out(120, Needs(26, 0, 0)), LOOK, now=scene.NOW)
        text = "".join(segment.text for segment in line)
        assert f"✓ {sign}" in text and row.case.description in text, text
        assert "improved" not in text and "moved up" not in text
