"""Emphasis on a terminal, in the terminal's own palette, and text that cannot act on it."""

import re

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


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
    """One line of text whose control characters show instead of acting."""
    return _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", text.replace("\n", "⏎"))
