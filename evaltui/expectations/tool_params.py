"""toolParams: what the first call of a tool was given."""

from collections.abc import Awaitable, Callable, Iterator, Mapping

from msgspec import Struct

from evaltui.core.case import Case
from evaltui.core.check import Check, CheckContext
from evaltui.core.javascript import to_string
from evaltui.core.json_value import Json
from evaltui.core.verdict import Verdict
from evaltui.expectations.contract_config import ContractConfig
from evaltui.expectations.expected_texts import kind_of, scalar_text
from evaltui.expectations.response_pattern import Match
from evaltui.expectations.tokens import UNRESOLVED, Unresolvable, lookup, resolve, sole_token
from evaltui.expectations.verdicts import (
    Invalid,
    as_json,
    failed,
    passed,
    shorten,
    skipped,
    skipped_unresolved,
)

KEY = "toolParams"
ASSERTIONS = ("equals", "contains", "oneOf", "exists", "notExists", "matches")


class ToolParam(Struct, frozen=True):
    """One entry of `toolParams`."""

    tool: str
    param: str
    assertion: str
    """One of ASSERTIONS."""
    value: tuple[str, ...]
    """As written: one text, for `oneOf` any number, none for `exists` and `notExists`."""
    is_list: bool
    """Whether `oneOf` was given a list; a single token may stand for one (contract A15)."""
    label: str
    name: str = KEY

    def run(self, context: CheckContext) -> Verdict | Awaitable[Verdict]:
        more: dict[str, Json] = {"tool": self.tool, "param": self.param}
        calls = context.response.tool_calls
        call = next((call for call in calls if call.name == self.tool), None)
        written = self.value[0] if len(self.value) == 1 and not self.is_list else list(self.value)
        if call is None:
            return skipped(KEY, self.label, f"`{self.tool}` was not called", written, more)
        if call.params is None:
            reason = f"the agent did not report `params` of `{self.tool}`"
            return failed(KEY, self.label, reason, written, None, more, "contract_violation")
        sent = self.param in call.params
        actual = call.params.get(self.param)
        if self.assertion in ("exists", "notExists"):
            return self._presence(sent, actual, more)
        expected = self._expected(context)
        if expected is UNRESOLVED:
            raw = [
                t for t in self.value if resolve(t, context.seed, context.snapshot) is UNRESOLVED
            ]
            return skipped_unresolved(KEY, self.label, written, raw, context, more)
        if not sent:
            reason = f"{self._subject} was not sent"
            return failed(KEY, self.label, reason, self._shown(expected), None, more)
        return self._compare(expected, actual, more)

    def _expected(self, context: CheckContext) -> "list[str] | Unresolvable":
        token = None if self.is_list or self.assertion != "oneOf" else sole_token(self.value[0])
        if token is not None:
            members = lookup(token, context.seed, context.snapshot)
            if isinstance(members, list | tuple):
                return [to_string(member) for member in members]
        expected: list[str] = []
        for text in self.value:
            resolved = resolve(text, context.seed, context.snapshot)
            if resolved is UNRESOLVED:
                return UNRESOLVED
            expected.append(resolved)
        return expected

    def _presence(self, sent: bool, actual: Json, more: Mapping[str, Json]) -> Verdict:
        """`null` counts as sent (contract A19)."""
        wanted = self.assertion == "exists"
        expected = "sent" if wanted else "not sent"
        if sent is wanted:
            said = f"{self._subject} was {expected}"
            return passed(KEY, self.label, said, expected, actual, more)
        got = f"was sent as {as_json(actual)}" if sent else "was not sent"
        reason = f"expected {self._subject} to be {expected} but it {got}"
        return failed(KEY, self.label, reason, expected, actual, more)

    def _compare(
        self, expected: list[str], actual: Json, more: Mapping[str, Json]
    ) -> Verdict | Awaitable[Verdict]:
        text = to_string(actual)
        if self.assertion == "matches":
            return Match(KEY, self.label, expected[0], text, self._subject, more).judge()
        if self.assertion == "equals":
            holds, wanted = text == expected[0], "to equal"
        elif self.assertion == "contains":
            holds, wanted = expected[0] in text, "to contain"
        else:
            holds, wanted = text in expected, "to be one of"
        shown = self._shown(expected)
        if holds:
            said = f"{self._subject} is '{shorten(text)}'"
            return passed(KEY, self.label, said, shown, actual, more)
        wish = as_json(shown) if self.assertion == "oneOf" else f"'{shorten(expected[0])}'"
        reason = f"expected {self._subject} {wanted} {wish} but got '{shorten(text)}'"
        return failed(KEY, self.label, reason, shown, actual, more)

    @property
    def _subject(self) -> str:
        return f"{self.tool}.{self.param}"

    def _shown(self, expected: list[str]) -> Json:
        return expected if self.assertion == "oneOf" else expected[0]


