"""responseMatches: patterns that the response must match."""

from collections.abc import Awaitable, Iterator
from typing import ClassVar

from evaltui.core.check import Check, CheckContext
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.verdict import Verdict
from evaltui.expectations.assertion import Assertion, Shows, Written
from evaltui.expectations.doubts import Finding, bad_pattern, text_list
from evaltui.expectations.pattern_verdict import Match
from evaltui.expectations.read_value import not_a_list, not_a_text, texts_below


class ResponseMatches(Assertion, frozen=True):
    """One of them, in JavaScript's dialect; tokens mean nothing in it (requirement 16)."""

    name: ClassVar[str] = "responseMatches"
    schema: ClassVar[JsonObject] = {
        "type": "array",
        "items": {"type": "string", "format": "regex"},
        "description": "The response matches each of these JavaScript patterns, without flags.",
    }
    shows: ClassVar[Shows] = Shows.DATA
    is_for_labeled: ClassVar[bool] = True

    pattern: str
    label: str

    @classmethod
    def read(cls, written: Written) -> Iterator[Check]:
        key, value = cls.name, written.value
        if isinstance(value, str):
            value = [value]
        if not isinstance(value, list | tuple):
            yield not_a_list(key, value, 'Write a list of patterns: ["\\\\d+ degrees"].')
            return
        for index, pattern in enumerate(value):
            label = f"{key}[{index}]"
            if isinstance(pattern, str):
                yield cls(pattern, label)
            else:
                yield not_a_text(key, label, label, pattern)

    def run(self, context: CheckContext) -> Verdict | Awaitable[Verdict]:
        return Match(self, self.pattern, context.response.text, "response").judge()

    @classmethod
    def texts(cls, value: Json) -> Iterator[tuple[str, str]]:
        return texts_below(cls.name, value)

    @classmethod
    def doubts(cls, written: Written) -> Iterator[Finding]:
        for check in cls.read(written):
            if isinstance(check, cls):
                yield from bad_pattern(f"expect.{check.label}", check.pattern)
        for finding in text_list(cls.name, written.value):
            if finding.code != "value-not-text":  # It is not compared at all, as `read` says.
                yield finding
