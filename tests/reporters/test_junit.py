"""The counts add up, and no text in a result makes the XML unreadable."""

import io
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.result import CaseResult, CaseStatus
from evaltui.reporters.junit import JunitReporter
from tests.reporters.scene import AGENT, SETTINGS, events, result, suite, tell


def document(ids: list[str], statuses: list[CaseStatus], **more: object) -> ElementTree.Element:
    one = suite("a", ids)
    results: list[CaseResult] = [
        result(one, id_, status, **more) for id_, status in zip(ids, statuses, strict=True)
    ]
    out = io.StringIO()
    tell(JunitReporter(out), events([one], results, staleness_warnings=("old & <odd>",)))
    return ElementTree.fromstring(out.getvalue().encode())


def test_failures_errors_and_skips_have_their_own_elements() -> None:
    statuses = [*CaseStatus, CaseStatus.FAILED]
    root = document([f"c-{n}" for n in range(5)], statuses)
    (listed,) = root
    for element in (root, listed):
        counts = {name: element.get(name) for name in ("tests", "failures", "errors", "skipped")}
        assert counts == {"tests": "5", "failures": "2", "errors": "1", "skipped": "1"}
        assert element.get("time") == "0.025"
    tags = [[child.tag for child in case] for case in listed.iter("testcase")]
    assert tags == [[], ["failure"], ["error"], ["skipped"], ["failure"]]
    assert [case.get("line") for case in listed.iter("testcase")] == ["10", "11", "12", "13", "14"]
    assert listed.findtext("system-err") == "old & <odd>"
    assert {item.get("name"): item.get("value") for item in listed.iter("property")} == {
        "agent": AGENT,
        "settings": SETTINGS,
        "runId": "run-1",
    }


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_can_be_an_id_or_a_reason(text: str) -> None:
    root = document([text or "x"], [CaseStatus.FAILED], error=text, description=text)
    (case,) = root.iter("testcase")
    assert case.find("failure") is not None


def test_muted_cases_are_skipped_with_their_reason() -> None:
    one = suite("a", ["f", "e", "p", "s", "g"])
    statuses = [CaseStatus.FAILED, CaseStatus.ERROR, CaseStatus.PASSED, CaseStatus.SKIPPED]
    results = [
        result(one, case.id, status)
        for case, status in zip(one.cases, [*statuses, CaseStatus.FAILED], strict=True)
    ]
    mutes = {str(case.key): "until\x07 May" for case in one.cases[:3]}
    out = io.StringIO()
    tell(JunitReporter(out), events([one], results, mutes=mutes))
    root = ElementTree.fromstring(out.getvalue().encode())
    (listed,) = root
    for element in (root, listed):
        counts = {name: element.get(name) for name in ("tests", "failures", "errors", "skipped")}
        assert counts == {"tests": "5", "failures": "1", "errors": "0", "skipped": "4"}
    tags = [[child.tag for child in case] for case in listed.iter("testcase")]
    assert tags == [["skipped"], ["skipped"], ["skipped"], ["skipped"], ["failure"]]
    failed, _, passed, _ = listed.iter("skipped")
    assert failed.get("message") == passed.get("message") == "muted: until\\x07 May"
    assert (failed.text, passed.text) == ("why f", "passed")


def test_a_case_in_which_nothing_is_asserted_is_skipped_with_the_reason() -> None:
    one = suite("a", ["silent", "rubric", "p"])
    results = [
        result(one, "silent", assertions_run=0),
        result(one, "rubric", CaseStatus.SKIPPED, error="no judge is set", assertions_run=0),
        result(one, "p"),
    ]
    out = io.StringIO()
    tell(JunitReporter(out), events([one], results))
    (listed,) = ElementTree.fromstring(out.getvalue().encode())
    assert (listed.get("tests"), listed.get("skipped")) == ("3", "2")
    said = [[child.get("message") for child in case] for case in listed.iter("testcase")]
    assert said == [["nothing asserted"], ["no judge is set"], []]


def test_several_agents_are_told_apart() -> None:
    one = suite("a", ["c-1"])
    out = io.StringIO()
    reporter = JunitReporter(out)
    for agent in ("mine", "other"):
        results = [result(one, "c-1", agent=agent)]
        for event in events([one], results, agent=agent):
            reporter.handle(event)
    reporter.close()
    root = ElementTree.fromstring(out.getvalue().encode())
    names = [f"evals/a.golden.json · {agent}" for agent in ("mine", "other")]
    assert [of.get("name") for of in root] == names
    assert [case.get("classname") for case in root.iter("testcase")] == names
