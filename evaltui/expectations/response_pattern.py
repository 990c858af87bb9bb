"""responseMatches, and the judging of one pattern that toolParams shares."""

from collections.abc import Awaitable, Iterator, Mapping

from msgspec import Struct

from evaltui.core.case import Case
from evaltui.core.check import Check, CheckContext
from evaltui.core.json_value import Json
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.expectations.contract_config import EMPTY, ContractConfig
from evaltui.expectations.expected_texts import not_a_list, not_a_text
from evaltui.expectations.pattern import LIMIT_S, find_pattern, find_quickly
from evaltui.expectations.verdicts import failed, passed, shorten


class Match(Struct, frozen=True):
    """A pattern, the text it is tried on, and how the verdict is to be worded."""

    check: str
    label: str
    pattern: str
    text: str
    subject: str
    """What the text is, in a sentence: `response`."""
    more: Mapping[str, Json]

    def judge(self) -> Verdict | Awaitable[Verdict]:
        """At once where it cannot take long; otherwise in another process, with a limit."""
        found = find_quickly(self.pattern, self.text)
        return self._in_process() if found is None else self._verdict(found)

    async def _in_process(self) -> Verdict:
        from evaltui.expectations import pattern_process

        try:
            return self._verdict(await find_pattern(self.pattern, self.text))
        except pattern_process.PatternInvalid as error:
            reason = f"invalid pattern /{shorten(self.pattern)}/: {error}"
            return self._failed(reason, "parse_error")
        except pattern_process.PatternTimeout:
            reason = (
                f"pattern /{shorten(self.pattern)}/ did not finish within {LIMIT_S:g} s "
                f"(catastrophic backtracking); write it without nested repetition"
            )
            return self._failed(reason, "timeout")
        except pattern_process.PatternCrash as error:
            reason = f"{self.check}: pattern /{shorten(self.pattern)}/ could not be tried: {error}"
            evidence = {"expected": self.pattern, "actual": shorten(self.text), **self.more}
            status = VerdictStatus.ERROR
            return Verdict(
                self.check, status, reason, self.label, evidence=evidence, category="judge_error"
            )

    def _verdict(self, found: bool) -> Verdict:
        pattern = f"/{shorten(self.pattern)}/"
        if not found:
            return self._failed(f"expected {self.subject} to match {pattern} but it does not")
        said = f"{self.subject} matches {pattern}"
        return passed(self.check, self.label, said, self.pattern, shorten(self.text), self.more)

    def _failed(self, reason: str, category: str = "assertion") -> Verdict:
        actual = shorten(self.text)
        return failed(self.check, self.label, reason, self.pattern, actual, self.more, category)


class ResponseMatches(Struct, frozen=True):
    """One pattern of `responseMatches`; tokens mean nothing in it (requirement 16)."""

    pattern: str
    label: str
    name: str = "responseMatches"

    def run(self, context: CheckContext) -> Verdict | Awaitable[Verdict]:
        return Match(
            self.name, self.label, self.pattern, context.response.text, "response", EMPTY
        ).judge()


def response_matches(value: Json, case: Case, config: ContractConfig) -> Iterator[Check]:  # noqa: ARG001
    key = "responseMatches"
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list | tuple):
        yield not_a_list(key, value, 'Write a list of patterns: ["\\\\d+ degrees"].')
        return
    for index, pattern in enumerate(value):
        label = f"{key}[{index}]"
        if isinstance(pattern, str):
            yield ResponseMatches(pattern, label)
        else:
            yield not_a_text(key, label, label, pattern)
