"""Values of the variables in an agent's options, where they decide who is asked, or what."""

import re
from collections.abc import Iterable, Mapping
from shlex import join

from evaltui.core.json_value import Json
from evaltui.core.secret_name import is_secret_name
from evaltui.core.shown_secret import shown_command
from evaltui.core.tool import short_hash
from evaltui.core.variable import KEYRING, VARIABLE

_OF_THE_MACHINE = frozenset(
    ("HOME", "USER", "LOGNAME", "PATH", "PWD", "SHELL", "TMPDIR", "TEMP", "TMP", "HOSTNAME")
)
"""They are others on each machine, and an answer that was recorded on one belongs to all."""
_ADDRESS = re.compile(r"(?:url|uri|host|port|address|endpoint)$", re.IGNORECASE)
"""How the name of what is no secret ends, though it is that of what hands out secrets."""


def variables_print(
    options: Mapping[str, Json], names: Iterable[str], values: Mapping[str, str]
) -> str:
    """12 hex digits of what stands in the options `names` once variables are filled in.

    Empty where none of them counts, and where one has no value: then nobody knows who would be
    asked. Secrets do not count, so that another key makes no other agent and the print tells
    nothing of one: what comes from a keyring, what a name, of the variable or of what it is filled
    into, or its form shows to be one.
    """
    filling = _Filling(values)
    lines = [f"{name} {filling.line(options.get(name))}" for name in names]
    return short_hash("\n".join(lines)) if filling.counts and not filling.lacks else ""


class _Filling:
    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values
        self.counts = self.lacks = False
        """Whether a variable stood for something that counts; whether one stood for nothing."""

    def line(self, written: Json) -> str:
        """As a command line, in which secrets are known by what stands around them."""
        words = [VARIABLE.sub(self._value, word) for word in _words(written)]
        return shown_command(join(words))

    def _value(self, match: re.Match[str]) -> str:
        name, default = match[1], match[2]
        if name.startswith(KEYRING) or name in _OF_THE_MACHINE:
            return match[0]
        value = self._values.get(name, default)
        if _is_secret(name) and "://" not in (value or ""):  # the password of a URL is hidden
            return match[0]
        self.lacks |= value is None
        self.counts = True
        return value or ""


def _words(written: Json) -> list[str]:
    """All texts in it, with the names that they stand under; below that of a secret none."""
    if isinstance(written, str):
        return [written]
    if isinstance(written, Mapping):
        named = ((name, _words(value)) for name, value in sorted(written.items()))
        return [
            word
            for name, words in named
            if words and not _is_secret(name)
            for word in (name, *words)
        ]
    if isinstance(written, list | tuple):
        return [word for one in written for word in _words(one)]
    return []


def _is_secret(name: str) -> bool:
    return is_secret_name(name) and _ADDRESS.search(name) is None
