"""Emphasis on a terminal, in the terminal's own palette, and text that cannot act on it."""

import json
import re
from typing import Any

from evaltui.core.inert_text import ACTING, acts, spelled

# Compiled when they are first needed: few texts need them.
_ACTING = f"[\t\n{ACTING}]"
_COMMAND = r"(?i)^(\s*):(?=:)|#(?=#(?:\[|vso\[))"
"""How a command to a runner begins: `::` at the start of a line and `##[` anywhere in one to
GitHub's, `##[` and `##vso[` anywhere to that of Azure Pipelines.

Blanks before it count for nothing. The runner reads all that a step prints, and obeys e.g.
`::stop-commands::` and `::add-mask::`.
"""


class Ink:
    """Paints when `is_on`; otherwise gives text back as it is."""

    def __init__(self, is_on: bool) -> None:
        self._is_on = is_on

    def good(self, text: str) -> str:
        return self._wrap("32", text)

    def bad(self, text: str) -> str:
        return self._wrap("31", text)

    def warn(self, text: str) -> str:
        return self._wrap("33", text)

    def bold(self, text: str) -> str:
        return self._wrap("1", text)

    def dim(self, text: str) -> str:
        return self._wrap("2", text)

    def _wrap(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._is_on else text


def plain(text: str) -> str:
    """One line of text whose control characters show instead of acting, on a terminal or in CI."""
    if "::" in text or "##" in text:
        text = re.sub(_COMMAND, _spelled, text)
    return _inert(text)


def plain_lines(text: str, *, are_inside: bool = False) -> list[str]:
    """The lines of a text, each of them plain; `are_inside`: they stand within a line of a report,
    where no command of a runner begins."""
    return list(map(_inert if are_inside else plain, re.split("\r\n|\r|\n", text)))


def _inert(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    return re.sub(_ACTING, _shown, text)


def _spelled(match: re.Match[str]) -> str:
    return "\\x23" if match[0] == "#" else f"{match[1]}\\x3a"


def json_text(value: Any, *, indent: int | None = None) -> str:
    """A value as JSON for people to read, in which nothing acts on a terminal."""
    return inert_json(json.dumps(value, ensure_ascii=False, indent=indent))


def inert_json(text: str) -> str:
    """The same JSON with such characters as escapes; those below the blank are so in any JSON."""
    if text.isascii() and "\x7f" not in text:
        return text
    return re.sub(_ACTING, _escaped, text)


def _escaped(match: re.Match[str]) -> str:
    return match[0] if match[0] < " " or not acts(match) else json.dumps(match[0])[1:-1]


def _shown(match: re.Match[str]) -> str:
    return _SHORT.get(match[0]) or (spelled(match[0]) if acts(match) else match[0])


_SHORT = {"\n": "⏎", "\t": " "}
