"""What is wrong, or proves nothing, in an eval file that can be read."""

from collections.abc import Iterator

from evaltui.core.case import Case
from evaltui.core.errors import Problem, Severity
from evaltui.core.suite import Suite
from evaltui.expectations import lint_expect, lint_tokens
from evaltui.expectations.contract import contract_plan
from evaltui.expectations.finding import Finding
from evaltui.expectations.pattern import validate_pattern
from evaltui.expectations.response_pattern import ResponseMatches
from evaltui.expectations.tokens import find_tokens
from evaltui.expectations.tool_params import ToolParam
from evaltui.expectations.verdicts import Invalid


def lint_suite(suite: Suite) -> list[Problem]:
    """Findings in file order; errors are what fails its case whatever the agent answers."""
    problems: list[Problem] = []
    first_with: dict[str, Case] = {}
    for index, case in enumerate(suite.cases):
        findings = [*_errors(case), *lint_expect.findings(case), *lint_tokens.findings(case)]
        prompt = " ".join(case.message.split())
        first = first_with.setdefault(prompt, case)
        if first is not case and prompt:
            findings.append(
                Finding(
                    "input.message",
                    f"same prompt as case `{first.id}`",
                    "Ask something else, or merge the two cases.",
                    "duplicate-prompt",
                )
            )
        problems += [_problem(suite, index, case, finding) for finding in findings]
    return problems


def _errors(case: Case) -> Iterator[Finding]:
    """The plan is what judges, so it is also what says which expectations cannot be judged."""
    if case.invalid:
        return  # Whoever read the file has already said so.
    for stage in contract_plan(case):
        for check in stage:
            match check:
                case Invalid():
                    key = f"expect.{check.key}" if check.key else "expect"
                    what = f"`{check.name}` {check.what}" if check.key else check.what
                    yield Finding(key, what, check.hint, check.code, Severity.ERROR)
                case ResponseMatches(pattern=pattern, label=label):
                    yield from _pattern(f"expect.{label}", pattern)
                case ToolParam(assertion="matches", value=(pattern,), label=label):
                    if not find_tokens(pattern):
                        yield from _pattern(f"expect.{label.split(' ')[0]}.value", pattern)


def _pattern(key: str, pattern: str) -> Iterator[Finding]:
    complaint = validate_pattern(pattern)
    if complaint is not None:
        hint = "Patterns are JavaScript's, without flags: no (?i), and (?<name>…) for groups."
        what = f"invalid pattern: {complaint}"
        yield Finding(key, what, hint, "invalid-pattern", Severity.ERROR)


def _problem(suite: Suite, index: int, case: Case, finding: Finding) -> Problem:
    return Problem(
        file=suite.id,
        what=f"Case `{case.id}`: {finding.what}",
        hint=finding.hint,
        line=case.line,
        key=f"cases[{index}].{finding.key}",
        severity=finding.severity,
        code=finding.code,
        case=case.id,
    )
