"""How the cases of a suite or tool did over their last results."""

from evaltui.core.result import CaseStatus
from evaltui.tui.render.look import Look
from evaltui.tui.render.text_builder import TextBuilder
from evaltui.tui.render.tool_page import pass_rates, write_suite_page
from tests.tui import scene
from tests.tui.render.test_lines import STORE

P, F, E, S = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR, CaseStatus.SKIPPED


def test_the_last_rate_is_that_of_all_cases_now_and_what_was_not_judged_is_left_out() -> None:
    assert pass_rates([(P, P, F), (F, P), (S,), ()]) == [0.5, 0.5]
    assert pass_rates([(E,), (P,)]) == [0.5]
    assert pass_rates([(P, S), (F,)]) == [0.0]
    assert pass_rates([]) == []


def test_a_case_that_ran_more_often_than_the_others_makes_no_trend() -> None:
    assert pass_rates([(F, F, F, F), *[(P,)] * 5]) == [5 / 6]
    assert pass_rates([(P, S, F), (P, P, F)]) == [1.0, 0.0]


def test_the_page_of_a_suite_says_them_and_they_are_its_counts() -> None:
    board = STORE.board(scene.AGENT)
    for suite in STORE.suites:
        builder = TextBuilder(Look({}, True), 100)
        write_suite_page(builder, suite, board)
        counts = board.counts.of(suite.id)
        (line,) = (line.plain for line in builder.lines if "results of each case" in line.plain)
        assert f"-> {counts.passed / counts.judged:.0%} passed over the last " in line
