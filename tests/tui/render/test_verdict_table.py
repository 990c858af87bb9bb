"""Assertions and metrics as tables: their columns, what they hide, what their rows unfold to."""

import pytest
from msgspec.structs import replace

from evaltui.core.json_value import Json
from evaltui.core.response import Message, Turn
from evaltui.core.result import CaseStatus
from evaltui.core.verdict import Kind, Verdict, VerdictStatus
from evaltui.tui.render.text_builder import TextBuilder
from evaltui.tui.render.verdict_table import counted, write_verdict_tables
from evaltui.tui.render.verdicts import FIRST, write_verdicts
from tests.tui.panes.stage import HOSTILE, make_case, make_response, make_result
from tests.tui.render.test_detail_renderers import WIDTHS, written

EVIDENCE: dict[str, Json] = {"toolNames": ["a", "b"]}
GOOD = Verdict("greeting", VerdictStatus.PASSED, "it greets", "Greeting", value=0.95)
BAD = Verdict("regex", VerdictStatus.FAILED, "regex: no match", "Regex", category="assertion")
METRIC = Verdict(
    "tokens", VerdictStatus.PASSED, "12 and 3", "Tokens", Kind.METRIC, 1234567.0, EVIDENCE
)


def table(*verdicts: Verdict, width: int = 100, opened: bool = False) -> list[str]:
    made = written(lambda p: write_verdict_tables(p, verdicts), width, opened=opened)
    return made.plain.splitlines()


def words(line: str) -> list[str]:
    return line.split()


def test_assertions_have_result_score_and_reason_below_one_another() -> None:
    title, heading, good, bad = table(GOOD, BAD)[:4]
    assert words(title) == ["Assertions", "1", "failed,", "1", "passed"]
    assert words(heading) == ["Evaluator", "Result", "Score", "Reason"]
    assert words(good) == ["Greeting", "✓", "passed", "0.95", "it", "greets"]
    assert words(bad) == ["▾", "Regex", "✗", "failed", "-", "no", "match"]
    assert heading.index("Reason") == good.index("it greets") == bad.index("no match")
    assert heading.index("Result") == good.index("✓") == bad.index("✗")


def test_metrics_have_a_value_and_every_digit_of_it() -> None:
    title, heading, row = table(METRIC)
    assert words(title)[0] == "Metrics"
    assert words(heading) == ["Metric", "Value", "Reason"]
    assert words(row) == ["▸", "Tokens", "1,234,567", "12", "and", "3"]


def test_a_metric_that_broke_says_so_and_has_no_value() -> None:
    broken = Verdict("m", VerdictStatus.ERROR, "Evaluator error: no", "M", Kind.METRIC)
    assert words(table(broken)[-1])[:4] == ["M", "-", "!", "error"]


def test_a_metric_that_was_skipped_or_broke_measured_nothing() -> None:
    low = replace(METRIC, status=VerdictStatus.FAILED)
    skipped = replace(METRIC, status=VerdictStatus.SKIPPED, value=None)
    broken = replace(METRIC, status=VerdictStatus.ERROR, value=None)
    told = counted([GOOD, METRIC, low, skipped, broken])
    assert told == "1 error, 1 passed, 1 skipped, 2 measured"


def test_what_has_no_rows_is_hidden() -> None:
    assert "Metrics" not in "\n".join(table(GOOD))
    assert "Assertions" not in "\n".join(table(METRIC))
    assert "Score" not in "\n".join(table(BAD))


def test_checks_of_the_contract_are_no_evaluators() -> None:
    contract = Verdict("toolsCalled", VerdictStatus.PASSED, "as expected", "Called tools")
    assert words(table(contract)[1])[0] == "Assertion"
    assert words(table(contract, GOOD)[1])[0] == "Evaluator"


def test_a_row_unfolds_to_its_metadata() -> None:
    assert "toolNames" not in "\n".join(table(METRIC))
    assert 'toolNames ["a","b"]' in "\n".join(table(METRIC, opened=True))


def test_a_long_reason_keeps_to_its_column_and_below_a_narrow_row_it_has_its_own() -> None:
    long = Verdict("regex", VerdictStatus.PASSED, "words " * 30, "Regex")
    _, heading, row, more, *_ = table(long)
    assert heading.index("Reason") == row.index("words") == more.index("words")
    narrow = table(long, width=40)
    assert "Reason" not in "\n".join(narrow)
    assert narrow[1].rstrip().endswith("passed")
    assert narrow[2].startswith("    words")


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_breaks_out_of_the_pane(width: int) -> None:
    evidence: dict[str, Json] = {HOSTILE: HOSTILE}
    hostile = Verdict(HOSTILE, VerdictStatus.FAILED, HOSTILE, HOSTILE, value=1e300)
    metric = Verdict(HOSTILE, VerdictStatus.ERROR, HOSTILE, HOSTILE, Kind.METRIC, -0.5, evidence)
    for opened in (False, True):
        assert table(hostile, metric, GOOD, width=width, opened=opened)


def conversation() -> TextBuilder:
    from msgspec.structs import replace

    turns = (Turn(1, 2, verdicts=(GOOD, METRIC)), Turn(3, 4, verdicts=(BAD, METRIC)))
    messages = tuple(Message(role, "x") for role in ("user", "assistant") * 2)
    response = replace(make_response(), messages=messages, conversation=turns)
    result = make_result(
        status=CaseStatus.FAILED, verdicts=(BAD, METRIC), response=response, error="no match"
    )
    return written(lambda p: write_verdicts(p, make_case(), result))


def test_a_conversation_shows_the_turn_that_decided_and_folds_the_others() -> None:
    shown = conversation()
    plain = shown.plain
    assert plain.index("turn 2 of 2, which decided") < plain.index("no match")
    assert plain.index("no match") < plain.index("▸ turn 1 of 2  1 passed, 1 measured")
    assert "it greets" not in plain
    folds = {line.fold for line in shown.lines if line.fold}
    assert "verdicts:turn:1" in folds
    assert [line.anchor for line in shown.lines if line.anchor] == [FIRST]
