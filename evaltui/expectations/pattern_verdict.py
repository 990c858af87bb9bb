"""The verdict on one pattern and one text, at once or from another process."""

from collections.abc import Awaitable, Mapping

from msgspec import Struct

from evaltui.core.json_value import Json
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.expectations.contract_config import EMPTY
from evaltui.expectations.pattern import LIMIT_S, find_pattern, find_quickly
from evaltui.expectations.verdicts import Labelled, failed, passed, shorten


class Match(Struct, frozen=True):
    """A pattern, the text it is tried on, and how the verdict is to be worded."""

    check: Labelled
    pattern: str
    text: str
    subject: str
    """What the text is, in a sentence: `response`."""
    more: Mapping[str, Json] = EMPTY

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
            name, pattern = self.check.name, shorten(self.pattern)
            return Verdict(
                name,
                VerdictStatus.ERROR,
                f"{name}: pattern /{pattern}/ could not be tried: {error}",
                self.check.label,
                evidence={"expected": self.pattern, "actual": shorten(self.text), **self.more},
                category="judge_error",
            )

    def _verdict(self, found: bool) -> Verdict:
        pattern = f"/{shorten(self.pattern)}/"
        if not found:
            return self._failed(f"expected {self.subject} to match {pattern} but it does not")
        said = f"{self.subject} matches {pattern}"
        return passed(self.check, said, self.pattern, shorten(self.text), self.more)

    def _failed(self, reason: str, category: str = "assertion") -> Verdict:
        return failed(self.check, reason, self.pattern, shorten(self.text), self.more, category)
