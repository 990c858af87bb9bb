"""Names that an API accepts for tools, and the way back to the registry's names."""

import re
from collections.abc import Iterable

from evaltui.core.tool import short_hash

LONGEST = 64
_ALLOWED = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_REFUSED = re.compile(r"[^a-zA-Z0-9_-]+")


class ToolNames:
    """Maps names one to one; those that every API accepts stay as they are.

    The rule `^[a-zA-Z0-9_-]{1,64}$` is that of OpenAI's and Anthropic's function names.
    """

    def __init__(self, names: Iterable[str]) -> None:
        own = tuple(dict.fromkeys(names))
        taken = {name for name in own if _ALLOWED.fullmatch(name)}
        self._to_api: dict[str, str] = {}
        for name in own:
            if name not in taken:
                mapped = _mapped(name, taken)
                taken.add(mapped)
                self._to_api[name] = mapped
        self._from_api = {mapped: name for name, mapped in self._to_api.items()}

    def to_api(self, name: str) -> str:
        """The name to send; a name that is no tool's (from old messages) is made acceptable."""
        mapped = self._to_api.get(name)
        if mapped is None:
            return name if _ALLOWED.fullmatch(name) else _mapped(name, ())
        return mapped

    def from_api(self, name: str) -> str:
        """The registry's name; one that was never sent stays as the model wrote it."""
        return self._from_api.get(name, name)


def _mapped(name: str, taken: Iterable[str]) -> str:
    """Readable where possible; a hash of the real name keeps two apart, whatever the order."""
    plain = _REFUSED.sub("_", name)[:LONGEST]
    if len(name) <= LONGEST and plain.strip("_") and plain not in taken:
        return plain
    return f"{plain[: LONGEST - 13]}_{short_hash(name)}"
