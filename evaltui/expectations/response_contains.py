"""responseContains: texts that must be in the response."""

from collections.abc import Iterator
from typing import ClassVar

from evaltui.core.check import Check, CheckContext
from evaltui.core.expected import Expected
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.verdict import Verdict
from evaltui.expectations.assertion import Assertion, Shows, Written
from evaltui.expectations.doubts import Finding, echoes, text_list
from evaltui.expectations.read_value import TEXTS, is_blank, texts_below, texts_in
from evaltui.expectations.tokens import UNRESOLVED, find_tokens, resolve
from evaltui.expectations.verdicts import around, failed, passed, shorten, skipped_unresolved


class ResponseContains(Assertion, frozen=True):
    """One of them; case matters."""

    name: ClassVar[str] = "responseContains"
    schema: ClassVar[JsonObject] = {
        **TEXTS,
        "description": "Each of these texts must be in the response; case matters.",
    }
    shows: ClassVar[Shows] = Shows.DATA
    replaces_tokens_in: ClassVar[str] = "responseContains"

    value: str
    label: str

    @classmethod
    def read(cls, written: Written) -> Iterator[Check]:
        for label, text in texts_in(cls.name, written.value):
            yield cls(text, label) if isinstance(text, str) else text

    def run(self, context: CheckContext) -> Verdict:
        expected = resolve(self.value, context.seed, context.snapshot)
        if expected is UNRESOLVED:
            return skipped_unresolved(self, self.value, [self.value], context)
        text = context.response.text
        at = text.find(expected)
        if at < 0:
            reason = f"expected '{shorten(expected)}' in response but not found"
            return failed(self, reason, expected, shorten(text))
        said = f"found '{shorten(expected)}' in response"
        return passed(self, said, expected, around(text, at, len(expected)))

    def is_emptied(self, verdict: Verdict) -> bool:
        """Nearly any answer contains a text without letters."""
        is_empty = is_blank(verdict.evidence.get("expected")) and not is_blank(self.value)
        return is_empty or super().is_emptied(verdict)

    @classmethod
    def texts(cls, value: Json) -> Iterator[tuple[str, str]]:
        return texts_below(cls.name, value)

    @classmethod
    def disclosed(cls, value: Json) -> Expected:
        texts = [text for _, text in cls.texts(value)]
        return Expected(output=texts[0] if len(texts) == 1 and not find_tokens(texts[0]) else None)

    @classmethod
    def doubts(cls, written: Written) -> Iterator[Finding]:
        yield from text_list(cls.name, written.value)
        yield from echoes(cls.name, written.value, written.case.message)
