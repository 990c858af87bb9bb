"""toolParams: what the first call of a tool was given."""

from collections.abc import Awaitable, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from evaltui.core.check import Check, CheckContext
from evaltui.core.expected import Expected
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.response import ToolCall
from evaltui.core.verdict import Verdict
from evaltui.expectations.assertion import Assertion, Differences, NamedTools, Shows, Written
from evaltui.expectations.doubts import Finding, bad_pattern, bare_text, empty_list, not_text
from evaltui.expectations.javascript import to_string
from evaltui.expectations.param_diff import ParamDiff
from evaltui.expectations.param_entry import (
    ENTRY_SCHEMA,
    KEY,
    PRESENCE,
    Entry,
    named_entries,
    objects_in,
    read_entry,
)
from evaltui.expectations.param_row import param_row
from evaltui.expectations.pattern_verdict import Match
from evaltui.expectations.read_value import is_blank, kind_of, texts_below
from evaltui.expectations.tokens import (
    UNRESOLVED,
    Unresolvable,
    find_tokens,
    lookup,
    resolve,
    sole_token,
)
from evaltui.expectations.tool_names import names_in
from evaltui.expectations.verdicts import (
    Invalid,
    as_json,
    failed,
    passed,
    shorten,
    skipped,
    skipped_unresolved,
)


