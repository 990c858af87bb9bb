"""Blocks stay whole, reasons stand below their cases, and what misleads is said."""

import asyncio
import io
import random

import pytest
from msgspec.structs import replace

from evaltui.core.case import TraceCase
from evaltui.core.comparison import RunChanges
from evaltui.core.errors import Problem
from evaltui.core.events import (
    CaseFinished,
    CaseMuted,
    ProblemFound,
    ProjectRead,
    RunEnd,
    RunStarted,
)
from evaltui.core.frame import FRAME_S
from evaltui.core.json_value import Json
from evaltui.core.response import AgentResponse
from evaltui.core.result import CaseStatus
from evaltui.reporters.console import ConsoleReporter
from evaltui.reporters.console_lines import LONGEST
from tests.reporters.scene import AGENT, REGISTRY, SETTINGS, events, result, suite, tell

A, B = suite("a", ["a-1", "a-2"]), suite("b", ["b-1", "b-2"])


def printed(*args: object, explain: bool = False, **more: object) -> list[str]:
    out = io.StringIO()
    tell(ConsoleReporter(out, explain=explain), events(*args, **more))  # type: ignore[arg-type]
    return out.getvalue().splitlines()


def starts(lines: list[str]) -> list[str]:
    """The telling beginning of each line."""
    return [" ".join(line.split()[:2]) for line in lines]


def test_interleaved_suites_print_one_whole_block_each() -> None:
    results = [result(A, "a-1"), result(B, "b-1"), result(B, "b-2"), result(A, "a-2")]
    assert starts(printed([A, B], results))[1:] == [
        "═══ a", "✓ a-1",
        "═══ b", "✓ b-1", "✓ b-2", "─" * 67, "2/2 passed",
        "═══ a", "✓ a-2", "─" * 67, "2/2 passed",
        "All 2",
    ]  # fmt: skip
    assert "(continued)" in printed([A, B], results)[8]


def test_no_heading_stands_without_a_line_below_it() -> None:
    third = suite("c", ["c-1"])
    order = [(A, "a-1"), (B, "b-1"), (third, "c-1"), (B, "b-2"), (A, "a-2")]
    results = [result(one, case) for one, case in order]
    assert starts(printed([A, B, third], results))[1:] == [
        "═══ a", "✓ a-1",
        "═══ c", "✓ c-1", "─" * 67, "1/1 passed",
        "═══ b", "✓ b-1", "✓ b-2", "─" * 67, "2/2 passed",
        "═══ a", "✓ a-2", "─" * 67, "2/2 passed",
        "All 3",
    ]  # fmt: skip


def test_the_figures_of_a_torn_suite_stand_below_its_own_heading() -> None:
    results = [result(A, "a-1"), result(B, "b-1"), result(B, "b-2")]
    lines = starts(printed([A, B], results, end=RunEnd.CANCELLED))
    assert lines[7:10] == ["2/2 passed", "═══ a", "─" * 67]


@pytest.mark.parametrize("seed", range(8))
def test_in_any_order_every_case_stands_below_its_own_title(seed: int) -> None:
    suites = [suite(name, [f"{name}-{n}" for n in range(5)]) for name in "abcd"]
    results = [result(one, case.id) for one in suites for case in one.cases]
    random.Random(seed).shuffle(results)
    title, seen, totals = "", [], 0
    for line in printed(suites, results)[1:]:
        if line.startswith("═══"):
            title = line.split()[1]
        elif line.startswith("  ✓"):
            seen.append(line.split()[1])
            assert line.split()[1].startswith(f"{title}-")
        elif "passed |" in line and not line.startswith("All 4 suites: 20/20"):
            totals += 1
            assert line.startswith("  5/5 passed")
    assert sorted(seen) == sorted(one.key.case for one in results)
    assert totals == 4


def test_the_first_suite_streams_while_it_runs() -> None:
    out = io.StringIO()
    reporter = ConsoleReporter(out)
    reporter.handle(ProjectRead((A,), REGISTRY, ()))
    reporter.handle(RunStarted("run-1", AGENT, 1, tuple(case.key for case in A.cases), "x"))
    reporter.handle(CaseFinished("run-1", result(A, "a-1")))
    assert "✓ a-1" in out.getvalue()


def test_a_run_that_only_judges_again_says_so() -> None:
    results = [result(A, case.key.case) for case in A.cases]
    asking = events([A], results)
    judging = [
        replace(event, is_rejudging=True) if isinstance(event, RunStarted) else event
        for event in asking
    ]
    number = len(A.cases)
    told = f"{AGENT}: {number} cases judged again from kept answers, none is asked"
    for heard, is_told in ((asking, False), (judging, True)):
        out = io.StringIO()
        reporter = ConsoleReporter(out)
        for event in heard:
            reporter.handle(event)
        assert (told in out.getvalue().splitlines()) is is_told


