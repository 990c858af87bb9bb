"""JUnit XML: a `testsuite` an eval file, failures and errors told apart."""

import re
from typing import NamedTuple, Self
from xml.etree import ElementTree

from evaltui.core.result import CaseResult, CaseStatus, SuiteResult
from evaltui.reporters.ansi import plain, plain_lines
from evaltui.reporters.muted_failures import Mutes
from evaltui.reporters.trials import case_facts, rate_text, run_facts
from evaltui.reporters.written_at_end import WrittenAtEnd
from evaltui.store.counts import summarize

_NOT_XML = re.compile("[\ufffe\uffff]")


class JunitReporter(WrittenAtEnd):
    """Written at the end; times are in seconds."""

    def close(self) -> None:
        results = [suite for run in self._runs for suite in run.suites]
        counts = [_Counts.of(result, self._mutes) for result in results]
        root = ElementTree.Element(
            "testsuites",
            name="evaltui",
            tests=str(sum(result.summary.total_cases for result in results)),
            failures=str(sum(of.failures for of in counts)),
            errors=str(sum(of.errors for of in counts)),
            skipped=str(sum(of.skipped for of in counts)),
            time=_seconds(sum(result.summary.total_duration_ms for result in results)),
        )
        for result, of in zip(results, counts, strict=True):
            self._add_suite(root, result, of)
        ElementTree.indent(root)
        self._out.write('<?xml version="1.0" encoding="utf-8"?>\n')
        self._out.write(ElementTree.tostring(root, encoding="unicode") + "\n")
        self._out.flush()

    def _add_suite(self, root: ElementTree.Element, result: SuiteResult, counts: "_Counts") -> None:
        summary = result.summary
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=_clean(result.suite),
            tests=str(summary.total_cases),
            failures=str(counts.failures),
            errors=str(counts.errors),
            skipped=str(counts.skipped),
            time=_seconds(summary.total_duration_ms),
            timestamp=result.timestamp,
        )
        properties = ElementTree.SubElement(suite, "properties")
        facts = {"agent": result.agent, "settings": result.settings, "runId": result.run_id}
        said = [(name, value) for name, value in facts.items() if value]
        said += [(name, str(value)) for name, value in run_facts(result.cases).items()]
        for name, value in said:
            ElementTree.SubElement(properties, "property", name=name, value=_clean(value))
        for case in result.cases:
            self._add_case(suite, case)
        if result.staleness_warnings:
            note = ElementTree.SubElement(suite, "system-err")
            note.text = "\n".join(_clean(plain(warning)) for warning in result.staleness_warnings)

    def _add_case(self, suite: ElementTree.Element, case: CaseResult) -> None:
        line = self._line_of(case.key)
        element = ElementTree.SubElement(
            suite,
            "testcase",
            name=_clean(f"{case.key.case} {case.description}".strip()),
            classname=_clean(case.key.suite),
            time=_seconds(case.duration_ms),
            file=_clean(case.key.suite),
        )
        if line:
            element.set("line", str(line))
        tag = _TAGS.get(case.status)
        if muted := self._mutes.reason(case):
            skipped = ElementTree.SubElement(element, "skipped", message=_clean(f"muted: {muted}"))
            skipped.text = _clean(case.error)
        elif tag is not None:
            ElementTree.SubElement(element, tag, message=_clean(case.error))
        if facts := case_facts(case):
            # Properties of a test case are not in the schema that most readers follow.
            figures = [f"{name}={value}" for name, value in facts.items()]
            out = ElementTree.SubElement(element, "system-out")
            out.text = "\n".join([f"attempts passed: {rate_text(case)}", *figures])


_TAGS = {
    CaseStatus.FAILED: "failure",
    CaseStatus.ERROR: "error",
    CaseStatus.SKIPPED: "skipped",
}


class _Counts(NamedTuple):
    """Of a suite, as JUnit tells them apart: what is muted is among the skipped."""

    failures: int
    errors: int
    skipped: int

    @classmethod
    def of(cls, result: SuiteResult, mutes: Mutes) -> Self:
        whole, counting = result.summary, summarize(mutes.counting(result.cases))
        muted = whole.failed - counting.failed
        failures = counting.failed - counting.errored
        return cls(failures, counting.errored, whole.skipped_cases + muted)


def _seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.3f}"


def _clean(text: str) -> str:
    """Text with what XML cannot hold, and what would act on a terminal, spelled out."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", "\n".join(plain_lines(text)))
