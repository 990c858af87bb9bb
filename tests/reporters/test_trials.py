"""Repeated cases in words."""

import io
import json
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from evaltui.core.repeats import repeated, repeats_of
from evaltui.core.result import CaseStatus
from evaltui.disk.codec import decode_event
from evaltui.reporters import Reporter
from evaltui.reporters.github import GithubReporter
from evaltui.reporters.jsonl import JsonlReporter
from evaltui.reporters.junit import JunitReporter
from evaltui.reporters.markdown import MarkdownReporter
from evaltui.reporters.trials import rate_text, trials_line
from tests.reporters import scene

SUITE = scene.suite("get_weather", ("a", "b", "c"))


def test_a_repeated_case_says_its_rate_and_how_sure_that_is() -> None:
    flaky = scene.result(SUITE, "a", CaseStatus.FAILED, passes=3, trials=5)
    assert rate_text(flaky) == "3/5 60 % (23–88 %) flaky"
    assert rate_text(scene.result(SUITE, "a", passes=5, trials=5)) == "5/5 100 % (57–100 %)"
    assert rate_text(scene.result(SUITE, "a")) == ""


def test_any_and_all_of_k_attempts_are_means_over_the_repeated_cases() -> None:
    results = [
        scene.result(SUITE, "a", passes=2, trials=2),
        scene.result(SUITE, "b", CaseStatus.FAILED, passes=1, trials=2),
        scene.result(SUITE, "c"),
    ]
    assert (
        trials_line(results)
        == "pass@2 1.00 | pass^2 0.50 over 2 repeated cases, 1 of them flaky in this run"
    )
    assert trials_line(results[2:]) == ""


REPEATED = [
    scene.result(SUITE, "a", CaseStatus.FAILED, passes=3, trials=5, error="3 of 5 passed; no call"),
    scene.result(SUITE, "b", passes=5, trials=5),
    scene.result(SUITE, "c"),
]


def report(kind: Callable[[io.StringIO], Reporter], results: Any = None) -> str:
    out = io.StringIO()
    scene.tell(kind(out), scene.events([SUITE], REPEATED if results is None else results))
    return out.getvalue()


def test_markdown_lists_the_doubtful_first() -> None:
    text = report(MarkdownReporter)
    assert "pass@5 1.00 · pass^5 0.50 over 2 repeated cases, 1 of them flaky in this run" in text
    assert "| `a` | ✗ failed, flaky | `3 of 5 passed; no call` |" in text
    rows = [line for line in text.splitlines() if "–" in line]
    assert rows == ["| `a` | 3/5 60 % (23–88 %) flaky |", "| `b` | 5/5 100 % (57–100 %) |"]
    once = report(MarkdownReporter, [scene.result(SUITE, "c")])
    assert "repeated" not in once and "pass@" not in once


def test_junit_keeps_to_the_schema() -> None:
    root = ElementTree.fromstring(report(JunitReporter).encode())
    (suite,) = root
    said = {item.get("name"): item.get("value") for item in suite.iter("property")}
    assert said["k"] == "5" and said["passAtK"] == "1.0" and said["passHatK"] == "0.5"
    assert (said["repeatedCases"], said["flakyCases"]) == ("2", "1")
    first, second, third = suite.findall("testcase")
    assert [child.tag for child in first] == ["failure", "system-out"]
    assert [child.tag for child in second] == ["system-out"]
    assert [child.tag for child in third] == []
    out = (first.findtext("system-out") or "").splitlines()
    assert out[0] == "attempts passed: 3/5 60 % (23–88 %) flaky"
    assert {"passRate=0.6", "passRateLow=0.230724", "stability=flaky"} <= set(out)
    order = ["properties", "testcase", "system-out", "system-err"]
    tags = [order.index(child.tag) for child in suite]
    assert tags == sorted(tags)


def test_github_says_the_rate_where_a_case_failed_and_once_a_file() -> None:
    lines = report(GithubReporter).splitlines()
    (failed,) = [line for line in lines if line.startswith("::error")]
    assert "title=Failed (flaky)%3A a::" in failed
    assert failed.endswith("no call [attempts passed: 3/5 60 %25 (23–88 %25) flaky]")
    (notice,) = [line for line in lines if line.startswith("::notice")]
    assert notice.endswith(
        "pass@5 1.00 | pass^5 0.50 over 2 repeated cases, 1 of them flaky in this run"
    )


def test_json_lines_have_the_figures_and_are_read_back_as_they_were() -> None:
    lines = report(JsonlReporter).splitlines()
    events = [json.loads(line) for line in lines]
    cases = [event for event in events if event["event"] == "CaseFinished"]
    assert cases[0]["statistics"] == {
        "trials": 5, "passes": 3, "passRate": 0.6, "passRateLow": 0.230724,
        "passRateHigh": 0.882379, "stability": "flaky", "k": 5, "passAtK": 1.0, "passHatK": 0.0,
    }  # fmt: skip
    assert cases[1]["statistics"]["stability"] == "passed"
    assert "statistics" not in cases[2]
    assert events[-1]["statistics"]["passHatK"] == 0.5
    (told,) = {type(event) for event in scene.events([SUITE], REPEATED)[-1:]}
    assert isinstance(decode_event(lines[-1]), told)


def test_a_case_of_which_nothing_could_be_judged_has_no_rate() -> None:
    none = {"passes": 0, "trials": 3, "erred": 3}
    down = scene.result(SUITE, "a", CaseStatus.ERROR, error="agent: down", **none)
    assert (rate_text(down), trials_line([down])) == ("", "")
    assert "repeated" not in report(MarkdownReporter, [down])
    once_down = scene.result(SUITE, "a", CaseStatus.ERROR, passes=2, trials=2, error="agent: down")
    assert rate_text(once_down) == "2/2 100 % (34–100 %)"


def test_attempts_that_nobody_could_judge_stand_beside_the_others() -> None:
    one = scene.result(SUITE, "a", CaseStatus.FAILED, passes=0, trials=1, erred=1)
    assert rate_text(one) == "0/1, 1 error"
    several = scene.result(SUITE, "a", passes=2, trials=2, erred=2)
    assert rate_text(several) == "2/2 100 % (34–100 %), 2 errors"


def test_the_means_of_nothing_are_none() -> None:
    assert repeats_of([]) is None
    assert repeated(scene.result(SUITE, "a")) is None