def test_failures_errors_and_skips_are_told_apart() -> None:
    one = suite("a", ["p", "f", "e", "s"])
    results = [
        result(one, "p"),
        result(one, "f", CaseStatus.FAILED),
        result(one, "e", CaseStatus.ERROR),
        result(one, "s", CaseStatus.SKIPPED),
    ]
    lines = printed([one], results)
    assert starts(lines)[2:9] == ["✓ p", "✗ f", "→ why", "! e", "→ why", "○ s", "→ why"]
    assert lines[-1] == (
        "  1/3 passed | 1 failed | 1 errors | 1 nothing asserted | 0 skipped assertions"
        " | 20ms total"
    )


def test_what_traces_tell_of_their_time_is_no_time_of_the_run() -> None:
    one, two = suite("a", ["p"]), suite("b", ["q"])
    two = replace(two, cases=tuple(replace(case, body=TraceCase("hi")) for case in two.cases))
    lines = printed([one, two], [result(one, "p"), result(two, "q")])
    assert lines[-1].endswith("| 5ms total | 5ms recorded in traces")
    assert any(line.endswith("| 0 skipped assertions | 5ms recorded in traces") for line in lines)


def test_the_figures_of_all_suites_are_said_where_there_are_several() -> None:
    one, two = suite("a", ["p", "f"]), suite("b", ["q", "s"])
    results = [
        result(one, "p"),
        result(one, "f", CaseStatus.FAILED),
        result(two, "q"),
        result(two, "s", CaseStatus.SKIPPED),
    ]
    said = "2/3 passed | 1 failed | 1 nothing asserted | 0 skipped assertions | 20ms total"
    assert f"All 2 suites: {said}" in printed([one, two], results)
    assert not any("All" in line for line in printed([one], results[:2]))


def test_regressions_come_last_with_their_reason() -> None:
    results = [result(A, "a-1", CaseStatus.FAILED), result(A, "a-2")]
    lines = printed([A], results, regressions=("a-1",), new_passes=("a-2",))
    assert lines[-2:] == ["↓ REGRESSION a-1: why a-1", "↑ 1 improved since the baseline: `a-2`"]


def test_a_muted_case_has_not_improved() -> None:
    results, mutes = [result(A, "a-1"), result(A, "a-2")], {str(A.cases[0].key): "flaky"}
    said = "\n".join(printed([A], results, new_passes=("a-1", "a-2"), mutes=mutes))
    assert "↑ 1 improved since" in said
    said = "\n".join(printed([A], results[:1], new_passes=("a-1",), mutes=mutes))
    assert "improved" not in said


def test_nothing_asserted_is_marked_and_stale_evals_are_told() -> None:
    stale = suite("get_weather", ["a-1"], description_hash="0" * 12)
    lines = printed([stale], [result(stale, "a-1", assertions_run=0)])
    assert "    nothing asserted" in lines
    assert starts(lines)[2].startswith("○ a-1")
    assert any("  0/0 passed | 0 failed | 1 nothing asserted | " in line for line in lines)
    assert lines[-1].startswith("  ⚠ Evals for get_weather generated against description hash")


def test_long_descriptions_are_cut_and_times_stand_below_each_other() -> None:
    one = suite("a", ["a-1", "a-2"])
    results = [
        result(one, "a-1", description="x" * 500, duration_ms=12_345.0),
        result(one, "a-2", description="short", error="\x1b[2J\nmore", status=CaseStatus.FAILED),
    ]
    cases = [line for line in printed([one], results) if line.endswith("ms")]
    assert len({len(line) for line in cases}) == 1
    assert max(map(len, cases)) <= LONGEST + 12
    assert "→ \\x1b[2J⏎more" in "\n".join(printed([one], results))


def test_a_description_is_measured_as_it_is_shown() -> None:
    told = "\x1b" * 15 + "the end"
    one = suite("a", ["a-1", "a-2"])
    one = replace(one, cases=tuple(replace(case, description=told) for case in one.cases))
    results = [result(one, case.key.case, description=told) for case in one.cases]
    cases = [line for line in printed([one], results) if line.endswith("ms")]
    assert [line.split()[-3:] for line in cases] == [["\\x1b" * 15 + "the", "end", "5ms"]] * 2


def test_a_run_cut_short_prints_the_totals_so_far() -> None:
    lines = printed([A], [result(A, "a-1")], end=RunEnd.CANCELLED)
    assert lines[-2].startswith("  1/1 passed")
    assert lines[-1] == "The run was cancelled before all cases were run."


def test_the_threshold_and_the_choice_are_explained() -> None:
    explanation: dict[str, Json] = {
        "called": [],
        "callAt": 0.4,
        "margin": 0.1,
        "tools": [{"name": "get_weather", "p": 0.31, "terms": {"name": 0.5}, "matched": {}}],
    }
    response = AgentResponse("", (), 1.0, explanation=explanation)
    results = [
        result(A, "a-1", CaseStatus.FAILED, response=response),
        result(A, "a-2", response=response),
    ]
    lines = printed([A], results)
    assert lines[0] == f"{AGENT} {SETTINGS}"
    assert [line for line in lines if "·" in line] == ["    · calls from p 0.40: get_weather 0.31"]
    full = printed([A], results, explain=True)
    assert sum("get_weather  p 0.31: name +0.50" in line for line in full) == 2, "of every case"


