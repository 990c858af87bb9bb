"""Kinds of setting: what a value must be, said once and checked in one way."""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final, Protocol, TypeAlias

from msgspec import Struct, field

from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.errors import Severity
from evaltui.core.key_path import KeyPath


class _Invalid(Enum):
    INVALID = "invalid"


INVALID: Final = _Invalid.INVALID
"""A value that cannot be used; what is wrong with it was reported."""

Report: TypeAlias = Callable[[KeyPath, str, str, Severity], None]
"""Takes key path, what is wrong, what to do, and how bad it is."""


class Kind(Protocol):
    def read(self, value: Any, path: KeyPath, report: Report) -> Any:
        """The value as the program wants it, or `INVALID` after a report."""
        ...


def _wrong(path: KeyPath, value: Any, wanted: str, report: Report, hint: str = "") -> Any:
    shown = repr(value)
    shown = shown if len(shown) <= 60 else shown[:59] + "…"
    text = f"`{path[-1]}` is {shown}, not {wanted}"
    report(path, text, hint or f"Write {wanted}.", Severity.ERROR)
    return INVALID


def _no_table(path: KeyPath, value: Any, report: Report) -> Any:
    from evaltui.json_text.json_kind import kind_of  # and with it all formats

    # The value is not repeated: what should be a table of options may be a URL with a password.
    what = f"`{path[-1]}` is {kind_of(value)}, not a table"
    report(path, what, "Write a table.", Severity.ERROR)
    return INVALID


class Anything(Struct, frozen=True):
    """Another part's business, e.g. an agent's own options."""

    def read(self, value: Any, path: KeyPath, report: Report) -> Any:  # noqa: ARG002
        return value


class Text(Struct, frozen=True):
    is_secret: bool = False
    """Whether the value must not be repeated in a complaint."""

    def read(self, value: Any, path: KeyPath, report: Report) -> Any:
        if isinstance(value, str) and value.strip() and "\0" not in value:
            return value
        return _wrong(path, "…" if self.is_secret else value, "a text", report)


class Choice(Struct, frozen=True):
    choices: tuple[str, ...]

    def read(self, value: Any, path: KeyPath, report: Report) -> Any:
        if value in self.choices:
            return value
        wanted = "one of " + ", ".join(f"`{choice}`" for choice in self.choices)
        near = did_you_mean(value, self.choices) if isinstance(value, str) else ""
        return _wrong(path, value, wanted, report, near)


class Flag(Struct, frozen=True):
    def read(self, value: Any, path: KeyPath, report: Report) -> Any:
        return value if isinstance(value, bool) else _wrong(path, value, "true or false", report)


class Integer(Struct, frozen=True):
    low: int
    high: int

    def read(self, value: Any, path: KeyPath, report: Report) -> Any:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if is_number and self.low <= value <= self.high:
            return value
        return _wrong(path, value, f"a whole number from {self.low} to {self.high}", report)


class Number(Struct, frozen=True):
    low: float
    high: float = float("inf")
    above: bool = False
    """Whether `low` itself is too low."""

    def read(self, value: Any, path: KeyPath, report: Report) -> Any:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number and self.low <= value <= self.high and not (self.above and value == self.low):
            return float(value)
        reach = "" if self.high == float("inf") else f" and at most {self.high:g}"
        least = "above" if self.above else "of at least"
        return _wrong(path, value, f"a number {least} {self.low:g}{reach}", report)


class Many(Struct, frozen=True):
    """A list; one item may stand alone."""

    item: Kind

    def read(self, value: Any, path: KeyPath, report: Report) -> Any:
        if not isinstance(value, list | tuple):
            single = self.item.read(value, path, report)
            return single if single is INVALID else (single,)
        items = [self.item.read(item, (*path, i), report) for i, item in enumerate(value)]
        return tuple(item for item in items if item is not INVALID)


class MapOf(Struct, frozen=True):
    """A table with keys of the user's choice."""

    item: Kind

    def read(self, value: Any, path: KeyPath, report: Report) -> Any:
        if not isinstance(value, Mapping):
            return _no_table(path, value, report)
        items = {key: self.item.read(item, (*path, key), report) for key, item in value.items()}
        return {key: item for key, item in items.items() if item is not INVALID}


class Table(Struct, frozen=True):
    """A table with known keys, in JSON also in camelCase."""

    known: Mapping[str, Kind] = field(default_factory=dict)
    rest: Kind | None = None
    """What other keys must be; `None` when there may be none."""

    def read(self, value: Any, path: KeyPath, report: Report) -> Any:
        if not isinstance(value, Mapping):
            return _no_table(path, value, report)
        found: dict[str, Any] = {}
        for key, item in value.items():
            name = key if key in self.known else _snake_case(key)
            kind = self.known.get(name, self.rest)
            if kind is None:
                unknown(key, (*path, key), self.known, report)
                continue
            read = kind.read(item, (*path, key), report)
            if read is not INVALID:
                found[name if name in self.known else key] = read
        return found


def _snake_case(name: str) -> str:
    return "".join(f"_{sign.lower()}" if sign.isupper() else sign for sign in name)


def unknown(key: str, path: KeyPath, known: Mapping[str, Any], report: Report) -> None:
    """Warn of a key that means nothing here."""
    hint = did_you_mean(key, known) or f"Known are {', '.join(f'`{name}`' for name in known)}."
    report(path, f"`{key}` is no setting", hint, Severity.WARNING)
