"""How a contract assertion says what it found: verdicts whose reasons begin with its key."""

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.check import CheckContext
from evaltui.core.json_value import Json
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.expectations.contract_config import EMPTY
from evaltui.expectations.javascript import json_stringify
from evaltui.expectations.tokens import unresolved_tokens

EXCERPT = 200
"""Characters of a long text that a verdict shows; the response itself is kept once, elsewhere."""


class Labelled(Protocol):
    """A check with a name and a label: whose verdict it is."""

    @property
    def name(self) -> str: ...
    @property
    def label(self) -> str: ...


def passed(
    check: Labelled, reason: str, expected: Json, actual: Json, more: Mapping[str, Json] = EMPTY
) -> Verdict:
    return _verdict(check, VerdictStatus.PASSED, reason, expected, actual, more)


def failed(
    check: Labelled,
    reason: str,
    expected: Json,
    actual: Json,
    more: Mapping[str, Json] = EMPTY,
    category: str = "assertion",
) -> Verdict:
    return _verdict(check, VerdictStatus.FAILED, reason, expected, actual, more, category)


def skipped(
    check: Labelled, reason: str, expected: Json, more: Mapping[str, Json] = EMPTY
) -> Verdict:
    return _verdict(check, VerdictStatus.SKIPPED, f"skipped, {reason}", expected, None, more)


def _verdict(
    check: Labelled,
    status: VerdictStatus,
    reason: str,
    expected: Json,
    actual: Json,
    more: Mapping[str, Json],
    category: str = "",
) -> Verdict:
    return Verdict(
        check.name,
        status,
        f"{check.name}: {reason}",
        check.label,
        evidence={"expected": expected, "actual": actual, **more},
        category=category,
    )


def skipped_unresolved(
    check: Labelled,
    expected: Json,
    raw: list[str],
    context: CheckContext,
    more: Mapping[str, Json] = EMPTY,
) -> Verdict:
    """Skipped because `raw`, values as written, hold tokens that lead to nothing (17 to 20)."""
    reason = "warning: " + "; ".join(dict.fromkeys(why_unresolved(text, context) for text in raw))
    return replace(skipped(check, reason, expected, more), skipped_tokens=tuple(raw))


def why_unresolved(text: str, context: CheckContext) -> str:
    """Names the tokens of `text` without a value and says where the value is missing."""
    tokens = unresolved_tokens(text, context.seed, context.snapshot)
    names = ", ".join(f"`{token}`" for token in dict.fromkeys(tokens))
    source = tokens[0].source if tokens else "seed"
    if source == "snapshot":
        absent = context.snapshot is None
        place = "no snapshot was captured" if absent else "the snapshot has no such value"
    else:
        absent = context.seed is None
        place = "there is no seed manifest" if absent else "the seed manifest has no such value"
    return f"{names} could not be resolved: {place}"


def shorten(text: str, size: int = EXCERPT) -> str:
    """The beginning of a long text, with the number of characters left out."""
    if len(text) <= size:
        return text
    return f"{text[:size]}… ({len(text) - size} more characters)"


def around(text: str, start: int, length: int) -> str:
    """The surroundings of a hit in a long text."""
    if len(text) <= EXCERPT:
        return text
    left = max(0, start - EXCERPT // 4)
    right = min(len(text), start + length + EXCERPT // 4)
    excerpt = shorten(text[left:right], 2 * EXCERPT)
    return f"{'…' if left else ''}{excerpt}{'…' if right < len(text) else ''}"


def as_json(value: Json) -> str:
    """A value in a sentence, shortened."""
    return shorten(json_stringify(value))


class Invalid(Struct, frozen=True):
    """An expectation that cannot be judged: it fails its case, and lint shows it as an error."""

    name: str
    label: str
    what: str
    """What is wrong, without the assertion's key."""
    hint: str
    key: str
    """Key path below `expect`, e.g. `toolParams[0].assertion`; empty for `expect` itself."""
    written: Json = None
    code: str = "invalid-expectation"

    def run(self, context: CheckContext) -> Verdict:  # noqa: ARG002  (the same for every response)
        return failed(self, f"{self.what}. {self.hint}", self.written, None, category="type_error")
