"""Mistakes in settings as problems, with the place in the file or the flag."""

from typing import TYPE_CHECKING

from evaltui.core.errors import Problem, Severity
from evaltui.core.key_path import KeyPath
from evaltui.settings.source import ConfigSource

if TYPE_CHECKING:
    from evaltui.settings.sentences import Mistake, Wording


class Reporter:
    """Gathers problems of one file, or of the command line where there is no file."""

    def __init__(self, source: ConfigSource | None, problems: list[Problem]) -> None:
        self._source = source
        self._problems = problems

    @property
    def wording(self) -> "Wording":
        from evaltui.settings.sentences import Wording
        from evaltui.settings.spelling import camel_case

        is_json = self._source is not None and self._source.is_json
        return Wording(name=camel_case) if is_json else Wording()

    def mistake(self, mistake: "Mistake") -> None:
        """Unknown keys are warned of; in another program's file they are that program's."""
        from evaltui.settings.sentences import UNKNOWN

        if mistake.code != UNKNOWN:
            self.add(mistake.path, mistake.what, mistake.hint)
        elif self._source is None or not self._source.is_foreign or len(mistake.path) > 1:
            self.add(mistake.path, mistake.what, mistake.hint, Severity.WARNING)

    def add(self, path: KeyPath, what: str, hint: str, severity: Severity = Severity.ERROR) -> None:
        """A complaint about the setting at `path`."""
        if self._source is None:
            flag = "--" + str(path[0]).replace("_", "-")
            self._problems.append(Problem("", what, hint, key=flag, severity=severity, code="flag"))
            return
        place = self._source.place(path)
        self._problems.append(
            Problem(place.file, what, hint, place.line, place.column, place.key, severity, "config")
        )
