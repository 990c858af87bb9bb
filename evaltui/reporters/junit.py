"""JUnit XML: a `testsuite` an eval file and agent, failures and errors told apart."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple
from xml.etree import ElementTree

from evaltui.core.case import CaseKey
from evaltui.core.result import CaseResult
from evaltui.core.suite_result import SuiteResult
from evaltui.reporters.ansi import plain, plain_lines
from evaltui.reporters.carried import NOT_RUN, cases_that_ran
from evaltui.reporters.measurements import measurements
from evaltui.reporters.trials import case_facts, rate_text, run_facts
from evaltui.reporters.written_at_end import WrittenAtEnd
from evaltui.store.row_status import RowMark, RowStatus, counts_as

_NOT_XML = re.compile("[\ufffe\uffff]")


class JunitReporter(WrittenAtEnd):
    """Written at the end; times are in seconds."""

    def close(self) -> None:
        results = [suite for run in self._runs for suite in run.suites]
        fallen = [self._marks.fallen((result,), self._mutes) for result in results]
        counts = [self._counts(*one) for one in zip(results, fallen, strict=True)]
        root = ElementTree.Element(
            "testsuites",
            name="evaltui",
            tests=str(sum(of.tests for of in counts)),
            failures=str(sum(of.failures for of in counts)),
            errors=str(sum(of.errors for of in counts)),
            skipped=str(sum(of.skipped for of in counts)),
            time=_seconds(sum(of.duration_ms for of in counts)),
        )
        for result, marks, of in zip(results, fallen, counts, strict=True):
            self._add_suite(root, result, marks, of)
        ElementTree.indent(root)
        self._out.write('<?xml version="1.0" encoding="utf-8"?>\n')
        self._out.write(ElementTree.tostring(root, encoding="unicode") + "\n")
        self._out.flush()

    def _add_suite(
        self,
        root: ElementTree.Element,
        result: SuiteResult,
        fallen: Mapping[CaseKey, RowMark],
        counts: "_Counts",
    ) -> None:
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=_clean(self._told_apart(result.suite, result.agent)),
            tests=str(counts.tests),
            failures=str(counts.failures),
            errors=str(counts.errors),
            skipped=str(counts.skipped),
            time=_seconds(counts.duration_ms),
            timestamp=result.timestamp,
        )
        properties = ElementTree.SubElement(suite, "properties")
        facts = {"agent": result.agent, "settings": result.settings, "runId": result.run_id}
        said = [(name, value) for name, value in facts.items() if value]
        ran = cases_that_ran(result.cases, self._resumed_of(result.agent))
        said += [(name, str(value)) for name, value in run_facts(ran).items()]
        for name, value in said:
            ElementTree.SubElement(properties, "property", name=name, value=_clean(value))
        for case in result.cases:
            self._add_case(suite, case, fallen.get(case.key))
        if result.staleness_warnings:
            note = ElementTree.SubElement(suite, "system-err")
            note.text = "\n".join(_clean(plain(warning)) for warning in result.staleness_warnings)

    def _add_case(
        self, suite: ElementTree.Element, case: CaseResult, fallen: RowMark | None
    ) -> None:
        line = self._line_of(case.key)
        element = ElementTree.SubElement(
            suite,
            "testcase",
            name=_clean(f"{case.key.case} {case.description}".strip()),
            classname=_clean(self._told_apart(case.key.suite, case.agent)),
            time=_seconds(0.0 if self._is_carried(case) else case.duration_ms),
            file=_clean(case.key.suite),
        )
        if line:
            element.set("line", str(line))
        tag = self._tag_of(case, fallen)
        if self._is_carried(case):
            reason = f"{NOT_RUN}; its last result: {case.status.value}"
            skipped = ElementTree.SubElement(element, tag, message=_clean(reason))
            skipped.text = _clean(case.error)
            return
        if is_muted := self._mutes.covers(case.key):
            muted = f"muted: {self._mutes.why(case.key)}"
            skipped = ElementTree.SubElement(element, tag, message=_clean(muted))
            skipped.text = _clean(case.error or case.status.value)
        elif tag:
            why = case.error if fallen is None else self._marks.why(case)
            message = why or ("nothing asserted" if case.is_nothing_asserted else "")
            ElementTree.SubElement(element, tag, message=_clean(message))
        # Properties of a test case are not in the schema that most readers follow.
        lines = measurements(case)
        if facts := case_facts(case):
            figures = [f"{name}={value}" for name, value in facts.items()]
            lines += [f"attempts passed: {rate_text(case)}", *figures]
        if evidence := self._marks.evidence(case, has_fallen=fallen is not None, is_muted=is_muted):
            lines += [f"{fallen.value}: {evidence}" if fallen is not None else evidence]
        if self._marks.is_flaky(case):
            lines.append("flaky: both outcomes with the same inputs")
        if lines:
            out = ElementTree.SubElement(element, "system-out")
            out.text = _clean("\n".join(lines))

    def _tag_of(self, case: CaseResult, fallen: RowMark | None) -> str:
        """The element that says how it went, empty for a pass. What is muted, what nothing was
        held against, and what did not run now, is skipped: none is counted as passed anywhere. What
        is proven to be worse is a failure though it passed this time."""
        if self._is_carried(case):
            return "skipped"
        tag = _TAGS[counts_as(case, is_muted=self._mutes.covers(case.key))]
        return "failure" if not tag and fallen is RowMark.REGRESSED else tag

    def _counts(self, result: SuiteResult, fallen: Mapping[CaseKey, RowMark]) -> "_Counts":
        tags = Counter(self._tag_of(case, fallen.get(case.key)) for case in result.cases)
        took_ms = sum(case.duration_ms for case in result.cases if not self._is_carried(case))
        return _Counts(tags.total(), tags["failure"], tags["error"], tags["skipped"], took_ms)


_TAGS = {
    RowStatus.FAILED: "failure",
    RowStatus.ERROR: "error",
    RowStatus.PASSED: "",
    RowStatus.NOTHING_ASSERTED: "skipped",
    RowStatus.MUTED: "skipped",
}


class _Counts(NamedTuple):
    """Of a suite: the elements of each kind that stand in it, and what its cases took."""

    tests: int
    failures: int
    errors: int
    skipped: int
    duration_ms: float


def _seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.3f}"


def _clean(text: str) -> str:
    """Text with what XML cannot hold, and what would act on a terminal, spelled out."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", "\n".join(plain_lines(text)))
