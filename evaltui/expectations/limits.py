"""An upper limit, as two assertions have it."""

from collections.abc import Iterator

from evaltui.core.check import Check
from evaltui.core.json_value import Json
from evaltui.expectations.assertion import Assertion, Written
from evaltui.expectations.contract_config import ContractConfig
from evaltui.expectations.doubts import Finding
from evaltui.expectations.read_value import kind_of
from evaltui.expectations.verdicts import Invalid


class Limit(Assertion, frozen=True):
    """0 asserts nothing (contract A39)."""

    limit: int | float
    config: ContractConfig = ContractConfig()

    @classmethod
    def read(cls, written: Written) -> Iterator[Check]:
        limit = _limit(cls.name, written.value)
        if isinstance(limit, Invalid):
            yield limit
        elif limit:
            yield cls(limit, written.config)

    @classmethod
    def doubts(cls, written: Written) -> Iterator[Finding]:
        limit = _limit(cls.name, written.value)
        if not isinstance(limit, Invalid) and limit <= 0:
            what = "0 asserts no limit" if limit == 0 else "no answer can keep a negative limit"
            hint = "Write a positive limit or remove it."
            yield Finding(f"expect.{cls.name}", what, hint, "zero-limit")


def _limit(key: str, value: Json) -> int | float | Invalid:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    what = f"expected a number but it is {kind_of(value)}"
    return Invalid(key, key, what, "Write the limit as a number.", key, value)
