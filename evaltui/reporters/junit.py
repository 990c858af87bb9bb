"""JUnit XML: a `testsuite` an eval file, failures and errors told apart."""

import re
from xml.etree import ElementTree

from evaltui.core.result import CaseResult, CaseStatus, SuiteResult
from evaltui.reporters.ansi import plain, plain_lines
from evaltui.reporters.trials import case_facts, rate_text, run_facts
from evaltui.reporters.written_at_end import WrittenAtEnd

_NOT_XML = re.compile("[\ufffe\uffff]")


class JunitReporter(WrittenAtEnd):
    """Written at the end; times are in seconds."""

    def close(self) -> None:
        results = [suite for run in self._runs for suite in run.suites]
        root = ElementTree.Element(
            "testsuites",
            name="evaltui",
            tests=str(sum(result.summary.total_cases for result in results)),
            failures=str(sum(_failures(result) for result in results)),
            errors=str(sum(result.summary.errored for result in results)),
            skipped=str(sum(result.summary.skipped_cases for result in results)),
            time=_seconds(sum(result.summary.total_duration_ms for result in results)),
        )
        for result in results:
            self._add_suite(root, result)
        ElementTree.indent(root)
        self._out.write('<?xml version="1.0" encoding="utf-8"?>\n')
        self._out.write(ElementTree.tostring(root, encoding="unicode") + "\n")
        self._out.flush()

    def _add_suite(self, root: ElementTree.Element, result: SuiteResult) -> None:
        summary = result.summary
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=_clean(result.suite),
            tests=str(summary.total_cases),
            failures=str(_failures(result)),
            errors=str(summary.errored),
            skipped=str(summary.skipped_cases),
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
        if tag is not None:
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


def _failures(result: SuiteResult) -> int:
    return result.summary.failed - result.summary.errored


def _seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.3f}"


def _clean(text: str) -> str:
    """Text with what XML cannot hold, and what would act on a terminal, spelled out."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", "\n".join(plain_lines(text)))
