"""From a case's `expect` to the plan that judges it."""

from evaltui.core.case import Case
from evaltui.core.check import Check, Plan
from evaltui.expectations import ASSERTIONS
from evaltui.expectations.assertion import Written
from evaltui.expectations.contract_config import ContractConfig
from evaltui.expectations.verdicts import Invalid

_DEFAULT = ContractConfig()


def contract_plan(case: Case, *, config: ContractConfig = _DEFAULT) -> Plan:
    """One stage for each counted thing, in the contract's order (requirement 25, A31).

    Runs to the first failure. `{}` makes an empty plan: nothing asserted. A case that cannot be
    judged gets a plan that fails with the reason (A42).
    """
    if case.invalid:
        return ((_unjudgeable(case.invalid, "Correct the case in its file."),),)
    if case.expect is None:
        if not case.body.needs_expect:
            return ()
        return ((_unjudgeable("the case has no `expect`", "Add one, {} asserts nothing."),),)
    expect = case.expect
    stages: list[tuple[Check]] = []
    for key, assertion in ASSERTIONS.items():
        if key in expect and (value := expect[key]) is not None:
            stages += zip(assertion.read(Written(value, case, config)))  # each check by itself
    return tuple(stages)


def _unjudgeable(what: str, hint: str) -> Check:
    return Invalid("expect", "expect", what.rstrip("."), hint, "", code="no-expect")
