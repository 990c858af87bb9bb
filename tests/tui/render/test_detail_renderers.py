"""What each tab says, at several widths."""

import time
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from evaltui.core.case import RubricCase, RubricDimension, TraceCase
from evaltui.core.case_body import EvaluatorUse
from evaltui.core.json_value import Json
from evaltui.core.response import ToolCall
from evaltui.core.result import CaseStatus, TrialResult
from evaltui.core.staleness import CASE_CHANGED, Degree, DueCase
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.expectations.call_diff import DiffTarget, diff_calls
from evaltui.expectations.expected_diff import diff_expected
from evaltui.tui.panes.problems import write_code_frame
from evaltui.tui.render.calls import write_calls
from evaltui.tui.render.conversation import write_conversation, write_live, write_stubs
from evaltui.tui.render.diff import FIRST, write_diff
from evaltui.tui.render.difference import write_difference
from evaltui.tui.render.explain import write_explanation, write_why
from evaltui.tui.render.history import write_history
from evaltui.tui.render.line import Folds
from evaltui.tui.render.look import Look
from evaltui.tui.render.raw import write_raw
from evaltui.tui.render.text_builder import TextBuilder
from evaltui.tui.render.verdicts import write_verdicts
from evaltui.tui.themes import load_theme_named
from tests.tui.panes.stage import (
    EXPLANATION,
    HOSTILE,
    NOW,
    make_case,
    make_response,
    make_result,
    staged,
)

WIDTHS = (30, 58, 100, 158)


def written(
    write: Callable[[TextBuilder], object],
    width: int = 100,
    is_ascii: bool = False,
    opened: bool = False,
) -> TextBuilder:
    builder = TextBuilder(Look({}, is_ascii), width, Folds(is_all_open=opened))
    write(builder)
    assert all(line.width <= builder.width for line in builder.lines)
    return builder


def expected(builder: TextBuilder) -> None:
    result = make_result()
    assert result.response is not None
    write_diff(builder, diff_expected(make_case(), result.response.tool_calls, result.verdicts))


def test_why_a_case_still_fails_names_what_the_save_moved() -> None:
    def explained(*chances: float) -> dict[str, Json]:
        names = ("cancel_event", "move_event", "find_event", "list_events")
        return {"tools": [{"name": n, "p": p} for n, p in zip(names, chances, strict=False)]}

    said = written(lambda p: write_why(p, explained(0.52, 0.48, 0.1, 0.1), explained(0.52, 0.71)))
    assert (
        said.lines[0].plain
        == "why  cancel_event 0.52 · move_event 0.48 (was 0.71) · find_event 0.10"
    )
    for shape in ({"tools": ["a"]}, {"tools": [{"p": "high"}]}, {"thought": "hm"}):
        said = written(lambda p, shape=shape: write_why(p, shape, {}))  # type: ignore[misc]
        assert [line.plain[:13] for line in said.lines] == ["the Calls tab"]


def test_a_call_made_instead_is_actual_and_never_good() -> None:
    colors = load_theme_named("dark").variables
    builder = TextBuilder(Look(colors, False), 100)
    made = (ToolCall("cancel_event", {"id": "EV-17"}),)
    wanted = (ToolCall("move_event", {"id": "EV-17"}),)
    write_diff(builder, diff_calls(wanted, made, DiffTarget.PREVIOUS))
    named = {
        part.style.color.name
        for line in builder.lines
        for part in line.segments
        if "cancel_event" in part.text and part.style is not None and part.style.color is not None
    }
    assert named == {colors["diff-actual"]}
    assert colors["diff-actual"] not in (colors["case-passed"], colors["diff-added"])


def test_a_call_unfolds_to_its_result_and_says_how_long_it_took() -> None:
    call = ToolCall("find_order", {"id": 7}, success=True, duration_ms=31.0, result={"state": "x"})
    said = written(lambda p: write_calls(p, (call,), make_response()), opened=True)
    text = "\n".join(line.plain for line in said.lines)
    assert "1 find_order" in text and "31ms" in text
    assert "result" in text and "state" in text and '"x"' in text, text
    unknown = replace(call, duration_ms=None)
    said = written(lambda p: write_calls(p, (unknown,), make_response()))
    assert any("time not reported" in line.plain for line in said.lines)


