"""What was measured and decides nothing is told where a person looks after a run."""

import io
from xml.etree import ElementTree

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
