"""responseNonEmpty, responseContains, responseContainsAny, responseNotContains."""

from collections.abc import Iterator

from msgspec import Struct

from evaltui.core.case import Case
from evaltui.core.check import Check, CheckContext
from evaltui.core.javascript import trim
from evaltui.core.json_value import Json
from evaltui.core.verdict import Verdict
from evaltui.expectations.contract_config import EMPTY, ContractConfig
from evaltui.expectations.expected_texts import kind_of, not_a_list, not_a_text, scalar_text
from evaltui.expectations.tokens import UNRESOLVED, resolve
from evaltui.expectations.verdicts import (
    Invalid,
    around,
    as_json,
    failed,
    passed,
    shorten,
    skipped,
    skipped_unresolved,
)


class NonEmpty(Struct, frozen=True):
    """Something is left of the response after JavaScript's `trim` (contract A37)."""

    name: str = "responseNonEmpty"
    label: str = "responseNonEmpty"

    def run(self, context: CheckContext) -> Verdict:
        text = context.response.text
        if trim(text):
            return passed(self.name, self.label, "there is a response", True, shorten(text))
        reason = "the response is empty" if not text else "the response is only white space"
        return failed(self.name, self.label, reason, True, text)


class Contains(Struct, frozen=True):
    """One value of `responseContains`; case matters."""

    value: str
    label: str
    name: str = "responseContains"

    def run(self, context: CheckContext) -> Verdict:
        expected = resolve(self.value, context.seed, context.snapshot)
        if expected is UNRESOLVED:
            return skipped_unresolved(self.name, self.label, self.value, [self.value], context)
        text = context.response.text
        at = text.find(expected)
        if at < 0:
            reason = f"expected '{shorten(expected)}' in response but not found"
            return failed(self.name, self.label, reason, expected, shorten(text))
        said = f"found '{shorten(expected)}' in response"
        return passed(self.name, self.label, said, expected, around(text, at, len(expected)))


class ContainsAny(Struct, frozen=True):
    """One group of `responseContainsAny`: any member will do; unresolved members drop out."""

    group: tuple[str, ...]
    label: str
    name: str = "responseContainsAny"

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
                return skipped(self.name, self.label, "warning: the group is empty", [])
            return skipped_unresolved(self.name, self.label, list(self.group), unresolved, context)
        more = {"skippedTokens": unresolved} if unresolved else EMPTY
        text = context.response.text
        for value in expected:
            at = text.find(value)
            if at >= 0:
                said = f"found '{shorten(value)}' in response"
                shown = around(text, at, len(value))
                return passed(self.name, self.label, said, expected, shown, more)
        reason = f"expected any of {as_json(expected)} in response but found none"
        return failed(self.name, self.label, reason, expected, shorten(text), more)


class NotContains(Struct, frozen=True):
    """One value of `responseNotContains`; case matters."""

    value: str
    label: str
    name: str = "responseNotContains"

    def run(self, context: CheckContext) -> Verdict:
        expected = resolve(self.value, context.seed, context.snapshot)
        if expected is UNRESOLVED:
            return skipped_unresolved(self.name, self.label, self.value, [self.value], context)
        text = context.response.text
        at = text.find(expected)
        if at >= 0:
            reason = f'found "{shorten(expected)}" in response'
            return failed(self.name, self.label, reason, expected, around(text, at, len(expected)))
        said = f'"{shorten(expected)}" is not in response'
        return passed(self.name, self.label, said, expected, shorten(text))


def response_non_empty(value: Json, case: Case, config: ContractConfig) -> Iterator[Check]:  # noqa: ARG001
    if value is True:
        yield NonEmpty()
    elif value is not False:
        key = "responseNonEmpty"
        what = f"expected true or false but it is {kind_of(value)}"
        yield Invalid(key, key, what, "Write true to assert it.", key, value)


def response_contains(value: Json, case: Case, config: ContractConfig) -> Iterator[Check]:  # noqa: ARG001
    """A check for each value; a bare text is a list of one (contract A34)."""
    for label, text in _members("responseContains", value):
        yield Contains(text, label) if isinstance(text, str) else text


def response_not_contains(value: Json, case: Case, config: ContractConfig) -> Iterator[Check]:  # noqa: ARG001
    for label, text in _members("responseNotContains", value):
        yield NotContains(text, label) if isinstance(text, str) else text


def response_contains_any(value: Json, case: Case, config: ContractConfig) -> Iterator[Check]:  # noqa: ARG001
    """A check for each group; a flat list is one group (contract A34)."""
    key = "responseContainsAny"
    if isinstance(value, str):
        value = [[value]]
    if not isinstance(value, list | tuple):
        yield not_a_list(key, value, 'Write groups: [["sunny", "clear"]].')
        return
    if value and not any(isinstance(group, list | tuple) for group in value):
        value = [value]
        flat = True
    else:
        flat = False
    for index, group in enumerate(value):
        label = f"{key}[{index}]"
        members = group if isinstance(group, list | tuple) else [group]
        texts: list[str] = []
        for position, member in enumerate(members):
            text = scalar_text(member)
            if text is None:
                path = f"{key}[{position}]" if flat else f"{label}[{position}]"
                yield not_a_text(key, label, path, member)
                break
            texts.append(text)
        else:
            yield ContainsAny(tuple(texts), label)


def _members(key: str, value: Json) -> Iterator[tuple[str, str | Invalid]]:
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list | tuple):
        yield key, not_a_list(key, value, 'Write a list of texts: ["22 degrees"].')
        return
    for index, member in enumerate(value):
        label = f"{key}[{index}]"
        text = scalar_text(member)
        yield label, not_a_text(key, label, label, member) if text is None else text
