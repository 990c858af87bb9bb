"""What is wrong, or proves nothing, in an eval file that can be read."""

from collections.abc import Iterable, Iterator

from evaltui.core.case import Case, Tier
from evaltui.core.check import Plan
from evaltui.core.did_you_mean import closest
from evaltui.core.errors import UNKNOWN_KEY, Problem, Severity
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.suite import Suite
from evaltui.expectations import ASSERTIONS, lint_tokens
from evaltui.expectations.assertion import Assertion, Shows, Written
from evaltui.expectations.contract import contract_plan
from evaltui.expectations.doubts import Finding
from evaltui.expectations.mentions import asserted
from evaltui.expectations.verdicts import Invalid


def lint_suite(suite: Suite) -> list[Problem]:
    """Findings in file order; errors are what fails its case whatever the agent answers."""
    problems: list[Problem] = []
    first_with: dict[str, Case] = {}
    for index, case in enumerate(suite.cases):
        findings = [*_findings(case)]
        prompt = " ".join(case.message.split())
        first = first_with.setdefault(prompt, case)
        # The same words may begin any number of cases that something else judges.
        if first is not case and prompt and case.body.has_expect:
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


def _findings(case: Case) -> Iterator[Finding]:
    if not case.invalid:  # Whoever read the file has already said so.
        plan = contract_plan(case)
        errors = [*_errors(plan)]
        yield from errors
        if case.expect is not None:
            is_bare = not plan and not case.body.evaluators
            if is_bare and case.body.has_expect:
                hint = "Say what a good answer is."
                yield Finding("expect", "nothing asserted", hint, "nothing-asserted")
            wrong = {error.key for error in errors}
            yield from (one for one in _doubts(case, case.expect) if one.key not in wrong)
    yield from lint_tokens.findings(case)


def _errors(plan: Plan) -> Iterator[Finding]:
    """The plan is what judges, so it is also what says which expectations cannot be judged."""
    for stage in plan:
        for check in stage:
            if isinstance(check, Invalid):
                key = f"expect.{check.key}" if check.key else "expect"
                what = f"`{check.name}` {check.what}" if check.key else check.what
                yield Finding(key, what, check.hint, check.code, Severity.ERROR)


def _doubts(case: Case, expect: JsonObject) -> Iterator[Finding]:
    """Expectations that work but read wrong or prove nothing."""
    found = tuple(asserted(expect))
    yield from _unknown_keys(expect)
    for assertion, value in found:
        yield from assertion.doubts(Written(value, case))
        if assertion.is_for_labeled and case.tier in (Tier.GOLDEN, Tier.REGRESSION):
            key = assertion.name
            what = f"`{key}` stands in a {case.tier} case; it is meant for labeled ones"
            yield Finding(f"expect.{key}", what, "It is asserted all the same.", "tier-field")
    yield from _proof(case, found)


def _unknown_keys(expect: JsonObject) -> Iterator[Finding]:
    for key in expect:
        if key in ASSERTIONS:
            continue
        near = closest(key, ASSERTIONS)
        hint = f"Did you mean `{near}`?" if near else f"Known are {', '.join(ASSERTIONS)}."
        severity = Severity.ERROR if near else Severity.LINT
        what = f"`{key}` is not an assertion, so it checks nothing"
        yield Finding(f"expect.{key}", what, hint, UNKNOWN_KEY, severity)


def _proof(case: Case, found: Iterable[tuple[type[Assertion], Json]]) -> Iterator[Finding]:
    """A golden case shows data the tool returned; any other at least which tools are right."""
    if any(assertion.wants_no_call(value) for assertion, value in found):
        return
    shown = [assertion.shows for assertion, value in found if value not in (False, [], 0)]
    if case.tier is Tier.GOLDEN and shown and max(shown) < Shows.DATA:
        what = "no proof value: nothing in `expect` shows that the tool's data reached the answer"
        hint = "Add responseContains with a value that only the tool could know."
        yield Finding("expect", what, hint, "no-proof")
    elif shown and max(shown) < Shows.ROUTING:
        what = "no proof value: any polite answer without tools would pass"
        hint = "Assert which tools are called, or what the answer must contain."
        yield Finding("expect", what, hint, "no-proof")


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