def test_an_agent_that_tells_no_calls_is_not_said_to_have_called_none() -> None:
    untold = make_response(tool_calls=(), tells_calls=False)
    wanted = make_case(expect={"toolsCalled": []})
    diff = diff_expected(wanted, ())
    for write in (
        lambda p: write_diff(p, diff, is_silent=untold.is_silent_on_calls),
        lambda p: write_calls(p, (), untold),
    ):
        plain = written(write).plain
        assert "calls not reported" in plain and "no tool was called" not in plain
    assert "no tool was called" in written(lambda p: write_diff(p, diff)).plain
    told = make_response(tells_calls=False)
    assert (
        "calls not reported" not in written(lambda p: write_calls(p, told.tool_calls, told)).plain
    )


def test_calls_of_an_agent_without_messages_stand_before_its_answer() -> None:
    call = ToolCall("find_order", {"id": 7}, success=True, result={"state": "sent"})
    response = make_response(text="It was sent.", tool_calls=(call,), messages=())
    plain = written(lambda p: write_conversation(p, make_case(), response)).plain
    places = [plain.index(said) for said in ("calls find_order", '"sent"', "It was sent.")]
    assert places == sorted(places)


EVERYTHING: dict[str, Callable[[TextBuilder], object]] = {
    "diff": expected,
    "calls": lambda p: write_calls(p, make_response().tool_calls, make_response()),
    "conversation": lambda p: write_conversation(p, make_case(), make_response()),
    "stubs": lambda p: write_stubs(p, make_case()),
    "verdicts": lambda p: write_verdicts(p, make_case(), make_result()),
    "history": lambda p: write_history(p, staged().runs, NOW, None),
    "raw": lambda p: write_raw(p, make_case(), make_result()),
    "explain": lambda p: write_explanation(p, EXPLANATION),
}


@pytest.mark.parametrize("name", EVERYTHING)
@pytest.mark.parametrize("width", WIDTHS)
def test_every_renderer_keeps_within_the_width(name: str, width: int) -> None:
    for opened in (False, True):
        assert written(EVERYTHING[name], width, opened=opened).lines


@pytest.mark.parametrize("name", EVERYTHING)
def test_ascii_prints_nothing_else(name: str) -> None:
    assert written(EVERYTHING[name], 80, is_ascii=True, opened=True).plain.isascii()


@pytest.mark.parametrize("width", WIDTHS)
def test_the_differing_parameter_stands_on_a_line_of_its_own(width: int) -> None:
    builder = written(expected, width)
    (line,) = [line for line in builder.lines if line.anchor == FIRST]
    joined = " ".join(builder.plain.split())
    assert 'city: "Paris" → "Pariss"' in line.plain
    assert '→ "Pariss" asserted equals' in joined
    assert "missing" in joined and "unexpected" in joined
    assert "1 equal, 4 sent, nothing asserted: Enter unfolds" in joined


def test_the_columns_name_both_sides() -> None:
    lines = written(expected, 100).plain.split("\n")
    assert lines[0].split() == ["expected", "calls", "actual", "calls"]
    assert lines[1].split() == ["≠", "matched", "1", "get_weather", "1", "get_weather"]
    assert lines[1].index("get_weather") - 2 == lines[0].index("expected")


def test_unfolded_equal_parameters_are_listed_by_path() -> None:
    plain = written(expected, 100, opened=True).plain
    assert 'filters.units[1]: "imperial"' in plain
    assert "days: 3  equal, asserted exists" in plain


def test_the_changed_characters_are_marked_without_colour() -> None:
    builder = written(lambda p: write_difference(p, '"Paris"', '"Pariss"', "x"))
    marked = [
        s.text for line in builder.lines for s in line.segments if s.style and s.style.underline
    ]
    assert marked == ["s"]


def test_long_values_stand_one_below_the_other_and_wrap() -> None:
    before, after = '"the city of Paris in France"', '"the city of Rome in Italy"'
    builder = written(lambda p: write_difference(p, before, after, "x", lead=("city: ",)), 30)
    lines = builder.plain.split("\n")
    assert lines[0].strip() == "city:"
    assert lines[1].startswith('  - "the city of')
    assert " ".join(builder.plain.split()) == f"city: - {before} + {after}"


