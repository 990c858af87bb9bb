"""responseContainsAny: groups of texts, one of each must be in the response."""

from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from evaltui.core.check import Check, CheckContext
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.verdict import Verdict
from evaltui.expectations.assertion import Assertion, Shows, Written
from evaltui.expectations.doubts import ECHO_HINT, Finding, empty_list, is_echo, odd_members
from evaltui.expectations.read_value import (
    TEXTS,
    is_blank,
    not_a_list,
    not_a_text,
    scalar_text,
    texts_below,
)
from evaltui.expectations.tokens import UNRESOLVED, resolve
from evaltui.expectations.verdicts import (
    around,
    as_json,
    failed,
    passed,
    shorten,
    skipped,
    skipped_unresolved,
)


class ResponseContainsAny(Assertion, frozen=True):
    """One group: any member will do; unresolved members drop out."""

    name: ClassVar[str] = "responseContainsAny"
    schema: ClassVar[JsonObject] = {
        "type": "array",
        "items": dict(TEXTS),
        "description": "At least one text of each group must be in the response; case matters.",
    }
    shows: ClassVar[Shows] = Shows.DATA
    replaces_tokens_in: ClassVar[str] = "responseContainsAny"

    group: tuple[str, ...]
    label: str

    @classmethod
    def read(cls, written: Written) -> Iterator[Check]:
        """A check for each group; a flat list is one group (contract A34)."""
        key, value = cls.name, written.value
        if isinstance(value, str):
            value = [[value]]
        if not isinstance(value, list | tuple):
            yield not_a_list(key, value, 'Write groups: [["sunny", "clear"]].')
            return
        is_flat = bool(value) and not any(isinstance(group, list | tuple) for group in value)
        for index, group in enumerate([value] if is_flat else value):
            label = f"{key}[{index}]"
            members = group if isinstance(group, list | tuple) else [group]
            texts: list[str] = []
            for position, member in enumerate(members):
                text = scalar_text(member)
                if text is None:
                    path = f"{key}[{position}]" if is_flat else f"{label}[{position}]"
                    yield not_a_text(key, label, path, member)
                    break
                texts.append(text)
            else:
                yield cls(tuple(texts), label)

    def run(self, context: CheckContext) -> Verdict:
        expected: list[str] = []
        unresolved: list[str] = []
        for member in self.group:
            value = resolve(member, context.seed, context.snapshot)
            if value is UNRESOLVED:
                unresolved.append(member)
            else:
                expected.append(value)
        if not expected:
            if not unresolved:
                return skipped(self, "warning: the group is empty", [])
            return skipped_unresolved(self, list(self.group), unresolved, context)
        return replace(self._held(expected, context), skipped_tokens=tuple(unresolved))

    def _held(self, expected: list[str], context: CheckContext) -> Verdict:
        text = context.response.text
        for value in expected:
            at = text.find(value)
            if at >= 0:
                said = f"found '{shorten(value)}' in response"
                return passed(self, said, expected, around(text, at, len(value)))
        reason = f"expected any of {as_json(expected)} in response but found none"
        return failed(self, reason, expected, shorten(text))

    def is_emptied(self, verdict: Verdict) -> bool:
        """Nearly any answer contains a text without letters."""
        expected = verdict.evidence.get("expected")
        found = expected if isinstance(expected, list | tuple) else ()
        is_empty = any(map(is_blank, found)) and not any(map(is_blank, self.group))
        return is_empty or super().is_emptied(verdict)

    @classmethod
    def texts(cls, value: Json) -> Iterator[tuple[str, str]]:
        return texts_below(cls.name, value)

    @classmethod
    def doubts(cls, written: Written) -> Iterator[Finding]:
        path, value = f"expect.{cls.name}", written.value
        groups = value if isinstance(value, list | tuple) else ()
        is_flat = any(not isinstance(group, list | tuple) for group in groups)
        if is_flat or isinstance(value, str):
            has_groups = any(isinstance(group, list | tuple) for group in groups)
            mixed, flat = "a bare text is read as a group", "a flat list is read as one group"
            what = mixed if has_groups else flat
            hint = 'Write a list of groups: [["sunny", "clear"]].'
            yield Finding(path, what, hint, "bare-text")
        for index, group in enumerate(groups):
            where = f"{path}[{index}]"
            if not is_flat and not group:
                what = "an empty group is skipped"
                yield Finding(where, what, "Remove it.", "empty-list")
            elif not is_flat:
                yield from odd_members(where, group)
            if is_echo((text for _, text in texts_below("", group)), written.case.message):
                what = "every text of the group stands in the prompt itself"
                yield Finding(where, what, ECHO_HINT, "prompt-echo")
        yield from empty_list(path, value)
