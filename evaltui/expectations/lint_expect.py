"""Expectations that work but read wrong or prove nothing."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from evaltui.core.case import Case, Tier
from evaltui.core.errors import Severity
from evaltui.core.json_value import Json, JsonObject
from evaltui.expectations import CHECKS
from evaltui.expectations.expected_texts import kind_of, scalar_text, texts_below
from evaltui.expectations.finding import Finding
from evaltui.expectations.tokens import find_tokens
from evaltui.expectations.tool_calls import NO_TOOLS

_LABELED_ONLY = ("toolParams", "responseMatches", "maxTokens")
_ROUTING = ("toolsCalled", "toolsAcceptable", "toolsNotCalled", "toolParams")
_PROOF = ("responseContains", "responseContainsAny", "responseMatches", "toolParams")


def findings(case: Case) -> Iterator[Finding]:
    """Everything about `expect` but tokens and what cannot be judged."""
    expect = case.expect
    if expect is None or case.invalid:
        return
    if not any(expect.get(key) is not None for key in CHECKS):
        yield Finding(
            "expect", "nothing asserted", "Say what a good answer is.", "nothing-asserted"
        )
    yield from _unknown_keys(expect)
    yield from _tools(expect)
    yield from _shapes(expect)
    yield from _echoes(case, expect)
    yield from _proof(case, expect)
    if case.tier in (Tier.GOLDEN, Tier.REGRESSION):
        for key in _LABELED_ONLY:
            if expect.get(key) is not None:
                what = f"`{key}` stands in a {case.tier} case; it is meant for labeled ones"
                yield Finding(f"expect.{key}", what, "It is asserted all the same.", "tier-field")


def _unknown_keys(expect: JsonObject) -> Iterator[Finding]:
    for key in expect:
        if key in CHECKS:
            continue
        near = get_close_matches(key, CHECKS, n=1, cutoff=0.75)
        hint = f"Did you mean `{near[0]}`?" if near else f"Known are {', '.join(CHECKS)}."
        severity = Severity.ERROR if near else Severity.LINT
        what = f"`{key}` is no assertion, so it checks nothing"
        yield Finding(f"expect.{key}", what, hint, "unknown-key", severity)


def _tools(expect: JsonObject) -> Iterator[Finding]:
    called, acceptable = expect.get("toolsCalled"), expect.get("toolsAcceptable")
    if called is not None and acceptable is not None:
        what = "both `toolsCalled` and `toolsAcceptable` are asserted"
        yield Finding("expect.toolsAcceptable", what, "Keep one of them.", "both-tools")
    sets = acceptable if isinstance(acceptable, list | tuple) else ()
    for index, names in enumerate(sets):
        if isinstance(names, list | tuple) and NO_TOOLS in names and len(names) > 1:
            what = f"`{NO_TOOLS}` beside other tools has no special meaning"
            hint = f'Put it into a set of its own: ["{NO_TOOLS}"].'
            yield Finding(f"expect.toolsAcceptable[{index}]", what, hint, "mixed-none")
    for key in ("toolsCalled", "toolsNotCalled"):
        names = expect.get(key)
        if isinstance(names, list | tuple) and NO_TOOLS in names:
            what = f"`{NO_TOOLS}` has no special meaning in `{key}`"
            hint = f'Write [] in toolsCalled, or toolsAcceptable [["{NO_TOOLS}"]].'
            yield Finding(f"expect.{key}", what, hint, "mixed-none")


def _shapes(expect: JsonObject) -> Iterator[Finding]:
    for key in ("responseContains", "responseNotContains", "responseMatches"):
        value = expect.get(key)
        if isinstance(value, str):
            yield Finding(
                f"expect.{key}",
                "a bare text is read as a list of one",
                f"Write [{value!r}] as a list.",
                "bare-text",
            )
        elif isinstance(value, list | tuple):
            yield from _members(f"expect.{key}", value)
    groups = expect.get("responseContainsAny")
    if isinstance(groups, str) or (
        isinstance(groups, list | tuple)
        and any(not isinstance(group, list | tuple) for group in groups)
    ):
        yield Finding(
            "expect.responseContainsAny",
            "a flat list is read as one group",
            'Write a list of groups: [["sunny", "clear"]].',
            "bare-text",
        )
    elif isinstance(groups, list | tuple):
        for index, group in enumerate(groups):
            path = f"expect.responseContainsAny[{index}]"
            if not group:
                yield Finding(path, "an empty group is skipped", "Remove it.", "empty-list")
            elif isinstance(group, list | tuple):
                yield from _members(path, group)
    for key in (
        "toolsNotCalled",
        "toolParams",
        "responseContains",
        "responseContainsAny",
        "responseNotContains",
        "responseMatches",
    ):
        value = expect.get(key)
        if isinstance(value, list | tuple) and not value:
            yield Finding(
                f"expect.{key}",
                "an empty list checks nothing",
                "Fill it or remove it.",
                "empty-list",
            )
    for key in ("maxLatencyMs", "maxTokens"):
        limit = expect.get(key)
        if isinstance(limit, int | float) and not isinstance(limit, bool) and limit <= 0:
            what = "0 asserts no limit" if limit == 0 else "no answer can keep a negative limit"
            yield Finding(
                f"expect.{key}", what, "Write a positive limit or remove it.", "zero-limit"
            )
    yield from _param_values(expect.get("toolParams"))


def _members(path: str, members: "list[Json] | tuple[Json, ...]") -> Iterator[Finding]:
    for index, member in enumerate(members):
        if member == "":
            yield Finding(
                f"{path}[{index}]",
                "an empty text stands in every response",
                "Write what must be found.",
                "empty-text",
            )
        elif not isinstance(member, str) and scalar_text(member) is not None:
            yield _not_text(f"{path}[{index}]", member)


def _param_values(entries: Json) -> Iterator[Finding]:
    if not isinstance(entries, list | tuple):
        return
    for index, entry in enumerate(entries):
        if not isinstance(entry, Mapping):
            continue
        path = f"expect.toolParams[{index}].value"
        value = entry.get("value")
        if entry.get("assertion") == "oneOf" and isinstance(value, str) and not find_tokens(value):
            yield Finding(
                path, "a bare text is read as a list of one", f"Write [{value!r}].", "bare-text"
            )
        for member in value if isinstance(value, list | tuple) else [value]:
            if not isinstance(member, str) and scalar_text(member) is not None:
                yield _not_text(path, member)


def _not_text(path: str, value: Json) -> Finding:
    what = f'{kind_of(value)} is compared as the text "{scalar_text(value)}"'
    return Finding(path, what, f'Write "{scalar_text(value)}".', "value-not-text")


def _echoes(case: Case, expect: JsonObject) -> Iterator[Finding]:
    """What the agent can repeat from the prompt shows nothing about the tool's answer."""
    prompt = case.message.casefold()
    hint = "Ask for a value that only the tool's result can supply."
    for path, text in texts_below("expect.responseContains", expect.get("responseContains")):
        if text and text.casefold() in prompt:
            yield Finding(
                path,
                f"'{text}' stands in the prompt itself, so finding it proves nothing",
                hint,
                "prompt-echo",
            )
    groups = expect.get("responseContainsAny")
    for index, group in enumerate(groups if isinstance(groups, list | tuple) else ()):
        texts = [text for _, text in texts_below("", group) if text]
        if texts and all(text.casefold() in prompt for text in texts):
            yield Finding(
                f"expect.responseContainsAny[{index}]",
                "every text of the group stands in the prompt itself",
                hint,
                "prompt-echo",
            )


def _proof(case: Case, expect: JsonObject) -> Iterator[Finding]:
    """A golden case shows data the tool returned; any other at least which tools are right."""
    asserted = {key for key in CHECKS if expect.get(key) not in (None, False, [], 0)}
    if expect.get("toolsCalled") == [] or expect.get("toolsAcceptable") == [[NO_TOOLS]]:
        return
    if case.tier is Tier.GOLDEN and asserted and not asserted & set(_PROOF):
        what = "no proof value: nothing in `expect` shows that the tool's data reached the answer"
        hint = "Add responseContains with a value that only the tool could know."
        yield Finding("expect", what, hint, "no-proof")
    elif asserted and not asserted & {*_ROUTING, *_PROOF}:
        what = "no proof value: any polite answer without tools would pass"
        hint = "Assert which tools are called, or what the answer must contain."
        yield Finding("expect", what, hint, "no-proof")
