"""What a judge found in one trace, in words; the same reason is always worded alike."""

import json
from collections.abc import Awaitable, Mapping
from inspect import isawaitable

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.check import Check, CheckContext
from evaltui.core.json_value import Json
from evaltui.core.verdict import Verdict

LONGEST = 300
"""Characters; the evidence has all of it."""
_NOT_WRONG = frozenset({"used_tools", "calls_checked", "measured"})
"""Keys of evidence that say what was looked at."""


class InWords(Struct, frozen=True):
    """A judge whose failures name what was found: `policy violations: forbidden tools used x`."""

    judge: Check

    @property
    def name(self) -> str:
        return self.judge.name

    def run(self, context: CheckContext) -> Verdict | Awaitable[Verdict]:
        answer = self.judge.run(context)
        return self._awaited(answer) if isawaitable(answer) else in_words(answer)

    async def _awaited(self, answer: Awaitable[Verdict]) -> Verdict:
        return in_words(await answer)


def in_words(verdict: Verdict) -> Verdict:
    """With what stands in the evidence of a failure behind its reason."""
    if not verdict.gates:
        return verdict
    found = [
        f"{key.replace('_', ' ')} {_value_in_words(value)}"
        for key, value in _in_order(verdict.evidence)
        if key not in _NOT_WRONG and value not in ([], {}, None, "")
    ]
    what = verdict.reason.removesuffix(" detected")
    said = f"{what}: {'; '.join(found)}" if found else verdict.reason
    return replace(verdict, reason=said if len(said) <= LONGEST else f"{said[: LONGEST - 1]}…")


def _in_order(found: Mapping[str, Json]) -> list[tuple[str, Json]]:
    """What was expected first; the rest by name, as packs of evidence have it."""
    return sorted(found.items(), key=lambda one: (one[0] != "expected", one[0]))


def _value_in_words(value: Json) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        parts = (
            f"{key.replace('_', ' ')} {_value_in_words(one)}"
            for key, one in _in_order(value)
            if one != []
        )
        return ", ".join(parts)
    if isinstance(value, list | tuple):
        return ", ".join(_value_in_words(one) for one in value)
    return json.dumps(value, ensure_ascii=False)
