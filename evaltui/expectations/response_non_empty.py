"""responseNonEmpty: there is a response."""

from collections.abc import Iterator
from typing import ClassVar

from evaltui.core.check import Check, CheckContext
from evaltui.core.json_value import JsonObject
from evaltui.core.verdict import Verdict
from evaltui.expectations.assertion import Assertion, Written
from evaltui.expectations.javascript import trim
from evaltui.expectations.read_value import flag
from evaltui.expectations.verdicts import Invalid, failed, passed, shorten


class ResponseNonEmpty(Assertion, frozen=True):
    """Something is left of the response after JavaScript's `trim` (contract A37)."""

    name: ClassVar[str] = "responseNonEmpty"
    schema: ClassVar[JsonObject] = {
        "type": "boolean",
        "description": "The response is not blank.",
    }

    @classmethod
    def read(cls, written: Written) -> Iterator[Check]:
        is_asserted = flag(cls.name, written.value)
        if isinstance(is_asserted, Invalid):
            yield is_asserted
        elif is_asserted:
            yield cls()

    def run(self, context: CheckContext) -> Verdict:
        text = context.response.text
        if trim(text):
            return passed(self, "there is a response", True, shorten(text))
        reason = "the response is empty" if not text else "the response is only white space"
        return failed(self, reason, True, text)
