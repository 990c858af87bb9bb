"""What was measured and decides nothing is told where a person looks after a run."""

import io
from xml.etree import ElementTree

from msgspec.structs import replace

from evaltui.core.verdict import Kind, Verdict, VerdictStatus
from evaltui.reporters.console import ConsoleReporter
from evaltui.reporters.junit import JunitReporter
from tests.reporters.scene import events, result, suite, tell

A = suite("a", ["measured", "plain"])
METRICS = {"rubric/tone": 0.8, "bell\x07": 1234567.0}
RESULTS = [result(A, "measured", metrics=METRICS), result(A, "plain")]


def test_the_console_has_a_line_below_its_case_and_none_below_others() -> None:
    out = io.StringIO()
    tell(ConsoleReporter(out), events([A], RESULTS))
    lines = out.getvalue().splitlines()
    (line,) = [line for line in lines if "measured:" in line]
    assert line.strip() == "· measured: rubric/tone 0.8, bell\\x07 1,234,567"
    assert "measured" in lines[lines.index(line) - 1]


def test_junit_has_it_in_what_the_case_said() -> None:
    out = io.StringIO()
    tell(JunitReporter(out), events([A], RESULTS))
    cases = ElementTree.fromstring(out.getvalue().encode()).iter("testcase")
    assert [[said.text for said in case.iter("system-out")] for case in cases] == [
        ["measured: rubric/tone 0.8, bell\\x07 1,234,567"],
        [],
    ]


def test_a_metric_that_broke_is_said_in_both_though_its_case_passed() -> None:
    broke = Verdict("seeds", VerdictStatus.ERROR, "Evaluator error: no seeds\x07", kind=Kind.METRIC)
    skipped = Verdict("tokens", VerdictStatus.SKIPPED, "told none", kind=Kind.METRIC)
    results = [
        result(A, "measured", metrics={"calls": 2}, verdicts=(broke, skipped)),
        result(A, "plain", verdicts=(replace(broke, kind=Kind.ASSERTION),)),
    ]
    told = "not measured: seeds: Evaluator error: no seeds\\x07"
    out = io.StringIO()
    tell(ConsoleReporter(out), events([A], results))
    lines = [line.strip() for line in out.getvalue().splitlines()]
    assert [line for line in lines if "measured:" in line] == ["· measured: calls 2", f"· {told}"]
    assert not any("tokens" in line for line in lines)
    out = io.StringIO()
    tell(JunitReporter(out), events([A], results))
    assert told in out.getvalue()