def test_a_huge_difference_begins_where_it_differs_and_is_quick() -> None:
    before = "a" * 500_000 + "b" + "c" * 500_000
    after = "a" * 500_000 + "X" + "c" * 500_000
    begin = time.thread_time()
    builder = written(lambda p: write_difference(p, before, after, "x"))
    assert time.thread_time() - begin < 1
    joined = "".join(line.plain.strip() for line in builder.lines)
    assert "aX" in joined
    assert "499,850 equal characters" in joined
    assert "`y` copies all" in joined


def test_comparing_with_a_baseline_names_it() -> None:
    then = [ToolCall("w", {"city": "Paris", "old": 1})]
    now = [ToolCall("w", {"city": "Rome", "new": True})]
    plain = written(lambda p: write_diff(p, diff_calls(then, now, DiffTarget.BASELINE))).plain
    assert "the baseline run sent this" in plain
    assert "the baseline run did not send it" in plain


def test_a_call_that_has_no_stub_is_not_said_to_be_answered_by_one() -> None:
    call = ToolCall("cancel_event", {}, success=False, result={"error": "no stub"})
    plain = written(lambda p: write_calls(p, [call], make_response())).plain
    assert "played with the case's stubs, not executed" in plain
    assert "answered" not in plain


def test_calls_show_what_was_not_reported() -> None:
    call = ToolCall("w")
    plain = written(lambda p: write_calls(p, [call], make_response())).plain
    for words in ("success not reported", "time not reported", "params not reported"):
        assert words in plain
    assert "result not reported" in plain


def test_verdicts_name_what_was_not_judged() -> None:
    plain = written(lambda p: write_verdicts(p, make_case(), make_result())).plain
    assert "not judged after the first failure: toolsCalled, toolsNotCalled" in plain
    assert "none decides the verdict" in plain


def test_what_was_added_since_is_not_judged_yet_and_no_failure_is_the_reason() -> None:
    changed = DueCase(make_case().key, Degree.TO_JUDGE, (CASE_CHANGED,))
    other = DueCase(make_case().key, Degree.AFFECTED, ("w.description changed",))
    passed = make_result(verdicts=(Verdict("responseContains", VerdictStatus.PASSED, "there"),))
    for result in (make_result(), passed):
        now, later = (
            written(lambda p: write_verdicts(p, make_case(), result, stale)).plain  # noqa: B023
            for stale in (changed, other)
        )
        assert "not judged yet: " in now and "after the first failure" not in now
        assert "not judged yet" not in later


def test_verdicts_name_the_dimensions_that_a_failure_spared() -> None:
    dimensions = (RubricDimension("accuracy", 1, ""), RubricDimension("tone", 5, ""))
    case = make_case()
    rubric = RubricCase(case.message, expect=case.expect, dimensions=dimensions)
    plain = written(lambda p: write_verdicts(p, replace(case, body=rubric), make_result())).plain
    assert "toolsNotCalled, rubric/accuracy, rubric/tone" in " ".join(plain.split())


@pytest.mark.parametrize("check", ["evaluator/tool-order", "tool-order"])
def test_the_evaluator_of_a_trace_is_judged_by_the_name_of_now_and_of_before(check: str) -> None:
    trace = replace(make_case(), body=TraceCase("hi", evaluators=(EvaluatorUse("tool-order"),)))
    policy, evaluator = (Verdict(name, VerdictStatus.FAILED, "no") for name in ("policy", check))
    result = make_result(verdicts=(policy, evaluator))
    assert "not judged" not in written(lambda p: write_verdicts(p, trace, result)).plain
    of_judges = make_result(verdicts=(policy,))
    assert "evaluator/tool-order" in written(lambda p: write_verdicts(p, trace, of_judges)).plain


def test_a_word_of_the_evidence_stands_apart_from_its_value() -> None:
    evidence: dict[str, Json] = {"agreement": "2 of 3"}
    verdict = Verdict("rubric/a", VerdictStatus.FAILED, "no", evidence=evidence)
    result = make_result(verdicts=(verdict,))
    plain = written(lambda p: write_verdicts(p, make_case(), result)).plain
    assert 'agreement "2 of 3"' in plain


