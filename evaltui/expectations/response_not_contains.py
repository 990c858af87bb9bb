"""responseNotContains: texts that must not be in the response."""

from collections.abc import Iterator
from typing import ClassVar

from evaltui.core.check import Check, CheckContext
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.verdict import Verdict
from evaltui.expectations.assertion import Assertion, Written
from evaltui.expectations.doubts import Finding, text_list
from evaltui.expectations.read_value import TEXTS, texts_below, texts_in
from evaltui.expectations.tokens import UNRESOLVED, misspelled_tokens, resolve
from evaltui.expectations.verdicts import (
    Invalid,
    around,
    failed,
    passed,
    shorten,
    skipped_unresolved,
)


class ResponseNotContains(Assertion, frozen=True):
    """One of them; case matters."""

    name: ClassVar[str] = "responseNotContains"
    schema: ClassVar[JsonObject] = {
        **TEXTS,
        "description": "None of these texts may be in the response; case matters.",
    }
    replaces_tokens_in: ClassVar[str] = "responseNotContains"
    may_hold_braces: ClassVar[bool] = True

    value: str
    label: str

    @classmethod
    def read(cls, written: Written) -> Iterator[Check]:
        for label, text in texts_in(cls.name, written.value):
            if isinstance(text, str):
                yield _unreadable(text, label) or cls(text, label)
            else:
                yield text

    def run(self, context: CheckContext) -> Verdict:
        expected = resolve(self.value, context.seed, context.snapshot)
        if expected is UNRESOLVED:
            return skipped_unresolved(self, self.value, [self.value], context)
        text = context.response.text
        at = text.find(expected)
        if at >= 0:
            reason = f'found "{shorten(expected)}" in response'
            return failed(self, reason, expected, around(text, at, len(expected)))
        return passed(self, f'"{shorten(expected)}" is not in response', expected, shorten(text))

    @classmethod
    def texts(cls, value: Json) -> Iterator[tuple[str, str]]:
        return texts_below(cls.name, value)

    @classmethod
    def doubts(cls, written: Written) -> Iterator[Finding]:
        return text_list(cls.name, written.value)


def _unreadable(text: str, label: str) -> Invalid | None:
    """A token with blanks is literal text: never found, while the secret that it means passes."""
    for written, meant in misspelled_tokens(text).items():
        what = f"`{written}` in `{label}` is not a token, so that what it means would pass unseen"
        return Invalid(ResponseNotContains.name, label, what, f"Write `{meant}`.", label, text)
    return None