def tool_params(value: Json, case: Case, config: ContractConfig) -> Iterator[Check]:  # noqa: ARG001
    """A check for each entry; one that cannot be judged fails whether or not the tool is called."""
    if not isinstance(value, list | tuple):
        what = f"expected a list of assertions but it is {kind_of(value)}"
        hint = "Write a list of {tool, paramName, assertion, value}."
        yield Invalid(KEY, KEY, what, hint, KEY, value)
        return
    for index, entry in enumerate(value):
        yield _entry(entry, f"{KEY}[{index}]")


def _entry(entry: Json, path: str) -> Check:
    def invalid(field: str, what: str, hint: str, code: str = "invalid-expectation") -> Invalid:
        key = f"{path}.{field}" if field else path
        return Invalid(KEY, path, what, hint, key, entry, code)

    if not isinstance(entry, Mapping):
        what = f"expected an object but `{path}` is {kind_of(entry)}"
        return invalid("", what, "Write {tool, paramName, assertion, value}.")
    for field in ("tool", "paramName"):
        if not isinstance(entry.get(field), str):
            what = f"`{path}.{field}` is {kind_of(entry[field]) if field in entry else 'missing'}"
            return invalid(field, what, "Write its name as a text.")
    tool, param, assertion = str(entry["tool"]), str(entry["paramName"]), entry.get("assertion")
    if not isinstance(assertion, str) or assertion not in ASSERTIONS:
        what = f"unknown assertion {as_json(assertion)} in `{path}`"
        return invalid(
            "assertion", what, f"Use one of {', '.join(ASSERTIONS)}.", "unknown-assertion"
        )
    label = f"{path} {tool}.{param} {assertion}"
    if assertion in ("exists", "notExists"):
        return ToolParam(tool, param, assertion, (), False, label)
    return _with_value(entry.get("value"), tool, param, assertion, label, path, invalid)


def _with_value(
    value: Json,
    tool: str,
    param: str,
    assertion: str,
    label: str,
    path: str,
    invalid: Callable[..., Invalid],
) -> Check:
    if value is None:
        what = f"`{assertion}` needs a value but `{path}.value` is missing"
        return invalid("value", what, "Write what the parameter is compared with.", "missing-value")
    is_list = isinstance(value, list | tuple)
    if assertion == "oneOf" and isinstance(value, list | tuple):
        texts = [scalar_text(member) for member in value]
        if not texts:
            what = f"`{path}.value` is an empty list, so nothing could be one of it"
            return invalid("value", what, "Name at least one value.")
    else:
        texts = [scalar_text(value)]
    if any(text is None for text in texts):
        what = f"`{path}.value` of `{assertion}` is {kind_of(value)} that cannot be compared"
        hint = "Write texts, numbers or booleans; only `oneOf` takes a list."
        return invalid("value", what, hint)
    return ToolParam(
        tool, param, assertion, tuple(t for t in texts if t is not None), is_list, label
    )
