"""Regular expressions that are compiled when they are first used: most are for the rare case."""

import re
from typing import Any, AnyStr, cast


def late_pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As `re.compile`, whose work for the patterns of one command took a tenth of its start."""
    return cast(re.Pattern[AnyStr], _Late(text, flags))


class _Late:
    __slots__ = ("_flags", "_text", "findall", "finditer", "fullmatch", "match", "search", "sub")

    def __init__(self, text: str | bytes, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Asked once for each method: from then on it is the pattern's own."""
        method = getattr(re.compile(self._text, self._flags), name)
        setattr(self, name, method)
        return method
