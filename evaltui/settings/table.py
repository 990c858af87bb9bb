"""Checking a table of settings, whoever wrote it."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from evaltui.core.errors import Problem, Severity
from evaltui.core.key_path import KeyPath, format_key
from evaltui.settings.kinds import INVALID, unknown
from evaltui.settings.settings import BY_CAMEL, BY_NAME
from evaltui.settings.source import ConfigSource


class Table(Struct, frozen=True):
    values: dict[str, Any] = field(default_factory=dict)
    """Checked values by setting name, aliases resolved."""
    wrong: frozenset[str] = frozenset()
    """Settings that are there and cannot be used."""


class Reporter:
    """Turns what a kind reports into problems with the place in the file, or the flag."""

    def __init__(self, source: ConfigSource | None, problems: list[Problem]) -> None:
        self._source = source
        self._problems = problems

    def __call__(
        self, path: KeyPath, what: str, hint: str, severity: Severity = Severity.ERROR
    ) -> None:
        if self._source is None:
            flag = "--" + str(path[0]).replace("_", "-")
            self._problems.append(Problem("", what, hint, key=flag, severity=severity, code="flag"))
            return
        line, column = self._source.locate(path)
        file = self._source.path.name
        self._problems.append(
            Problem(file, what, hint, line, column, format_key(path), severity, "config")
        )


def read_table(table: Mapping[str, Any], source: ConfigSource | None, report: Reporter) -> Table:
    """Check every setting; `null` is as good as absent."""
    known = BY_CAMEL if source is not None and source.is_json else BY_NAME
    values: dict[str, Any] = {}
    wrong: set[str] = set()
    for key, value in table.items():
        setting = known.get(key) or BY_NAME.get(key)
        if setting is None:
            if source is None or not source.is_foreign:
                unknown(key, (key,), known, report)
            continue
        if value is None:
            continue
        name = setting.field or setting.name
        read = setting.kind.read(value, (key,), report)
        if read is INVALID:
            wrong.add(name)
        else:
            values[name] = read
    return Table(values, frozenset(wrong))
