"""Takes typed values out of an agent's options; every mistake names its option."""

import math
from collections.abc import Mapping

from evaltui.agents.options import check_options
from evaltui.core.errors import UserError
from evaltui.core.json_value import Json


class OptionReader:
    """Refuses unknown options at once, wrong types when they are asked for, with UserError."""

    def __init__(self, type_: str, options: Mapping[str, Json], known: tuple[str, ...]) -> None:
        check_options(type_, options, known)
        self._options = options

    def text(self, key: str, default: str = "") -> str:
        value = self._options.get(key, default)
        if not isinstance(value, str):
            raise UserError(f"`{key}` must be text, not {value!r}.")
        return value

    def flag(self, key: str, default: bool) -> bool:
        value = self._options.get(key, default)
        if not isinstance(value, bool):
            raise UserError(f"`{key}` must be true or false, not {value!r}.")
        return value

    def number(self, key: str, least: float) -> float | None:
        """A finite number; whole ones stay whole, as they were written."""
        value = self._options.get(key)
        if value is None:
            return None
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not math.isfinite(value)
            or value < least
        ):
            raise UserError(f"`{key}` must be a number from {least:g} on, not {value!r}.")
        return value

    def whole(self, key: str, least: int | None = None) -> int | None:
        value = self._options.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            raise UserError(f"`{key}` must be a whole number, not {value!r}.")
        if least is not None and value < least:
            raise UserError(f"`{key}` must be {least} or more, not {value}.")
        return value

    def table(self, key: str) -> Mapping[str, Json]:
        value = self._options.get(key, {})
        if not isinstance(value, Mapping):
            raise UserError(f"`{key}` must be a table, not {value!r}.")
        return value

    def texts(self, key: str) -> Mapping[str, str]:
        """A table whose values are all text."""
        texts: dict[str, str] = {}
        for name, value in self.table(key).items():
            if not isinstance(value, str):
                raise UserError(f"`{key}.{name}` must be text.")
            texts[name] = value
        return texts