class ToolParams(Assertion, frozen=True):
    """One entry."""

    name: ClassVar[str] = KEY
    schema: ClassVar[JsonObject] = {
        "type": "array",
        "items": ENTRY_SCHEMA,
        "description": "Parameters of the first call of a tool; a tool not called is skipped.",
    }
    shows: ClassVar[Shows] = Shows.DATA
    is_for_labeled: ClassVar[bool] = True
    is_in_diff: ClassVar[bool] = True
    replaces_tokens_in: ClassVar[str] = "toolParams values"

    entry: Entry
    label: str

    @classmethod
    def read(cls, written: Written) -> Iterator[Check]:
        """A check for each entry; one that cannot be judged fails though its tool is not called."""
        value = written.value
        if not isinstance(value, list | tuple):
            what = f"expected a list of assertions but it is {kind_of(value)}"
            hint = "Write a list of {tool, paramName, assertion, value}."
            yield Invalid(KEY, KEY, what, hint, KEY, value)
            return
        for index, one in enumerate(value):
            entry = read_entry(one, f"{KEY}[{index}]")
            yield entry if isinstance(entry, Invalid) else cls(entry, entry.label)

    def demands(self) -> Iterable[Json]:
        entry = self.entry
        return [[entry.tool, entry.param, entry.kind, entry.written]]

    def run(self, context: CheckContext) -> Verdict | Awaitable[Verdict]:
        entry = self.entry
        more: dict[str, Json] = {"tool": entry.tool, "param": entry.param}
        call = _first(entry.tool, context.response.tool_calls)
        if call is None:
            return skipped(self, f"`{entry.tool}` was not called", entry.written, more)
        if call.params is None:
            reason = f"the agent did not report `params` of `{entry.tool}`"
            return failed(self, reason, entry.written, None, more, "contract_violation")
        sent = entry.param in call.params
        actual = call.params.get(entry.param)
        if entry.kind in PRESENCE:
            return self._presence(sent, actual, more)
        expected = self._expected(context)
        if expected is UNRESOLVED:
            raw = [
                t for t in entry.texts if resolve(t, context.seed, context.snapshot) is UNRESOLVED
            ]
            return skipped_unresolved(self, entry.written, raw, context, more)
        if not sent:
            reason = f"{entry.subject} was not sent"
            return failed(self, reason, self._shown(expected), None, more)
        return self._compare(expected, actual, more)

    def _expected(self, context: CheckContext) -> "list[str] | Unresolvable":
        entry = self.entry
        token = None if entry.is_list or entry.kind != "oneOf" else sole_token(entry.texts[0])
        if token is not None:
            members = lookup(token, context.seed, context.snapshot)
            if isinstance(members, list | tuple):
                return [to_string(member) for member in members]
        expected: list[str] = []
        for text in entry.texts:
            resolved = resolve(text, context.seed, context.snapshot)
            if resolved is UNRESOLVED:
                return UNRESOLVED
            expected.append(resolved)
        return expected

    def _presence(self, sent: bool, actual: Json, more: Mapping[str, Json]) -> Verdict:
        """`null` counts as sent (contract A19)."""
        wanted = self.entry.kind == "exists"
        expected = "sent" if wanted else "not sent"
        if sent is wanted:
            return passed(self, f"{self.entry.subject} was {expected}", expected, actual, more)
        got = f"was sent as {as_json(actual)}" if sent else "was not sent"
        reason = f"expected {self.entry.subject} to be {expected} but it {got}"
        return failed(self, reason, expected, actual, more)

    def _compare(
        self, expected: list[str], actual: Json, more: Mapping[str, Json]
    ) -> Verdict | Awaitable[Verdict]:
        text, subject, kind = to_string(actual), self.entry.subject, self.entry.kind
        if kind == "matches":
            return Match(self, expected[0], text, subject, more).judge()
        if kind == "equals":
            holds, wanted = text == expected[0], "to equal"
        elif kind == "contains":
            holds, wanted = expected[0] in text, "to contain"
        else:
            holds, wanted = text in expected, "to be one of"
        shown = self._shown(expected)
        if holds:
            return passed(self, f"{subject} is '{shorten(text)}'", shown, actual, more)
        wish = as_json(shown) if kind == "oneOf" else f"'{shorten(expected[0])}'"
        reason = f"expected {subject} {wanted} {wish} but got '{shorten(text)}'"
        return failed(self, reason, shown, actual, more)

    def is_emptied(self, verdict: Verdict) -> bool:
        """Any parameter contains a text without letters, and an empty pattern matches it."""
        is_any = self.entry.kind in ("contains", "matches") and not is_blank(self.entry.written)
        is_empty = is_any and is_blank(verdict.evidence.get("expected"))
        return is_empty or super().is_emptied(verdict)

    def _shown(self, expected: list[str]) -> Json:
        return expected if self.entry.kind == "oneOf" else expected[0]

    @classmethod
    def tools(cls, value: Json) -> NamedTools:
        return NamedTools(wanted=names_in([entry.get("tool") for _, entry in objects_in(value)]))

    @classmethod
    def texts(cls, value: Json) -> Iterator[tuple[str, str]]:
        for index, entry in objects_in(value):
            yield from texts_below(f"{KEY}[{index}].value", entry.get("value"))

    @classmethod
    def disclosed(cls, value: Json) -> Expected:
        required: dict[str, tuple[str, ...]] = {}
        forbidden: dict[str, tuple[str, ...]] = {}
        for _, tool, param, entry in named_entries(value):
            params = forbidden if entry.get("assertion") == "notExists" else required
            params[tool] = (*params.get(tool, ()), param)
        return Expected(required_params=required, forbidden_params=forbidden)

    @classmethod
    def doubts(cls, written: Written) -> Iterator[Finding]:
        yield from empty_list(f"expect.{KEY}", written.value)
        for index, entry in objects_in(written.value):
            path = f"expect.{KEY}[{index}].value"
            value, kind = entry.get("value"), entry.get("assertion")
            if kind == "oneOf" and isinstance(value, str) and not find_tokens(value):
                yield from bare_text(path, value)
            for member in value if isinstance(value, list | tuple) else [value]:
                yield from not_text(path, member)
        for check in cls.read(written):
            if isinstance(check, cls) and check.entry.kind == "matches":
                (pattern,) = check.entry.texts
                if not find_tokens(pattern):
                    yield from bad_pattern(f"expect.{check.label.split(' ')[0]}.value", pattern)

    @classmethod
    def differences(
        cls, written: Written, calls: Sequence[ToolCall], verdicts: Sequence[Verdict]
    ) -> Differences:
        """A row for each entry that names a tool and a parameter.

        The verdict decides where there is one. Judging stops at the first failure, so later
        entries have none: the check is then asked here, as far as it can say without tokens.
        """
        by_place = {verdict.label.partition(" ")[0]: verdict for verdict in verdicts}
        checks = tuple(cls.read(written))
        rows: dict[str, list[ParamDiff]] = {}
        for index, tool, param, entry in named_entries(written.value):
            verdict = by_place.get(f"{KEY}[{index}]")
            call = _first(tool, calls)
            row = param_row(entry, param, checks[index], verdict, call, written.case)
            rows.setdefault(tool, []).append(row)
        return Differences(params={tool: tuple(found) for tool, found in rows.items()})

    @classmethod
    def accepted(cls, value: Json, calls: Sequence[ToolCall]) -> Json:
        """`equals` values follow the first call of their tool; values with tokens stay."""
        if not isinstance(value, list):
            return value
        return [_with_actual(entry, calls) for entry in value]


def _first(tool: str, calls: Sequence[ToolCall]) -> ToolCall | None:
    return next((call for call in calls if call.name == tool), None)


def _with_actual(entry: Json, calls: Sequence[ToolCall]) -> Json:
    if not isinstance(entry, Mapping) or entry.get("assertion") != "equals":
        return entry
    expected, param = entry.get("value"), entry.get("paramName")
    call = _first(str(entry.get("tool")), calls)
    if call is None or call.params is None or not isinstance(param, str):
        return entry
    if param not in call.params or (isinstance(expected, str) and find_tokens(expected)):
        return entry
    actual = to_string(call.params[param])
    return entry if actual == to_string(expected) else {**entry, "value": actual}