def test_problems_show_when_they_are_found() -> None:
    out = io.StringIO()
    ConsoleReporter(out).handle(ProblemFound(Problem("a.json", "is\x07 odd", "Mend it.", 3)))
    assert out.getvalue() == "  ⚠ a.json:3: is\\x07 odd. Mend it.\n"


class Counted(io.StringIO):
    """What was flushed, and how often."""

    flushes = 0
    is_closed_by_reader = False

    def flush(self) -> None:
        self.flushes += 1
        if self.is_closed_by_reader:
            raise BrokenPipeError
        self.seen = self.getvalue()


async def test_lines_that_come_fast_are_flushed_together_and_the_last_within_a_frame() -> None:
    out = Counted()
    many = suite("a", [f"a-{n}" for n in range(1000)])
    reporter = ConsoleReporter(out)
    for event in events([many], [result(many, case.id) for case in many.cases])[:-1]:
        reporter.handle(event)
    assert out.flushes == 1
    assert "a-0 " in out.seen
    assert "a-998 " not in out.seen
    await asyncio.sleep(FRAME_S * 3)
    assert "a-999 " in out.seen
    assert out.flushes == 2
    reporter.close()


async def test_a_line_on_its_own_is_flushed_at_once() -> None:
    out = Counted()
    reporter = ConsoleReporter(out)
    for case in A.cases:
        reporter.handle(CaseFinished("run", result(A, case.id)))
        assert f"{case.id} " in out.seen
        await asyncio.sleep(FRAME_S * 3)
    reporter.close()


async def test_a_reader_that_went_away_is_heard_of_at_a_line_not_by_the_loop() -> None:
    out = Counted()
    reporter = ConsoleReporter(out)
    asyncio.get_running_loop().set_exception_handler(lambda _, context: pytest.fail(str(context)))
    for case in A.cases:
        reporter.handle(CaseFinished("run", result(A, case.id)))
    out.is_closed_by_reader = True
    await asyncio.sleep(FRAME_S * 3)
    with pytest.raises(BrokenPipeError):
        reporter.handle(CaseFinished("run", result(B, "b-1")))


def test_without_a_loop_every_line_is_flushed() -> None:
    out = Counted()
    reporter = ConsoleReporter(out)
    for case in A.cases:
        reporter.handle(CaseFinished("run", result(A, case.id)))
        assert f"{case.id} " in out.seen


def test_a_row_says_how_its_answer_came_about() -> None:
    one = suite("a", ["a-1", "a-2", "a-3"])
    replayed = AgentResponse("", (), 5.0, source="replayed")
    retried = AgentResponse("", (), 5.0, retries=2, queued_ms=1240.0)
    results = [
        result(one, "a-1"),
        result(one, "a-2", response=replayed),
        result(one, "a-3", CaseStatus.FAILED, response=retried),
    ]
    out = io.StringIO()
    tell(ConsoleReporter(out), events([one], results))
    lines = out.getvalue().splitlines()
    ends = [line.partition("5ms")[2] for line in lines if "about a-" in line]
    assert ends == ["", "  replayed", "  2 retries, 1.2 s waited"]


def test_muted_failures_are_told_apart_and_counted_nowhere_else() -> None:
    one = suite("a", ["p", "f", "e", "q"])
    results = [
        result(one, "p"),
        result(one, "f", CaseStatus.FAILED),
        result(one, "e", CaseStatus.ERROR),
        result(one, "q"),
    ]
    mutes = {str(case.key): f"waits\x07 for {case.id}" for case in one.cases if case.id != "p"}
    changes = RunChanges(worse=(one.cases[1].key, one.cases[0].key), muted=3)
    lines = printed([one], results, mutes=mutes, changes=changes, regressions=("f",))
    assert starts(lines)[2:7] == ["✓ p", "⊘ f", "→ why", "⊘ e", "→ why"]
    assert "    → why f · muted: waits\\x07 for f" in lines
    assert "  1/1 passed | 0 failed | 3 muted | 0 skipped assertions | 20ms total" in lines, (
        "muted comes first, as on the board"
    )
    assert "2 worse · 0 better · 3 muted" in lines
    assert "  worse  p" in lines
    assert "  worse  f" not in lines
    risen = printed([one], results, mutes=mutes, changes=RunChanges(better=changes.worse))
    assert "  better  p" in risen, "of the muted one nothing is said"
    assert not any("REGRESSION" in line for line in lines)
    assert any("REGRESSION f" in line for line in printed([one], results, regressions=("f",)))


@pytest.mark.parametrize(("reason", "glyph"), [("flaky service", "⊘ a-1"), ("", "✗ a-1")])
def test_a_case_muted_or_unmuted_after_the_reading_is_so_from_then_on(
    reason: str, glyph: str
) -> None:
    heard = events([A], [result(A, "a-1", CaseStatus.FAILED)], mutes={str(A.cases[0].key): "old"})
    out = io.StringIO()
    tell(ConsoleReporter(out), [heard[0], CaseMuted(A.cases[0].key, reason), *heard[1:]])
    assert glyph in starts(out.getvalue().splitlines())
    assert ConsoleReporter.hears >= {ProjectRead, CaseMuted}
