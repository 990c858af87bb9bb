"""Tokens that will not do what their author expects."""

import re
from collections.abc import Iterator

from evaltui.core.case import Case, Tier
from evaltui.expectations import ASSERTIONS
from evaltui.expectations.doubts import Finding
from evaltui.expectations.mentions import asserted
from evaltui.expectations.tokens import find_tokens, misspelled_tokens


def findings(case: Case) -> Iterator[Finding]:
    """Look-alikes, tokens where none is resolved, live data in regression cases."""
    for token in find_tokens(case.message):
        yield _literal("input.message", str(token))
    for assertion, value in asserted(case.expect):
        for below, text in assertion.texts(value):
            path = f"expect.{below}"
            if not assertion.replaces_tokens_in:
                for token in find_tokens(text):
                    yield _literal(path, str(token))
                continue
            yield from _look_alikes(path, text, may_be_literal=assertion.may_hold_braces)
            if case.tier is Tier.REGRESSION:
                yield from _live_data(path, text)


def _look_alikes(path: str, text: str, *, may_be_literal: bool) -> Iterator[Finding]:
    """`{{user}}` in responseNotContains is a leak check; a near miss is a mistake anywhere."""
    for match in _BRACES.finditer(text):
        written = match[0]
        if find_tokens(written):
            continue
        near = _NEAR.fullmatch(written)
        if meant := misspelled_tokens(written):
            hint = f"Write `{meant[written]}`, without spaces."
            yield Finding(path, f"`{written}` is taken literally", hint, "token-spaces")
        elif near or not may_be_literal:
            hint = "Only {{seed:path}} and {{snapshot:path}} are replaced."
            yield Finding(path, f"`{written}` is taken literally", hint, "unknown-token")


def _live_data(path: str, text: str) -> Iterator[Finding]:
    for token in find_tokens(text):
        if token.source == "snapshot":
            what = f"`{token}` makes a regression case depend on live data"
            hint = "Use a {{seed:path}} value, which stays the same."
            yield Finding(path, what, hint, "snapshot-in-regression")


def _literal(path: str, token: str) -> Finding:
    resolving = filter(None, (one.replaces_tokens_in for one in ASSERTIONS.values()))
    *places, last = sorted(resolving, key=lambda place: " " in place)  # whole values first
    hint = f"Tokens work in {', '.join(places)} and {last} only."
    return Finding(path, f"`{token}` is not replaced here", hint, "token-not-replaced")


_BRACES = re.compile(r"\{\{[^{}]*\}\}")
_NEAR = re.compile(r"\{\{(\s*(?:seed|snapshot)\s*):([^{}]*)\}\}", re.IGNORECASE)