def test_a_skipped_verdict_says_why() -> None:
    verdict = Verdict("toolParams", VerdictStatus.SKIPPED, "toolParams: skipped, no such seed")
    result = make_result(status=CaseStatus.PASSED, verdicts=(verdict,), error="")
    plain = written(lambda p: write_verdicts(p, make_case(), result)).plain
    assert "○ skipped" in plain
    assert "skipped, no such seed" in plain


def test_a_repeated_case_says_how_sure_its_rate_is() -> None:
    statuses = [CaseStatus.PASSED, CaseStatus.FAILED, *[CaseStatus.PASSED] * 2, CaseStatus.FAILED]
    attempts = tuple(TrialResult(number, status) for number, status in enumerate(statuses))
    result = make_result(status=CaseStatus.FAILED, passes=3, trials=5, attempts=attempts)
    plain = written(lambda p: write_verdicts(p, make_case(), result), 120).plain
    assert "flaky: 3 of 5 attempts passed  60%, 95% interval 23% to 88%" in plain
    assert "pass@5 1.00  pass^5 0.00" in plain
    assert "attempts ✓✗✓✓✗" in plain
    once = written(lambda p: write_verdicts(p, make_case(), make_result())).plain
    assert "attempts" not in once


def test_history_says_the_interval_of_each_repeated_run() -> None:
    run = replace(staged().runs[0], passes=3, trials=5)
    plain = written(lambda p: write_history(p, (run,), NOW, None), 120).plain
    assert "3/5 attempts passed (23% to 88%), flaky" in plain


def test_history_counts_and_draws() -> None:
    plain = written(lambda p: write_history(p, staged().runs, NOW, None), 80).plain
    assert "verdicts ✓✓✓✓✓✓✓✗" in plain
    assert "7 of 8 attempts (88%" in plain
    assert "#42" in plain and "3m ago" in plain
    assert "never run" not in plain
    assert "`r` runs it" in written(lambda p: write_history(p, (), NOW, None)).plain


def test_explanation_names_terms_words_and_spans() -> None:
    plain = written(lambda p: write_explanation(p, EXPLANATION), opened=True).plain
    assert "calls from p 0.40, best leads by 0.06" in plain
    assert "description: rain, weather" in plain
    assert 'city: "Paris"  from `Paris`, confidence 0.90' in plain
    assert "not for: current" in plain
    odd = written(lambda p: write_explanation(p, {"tools": "none", "logprob": -1}))
    assert '"logprob": -1' in odd.plain


@pytest.mark.parametrize("name", ["diff", "calls", "conversation", "raw", "live"])
def test_hostile_text_is_shown_and_does_nothing(name: str) -> None:
    call = ToolCall(HOSTILE, {HOSTILE: HOSTILE}, success=False, result=HOSTILE, error=HOSTILE)
    case = make_case(message=HOSTILE, expect={"toolsCalled": [HOSTILE]})
    response = make_response(text=HOSTILE, tool_calls=(call,), messages=())
    result = make_result(response=response, verdicts=())
    writers: dict[str, Callable[[TextBuilder], object]] = {
        "diff": lambda p: write_diff(p, diff_expected(case, response.tool_calls)),
        "calls": lambda p: write_calls(p, response.tool_calls, response),
        "conversation": lambda p: write_conversation(p, case, response),
        "raw": lambda p: write_raw(p, case, result),
        "live": lambda p: write_live(p, case, HOSTILE, [call]),
    }
    for width in WIDTHS:
        plain = written(writers[name], width, opened=True).plain
        assert "\x1b" not in plain and "\u202e" not in plain
        assert "[bold]" in plain
        assert "東" in plain


def test_the_code_frame_points_at_the_column() -> None:
    builder = TextBuilder(Look({}), 60)
    assert write_code_frame(builder, 'a\n  "b": x\nc', 2, 8)
    lines = builder.plain.split("\n")
    (at,) = [i for i, line in enumerate(lines) if line.endswith("^")]
    assert lines[at - 1][lines[at].index("^")] == "x"
    assert not write_code_frame(builder, "", 5)
